"""The comparison with other engines: is it fair, and does its arithmetic hold?"""

import json
from math import exp, log

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.models.names import PAIRS, PROMPTS
from workshop.__main__ import main
from workshop.bench import measure as module
from workshop.bench.competitors import Genai, Transformers, genai_is_here
from workshop.bench.contenders import COURSE, GENAI, PLAIN, TRANSFORMERS, Contender, settings
from workshop.bench.measure import Extent
from workshop.bench.ours import Ours
from workshop.bench.passages import Passage, choosing_and_reporting
from workshop.bench.report import rows_of
from workshop.bench.runs import Run

HF, OURS = PLAIN[TRANSFORMERS], PLAIN[COURSE]
ASSISTED = Contender(TRANSFORMERS, "model", 3, schedule="constant", threshold=0.0)
ONE, TWO = (Contender(COURSE, "model", gamma) for gamma in (1, 2))


def runs_of(*speeds):
    """A run of 12 tokens at each speed, in tokens per second."""
    return [Run(Passage((1, 2), 12), range(12), seconds=12 / speed) for speed in speeds]


def test_a_row_compares_with_the_fastest_engine_and_with_no_draft():
    """Geometric means of 10, 20, 30, 60 and 90; the course chose the slower of its two."""
    runs = {
        HF: runs_of(5, 20), ASSISTED: runs_of(5, 80), OURS: runs_of(30, 30),
        ONE: runs_of(30, 120), TWO: runs_of(90, 90),
    }  # fmt: skip
    rows = {row["name"]: row for row in rows_of(runs, [ONE, OURS, ASSISTED, HF], dtype="float32")}
    assert rows[ONE.name]["chosen"] > rows[TWO.name]["chosen"]  # as chosen, not the best reported
    assert rows[ASSISTED.name]["over_engine"] == 1
    assert rows[ONE.name]["over_plain"] == pytest.approx(2) == rows[ASSISTED.name]["over_plain"]
    ratio, low, high = (rows[ONE.name][name] for name in ("over_engine", "low", "high"))
    one, other = log(30 / 5), log(120 / 80)
    assert log(ratio) == pytest.approx((one + other) / 2)
    assert exp(min(one, other)) <= low < ratio < high <= exp(max(one, other))


def test_prompts_to_choose_on_are_not_reported_nor_are_their_files():
    with PROMPTS.open() as file:
        files = {p["text"]: p["file"] for kind in json.load(file).values() for p in kind}
    choosing, reporting = choosing_and_reporting(8)
    assert len(choosing) == len(reporting) == 16
    assert not {files[text] for text in choosing} & {files[text] for text in reporting}


@pytest.mark.slow
def test_settings_reach_transformers(pair):
    """It uses the first match; the target's first pass reads the prompt and the guesses."""
    side = Transformers(*PAIRS["tiny"], pair.target.dtype)
    passes = []
    side.target.register_forward_pre_hook(
        lambda _, args, kwargs: passes.append(kwargs["input_ids"][0].tolist()), with_kwargs=True
    )

    def read(contender, prompt):
        passes.clear()
        assert len(side.continuing(contender, 0.0)(0, Passage(tuple(prompt), 12)).text) == 12
        return [passes[0][len(prompt) :], *passes[1:]]

    prompt = [5, 6, 7, 1, 6, 8, 1, 6]
    for longest, copied in ((1, [7, 1]), (2, [8, 1])):
        assert read(Contender(TRANSFORMERS, "lookup", 2, longest), prompt)[0] == copied
    assert read(HF, prompt)[0] == []  # nothing is left of the others
    prompt = pair.encode("x = 0\n" * 24)  # both models continue it

    def drafted(*setting):
        first, *others = read(Contender(TRANSFORMERS, "model", *setting), prompt)
        return [len(first), *(len(tokens) - 1 for tokens in others)]

    assert drafted(2, None, "constant", 0.0)[:4] == [2, 2, 2, 2]
    assert drafted(2, None, "heuristic", 0.0)[:2] == [2, 4]
    assert max(drafted(4, None, "constant", 0.9999999)) < 4


def test_settings_reach_the_course(pair):
    """It uses the last match."""
    ours, passage = Ours(pair.target, pair.draft), Passage((1, 6, 8, 2, 6, 7, 1, 6), 6)

    def first(*fields):
        return ours.continuing(Contender(COURSE, *fields), 0.0)(0, passage).rounds[0].drafted

    assert first("lookup", 2, 1) == (7, 1)
    assert first("lookup", 3, 2) == (8, 2, 6)
    assert len(first("model", 3)) == 3
    assert first("plain") == ()


@pytest.mark.slow
def test_greedy_texts_of_the_other_engine_are_the_targets(fast):
    if not genai_is_here():
        pytest.skip('onnxruntime-genai is not installed: pip install ".[engines]"')
    side, passage = Genai(*PAIRS["tiny"], 1), Passage(tuple(fast.encode("def read(self):\n")), 32)
    expected = emitted_tokens(
        generate(fast.target, passage.prompt, sampling=GREEDY, max_new_tokens=passage.new_tokens)
    )
    ways = PLAIN[GENAI], Contender(GENAI, "model", 3), Contender(GENAI, "lookup", 4, 2)
    for way in ways:
        assert list(side.continuing(way, 0.0)(0, passage).text) == expected, way.name
        texts = [list(side.continuing(way, 1.0)(seed, passage).text) for seed in (0, 1)]
        assert texts[0] != texts[1]
        assert {len(text) for text in texts} == {passage.new_tokens}


TINY = Extent(
    settings(("suffix", "quantised"), (1, 2), (2,), (2,), (0.0,)), 1, 16, 8, 4, (1, 1), fewest=2
)


@pytest.mark.slow
def test_the_command_measures_every_contender(monkeypatch, tmp_path):
    """Without the other engine, on a few words, so that its figures are meaningless."""
    monkeypatch.setattr(module, "quick", lambda drafters: TINY)
    monkeypatch.setattr(module, "genai_is_here", lambda: False)
    out = tmp_path / "bench.json"
    arguments = ["bench", "--quick", "--dtypes", "float32", "--out", str(out)]
    assert main(arguments) == 0
    report = json.loads(out.read_text())
    assert list(report["costs"]) == ["T=0 float32", "T=1 float32"]
    families = {(TRANSFORMERS, kind) for kind in ("plain", "lookup", "model")}
    families |= {(COURSE, kind) for kind in ("plain", "model", "suffix", "quantised")}
    for setting in {(row["temperature"], row["text"]) for row in report["rows"]}:
        rows = [row for row in report["rows"] if (row["temperature"], row["text"]) == setting]
        assert {(row["who"], row["kind"]) for row in rows if row["chosen"]} == families
        assert 1 in [row["over_engine"] for row in rows if row["who"] != COURSE]
    assert main(arguments) == 2  # what was recorded is kept
