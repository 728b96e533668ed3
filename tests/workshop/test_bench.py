"""The comparison with other engines: is it fair, and does its arithmetic hold?"""

import json
from math import exp, log
from pathlib import Path

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.measuring.recorded import FRESH, rows_of
from course_utils.models.names import PAIRS, PROMPTS
from workshop.__main__ import main
from workshop.bench import measure as module
from workshop.bench.competitors import Genai, Transformers, genai_is_here
from workshop.bench.contenders import COURSE, GENAI, PLAIN, TRANSFORMERS, Contender, settings
from workshop.bench.measure import Extent
from workshop.bench.ours import Ours
from workshop.bench.passages import Passage, choosing_and_reporting
from workshop.bench.report import Setting, as_markdown, comparison
from workshop.bench.runs import Run

HOW_FAST = Path(__file__).parents[2] / "notebooks" / "how_fast.md"
HF, OURS = PLAIN[TRANSFORMERS], PLAIN[COURSE]
ASSISTED = Contender(TRANSFORMERS, "model", 3, schedule="constant", threshold=0.0)
ONE, TWO = (Contender(COURSE, "model", gamma) for gamma in (1, 2))
HERE = Setting(0.0, "float32", FRESH)


def runs_of(*speeds):
    """A run of 12 tokens at each speed, in tokens per second."""
    return [Run(Passage((1, 2), 12), 12, 12 / speed) for speed in speeds]


def test_the_ratio_is_implementation_times_speculation_and_the_mean_over_passages():
    """Geometric means of 10, 20, 30, 60 and 90; the course chose the slower of its two."""
    runs = {
        HF: runs_of(5, 20), ASSISTED: runs_of(5, 80), OURS: runs_of(30, 30),
        ONE: runs_of(30, 120), TWO: runs_of(90, 90),
    }  # fmt: skip
    compared = comparison(HERE, runs, [ONE, OURS, ASSISTED, HF], TRANSFORMERS)
    # as chosen, not the best reported
    assert (compared["theirs"], compared["ours"]) == (ASSISTED.name, ONE.name)
    assert compared["implementation"] == pytest.approx(3)
    assert compared["speculation_ours"] == pytest.approx(2) == compared["speculation_theirs"]
    assert compared["ratio"] == pytest.approx(3 * 2 / 2)
    one, other = log(30 / 5), log(120 / 80)
    assert log(compared["ratio"]) == pytest.approx((one + other) / 2)
    low, high = compared["between"]
    assert exp(min(one, other)) <= low < compared["ratio"] < high <= exp(max(one, other))


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
    assert len(first("model", 3)) == len(first("target_as_draft", 3)) == 3
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
    settings(("suffix", "quantised"), (1, 2), (2,), (2,), (0.0,)), 1, 16, 8, 4, (1, 1), (1, 2), 2
)


@pytest.fixture
def alone(monkeypatch):
    """The command without the other engine, on a few words; its figures are meaningless."""
    monkeypatch.setattr(module, "quick", lambda drafters: TINY)
    monkeypatch.setattr(module, "genai_is_here", lambda: False)


@pytest.mark.slow
def test_the_command_measures_every_contender(alone, capsys, tmp_path):
    out = tmp_path / "bench.json"
    arguments = ["bench", "--quick", "--dtypes", "float32", "--out", str(out)]
    assert main(arguments) == 0
    report = json.loads(out.read_text())
    assert list(report["costs"]) == ["T=0 float32", "T=1 float32"]
    for compared in report["compared"]:
        rows = rows_of(report, compared["temperature"], "float32", compared["text"])
        families = {(row["who"], row["kind"]) for row in rows}
        kinds = "plain", "model", "suffix", "quantised", "target_as_draft"
        theirs = {(TRANSFORMERS, kind) for kind in ("plain", "lookup", "model")}
        assert families == theirs | {(COURSE, kind) for kind in kinds}
        assert {row["gamma"] for row in rows if row["predicted_ratio"]} == {1, 2}
        speed = {row["name"]: row["tokens_per_second"] for row in rows}
        assert compared["ratio"] == pytest.approx(
            speed[compared["ours"]] / speed[compared["theirs"]]
        )
    for row in report["rows"]:
        if row["who"] == COURSE:
            shares = row["draft_share"] + row["verify_share"] + row["host_share"]
            assert shares == pytest.approx(1)
    assert as_markdown(report) in capsys.readouterr().out
    assert main(arguments) == 2  # what was recorded is kept
    assert "not be overwritten" in capsys.readouterr().err


def test_ctrl_c_keeps_what_was_measured_also_where_int8_does_not_run(alone, monkeypatch, tmp_path):
    def measure(sides, prompts, temperature, dtype, extent):
        if temperature:
            raise KeyboardInterrupt
        return {"rows": [], "compared": [], "costs": {}}

    monkeypatch.setattr(module, "measure", measure)
    out = tmp_path / "bench.json"
    assert main(["bench", "--quick", "--dtypes", "bfloat16", "--out", str(out)]) == 130
    assert list(json.loads(out.read_text())["costs"]) == ["T=0 bfloat16"]
