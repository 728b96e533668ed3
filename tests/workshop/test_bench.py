"""The comparison with transformers: is it fair, and does its arithmetic hold?"""

import json
from dataclasses import astuple, replace
from itertools import count
from math import exp, log
from pathlib import Path

import pytest

from course_utils.decoding.contracts import Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.named import DRAFT, DRAFTERS
from course_utils.engines.sessions import read_session
from course_utils.measuring.costs import Costs, Prediction
from course_utils.measuring.recorded import FRESH, LOOPING, recorded_bench, rows_of
from course_utils.models.names import PROMPTS
from course_utils.pairs import PAIRS
from workshop.__main__ import main
from workshop.bench import modes
from workshop.bench.comparisons import (
    Price,
    Setting,
    as_json,
    comparison,
    prediction_errors,
    rows_of_setting,
)
from workshop.bench.competitors import Competitors
from workshop.bench.contenders import (
    COURSE,
    GENAI,
    LLAMA,
    PLAIN,
    TRANSFORMERS,
    TRIED,
    Contender,
    settings,
)
from workshop.bench.measure import (
    FULL,
    QUICK,
    Extent,
    Found,
    by_text,
    bytes_read,
)
from workshop.bench.ours import Ours
from workshop.bench.pages import as_markdown, bench_page
from workshop.bench.passages import (
    Passage,
    choosing_and_reporting,
    loop_start,
    passages,
    said_before,
)
from workshop.bench.protocol import Run, _summed_up

ROOT = Path(__file__).parents[2]
COSTS = Costs([0.0, 1.0, 1.0], [5.0, 5.5, 6.0], host=0.5, host_per_draft=0.25)
HF, OURS = PLAIN[TRANSFORMERS], PLAIN[COURSE]
ASSISTED = Contender(TRANSFORMERS, "model", 3, schedule="constant", threshold=0.0)
ONE, TWO = (Contender(COURSE, "model", gamma) for gamma in (1, 2))
HERE = Setting(0.0, "float32", FRESH)


def made_up_runs(*speeds):
    """A run of 12 tokens at each speed, in tokens per second."""
    passage = Passage((1, 2), 12)
    return [Run(passage, tuple(range(12)), 12 / speed) for speed in speeds]


def made_up():
    """Geometric means of 10, 20, 30 and 60 and 90; the course has chosen the slower of its two."""
    runs = {
        HF: made_up_runs(5, 20),
        ASSISTED: made_up_runs(5, 80),
        OURS: made_up_runs(30, 30),
        ONE: made_up_runs(30, 120),
        TWO: made_up_runs(90, 90),
    }
    predictions = {gamma: Prediction(gamma, 1.0, 4 - gamma, 1.0) for gamma in (1, 2)}
    return comparison(HERE, runs, [ONE, OURS, ASSISTED, HF], predictions, TRANSFORMERS)


def test_the_ratio_is_implementation_times_speculation():
    found = made_up()
    # as chosen, not the best reported
    assert (found["theirs"], found["ours"]) == (ASSISTED.name, ONE.name)
    assert found["implementation"] == pytest.approx(3)
    assert found["speculation_ours"] == pytest.approx(2)
    assert found["speculation_theirs"] == pytest.approx(2)
    assert found["ratio"] == pytest.approx(3 * 2 / 2)
    assert (found["passages"], found["new_tokens"]) == (2, 24)


def test_the_ratio_is_the_mean_of_the_ratios_passage_by_passage():
    found = made_up()
    one, other = log(30 / 5), log(120 / 80)
    assert log(found["ratio"]) == pytest.approx((one + other) / 2)
    low, high = found["between"]
    assert exp(min(one, other)) <= low < found["ratio"] < high <= exp(max(one, other))


def test_the_gamma_that_the_prediction_picks_is_compared_with_the_fastest():
    assert made_up()["auto_gamma"] == 1
    assert made_up()["auto_loss"] == pytest.approx(1 - 60 / 90)


def test_prompts_to_choose_on_are_not_reported_nor_are_their_files():
    with PROMPTS.open() as file:
        files = {p["text"]: p["file"] for kind in json.load(file).values() for p in kind}
    for extent in (FULL, QUICK):
        choosing, reporting = choosing_and_reporting(extent.per_kind)
        assert len(choosing) == len(reporting) == 2 * extent.per_kind
        assert not {files[text] for text in choosing} & {files[text] for text in reporting}
    with pytest.raises(ValueError, match="1 to 8 prompts"):
        choosing_and_reporting(9)


def test_what_is_read_is_counted_by_passes(pair):
    """A copied guess reads no weights; of a draft on the target it is not known what is read."""
    course, passage = Ours(pair.target, pair.draft), Passage((1, 6, 8, 2, 6, 7, 1, 6), 40)
    runs = {}
    for name in ("plain", "model", "auto", "lookup"):
        longest = 2 if name == "lookup" else None
        contender = Contender(COURSE, name, None if name == "plain" else 3, longest)
        told = course.continuing(contender, 1.0)(0, passage)
        runs[contender] = [_summed_up(passage, replace(told, parts=Seconds(1.0, 2.0, 1.0)), 4.0)]
    price = Price(100, {None: 0, DRAFT: 10}, bandwidth=1.0)
    found = rows_of_setting(HERE, {HF: made_up_runs(1), **runs}, [HF], {}, price)
    rows = {row["kind"]: row for row in found}
    for contender, (run,) in runs.items():
        read = 100 * run.metrics.rounds + 10 * run.draft_passes
        assert rows[contender.kind]["memory_ratio"] == pytest.approx(4 / read)
    passes = {contender.kind: run.draft_passes for contender, (run,) in runs.items()}
    drafted = {contender.kind: run.metrics.drafted for contender, (run,) in runs.items()}
    assert passes["plain"] == passes["lookup"] == 0 < passes["auto"] < drafted["auto"]
    assert passes["model"] >= drafted["model"]
    assert bytes_read("eagle", pair.draft) is None
    assert bytes_read(DRAFT, pair.draft) == pair.draft.weight_bytes
    assert bytes_read(None, None) == 0


def test_a_token_was_said_before_in_a_row_of_tokens():
    marks = said_before([1, 2, 3], [1, 2, 9, 2, 3, 1], row=2)
    assert marks == [True, True, False, True, True, True]
    assert said_before([], [7, 7, 7, 7], row=2) == [False, True, True, True]
    assert said_before([1, 2], [1, 2, 3], row=3) == [False] * 3


def test_a_text_is_cut_where_its_loop_begins():
    prompt, loop = list(range(100, 110)), list(range(20))
    text = [*range(200, 230), *loop, *loop, *loop]
    assert loop_start(prompt, text) == 30 + len(loop)  # the first time round nothing is repeated
    before, within = passages(prompt, text, most=35)
    assert before == Passage(tuple(prompt), 35, FRESH)
    assert within == Passage((*prompt, *text[:50]), 35, LOOPING)
    assert passages(prompt, text, most=99)[1].new_tokens == len(text) - 50


def test_greedy_texts_of_the_pair_are_taken_apart(fast):
    """Of these two, one has not begun to loop after 64 tokens; the other soon does."""
    target = fast.target
    whole, soon = (fast.encode(text) for text in choosing_and_reporting(4)[1][::4][:2])
    found = by_text(target, [whole, soon], 0.0, written=64, most=40)
    assert found[FRESH] == [Passage(tuple(whole), 40, FRESH)]
    ((prompt, new_tokens, _),) = (astuple(passage) for passage in found[LOOPING])
    assert list(prompt[: len(soon)]) == soon
    assert 0 < len(prompt) - len(soon) < 24
    assert new_tokens == 40
    text = emitted_tokens(generate(target, prompt, sampling=GREEDY, max_new_tokens=40))
    assert sum(said_before(prompt, text)) > 36


@pytest.fixture(scope="module")
def competitors(pair):
    return Competitors(*PAIRS["tiny"], pair.target.dtype)


def first_passes(competitors, contender, prompt, new_tokens=12):
    """The tokens that the target reads in each of its passes."""
    passes = []
    handle = competitors.target.register_forward_pre_hook(
        lambda _, args, kwargs: passes.append(kwargs["input_ids"][0].tolist()), with_kwargs=True
    )
    try:
        told = competitors.continuing(contender, 0.0)(0, Passage(tuple(prompt), new_tokens))
    finally:
        handle.remove()
    assert len(told.text) == new_tokens
    return passes


def test_settings_of_the_lookup_reach_transformers(competitors):
    """It takes the first match; its first pass reads the prompt and what was copied."""
    prompt = [5, 6, 7, 1, 6, 8, 1, 6]
    for longest, copied in ((1, [7, 1]), (2, [8, 1])):
        contender = Contender(TRANSFORMERS, "lookup", 2, longest)
        assert first_passes(competitors, contender, prompt)[0] == prompt + copied
    assert first_passes(competitors, HF, prompt)[0] == prompt  # nothing is left of the others
    contender = Contender(TRANSFORMERS, "lookup", 4, 2)
    assert first_passes(competitors, contender, prompt)[0] == [*prompt, 8, 1, 6]


def test_settings_of_the_draft_model_reach_transformers(competitors, pair):
    prompt = pair.encode("x = 0\n" * 24)  # both models go on with it

    def drafted(*setting):
        passes = first_passes(competitors, Contender(TRANSFORMERS, "model", *setting), prompt)
        return [len(passes[0]) - len(prompt), *(len(tokens) - 1 for tokens in passes[1:])]

    assert drafted(2, None, "constant", 0.0)[:4] == [2, 2, 2, 2]
    assert drafted(2, None, "heuristic", 0.0)[:2] == [2, 4]
    assert max(drafted(4, None, "constant", 0.9999999)) < 4


def test_settings_of_the_course_reach_its_decoder(pair):
    """It takes the last match."""
    ours, passage = Ours(pair.target, pair.draft), Passage((1, 6, 8, 2, 6, 7, 1, 6), 6)

    def first(*fields):
        return ours.continuing(Contender(COURSE, *fields), 0.0)(0, passage).rounds[0].drafted

    assert first("lookup", 2, 1) == (7, 1)
    assert first("lookup", 3, 2) == (8, 2, 6)
    assert len(first("model", 3)) == len(first("target_as_draft", 3)) == 3
    assert first("plain") == ()


TINY = Extent(
    1, 16, 8, 4, (1, 1), settings((1, 2), (2,), (2,), ("constant",), (0.0,)), (1, 2), fewest=2
)


@pytest.fixture
def alone(monkeypatch):
    """The command without the other engines, and without what has a test of its own."""
    monkeypatch.setattr(modes, "QUICK", TINY)
    monkeypatch.setattr(modes, "others", lambda *_: ({}, {GENAI: "", LLAMA: ""}))
    monkeypatch.setattr(modes, "memory_bandwidth", lambda: 1.0)


@pytest.mark.slow
def test_the_command_measures_every_contender(alone, capsys, tmp_path):
    """A bench so small that its figures mean nothing, through all of its parts."""
    out = tmp_path / "results" / "bench.json"
    arguments = ["bench", "--quick", "--dtypes", "float32", "--json", "--out", str(out)]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report == json.loads(out.read_text())
    assert report["missing"] == []
    assert list(report["costs"]) == ["T=0 float32", "T=1 float32"]
    assert [found["temperature"] for found in report["compared"]] == [0.0, 1.0]
    for found in report["compared"]:
        rows = rows_of(report, found["temperature"], "float32", found["text"])
        families = list(dict.fromkeys((row["who"], row["kind"]) for row in rows))
        theirs = [(TRANSFORMERS, kind) for kind in ("plain", "lookup", "model")]
        last = "target_as_draft"
        others = [name for name in TRIED if name != "model"]
        assert families == theirs + [(COURSE, kind) for kind in ("plain", "model", *others, last)]
        models = [row for row in rows if row["predicted_ratio"]]
        assert [(row["kind"], row["gamma"]) for row in models] == [("model", 1), ("model", 2)]
        if found["temperature"] == 0:  # there all lossless rules decide alike
            assert not any(row["verified_by"] for row in rows)
        ours = {row["kind"]: row for row in rows if row["who"] == COURSE}
        assert ours["eagle"]["memory_ratio"] is None
        assert ours["eagle"]["draft_share"] > 0
        assert sum(row["chosen"] for row in rows) == 5 + len(others)
        speed = {row["name"]: row["tokens_per_second"] for row in rows}
        assert found["ratio"] == pytest.approx(speed[found["ours"]] / speed[found["theirs"]])
        largest, median = prediction_errors(rows)
        off = f"off by {median:.0%} (median), {largest:.0%} (largest)"
        assert all(said in bench_page(report) for said in (f"{found['ratio']:.2f}x", off))
    for row in report["rows"]:
        if row["who"] == COURSE:
            shares = row["draft_share"] + row["verify_share"] + row["host_share"]
            assert shares == pytest.approx(1)
            assert row["floor_ratio"] > 1
    plain = read_session().runs["none"].parts["sampled"].tokens_per_second
    assert [r["plain"] for r in report["recorded"]["rows"]][1] == plain
    assert f"T=1: plain {plain:.0f} tok/s" in bench_page(report)
    assert main(arguments) == 2  # what was recorded is kept
    assert "not overwritten" in capsys.readouterr().err


@pytest.mark.slow
def test_the_drafters_that_are_asked_for_are_tried_with_the_models_they_need(alone, capsys):
    asked = [name for name in DRAFTERS if name not in ("none", "target_as_draft", *TRIED)]
    arguments = ["--quick", "--dtypes", "float32", "--temperatures", "1", "--json"]
    assert main(["bench", *arguments, "--drafter", *asked]) == 0
    report = json.loads(capsys.readouterr().out)
    kinds = {row["kind"]: row for row in report["rows"] if row["who"] == COURSE}
    assert set(kinds) == {"plain", "model", "target_as_draft", *asked}
    assert kinds["early-exit"]["tokens_per_round"] >= 1
    assert report["command"].endswith("bench --quick --drafter " + " ".join(asked))


def test_a_pair_of_yours_is_measured_without_what_belongs_to_the_courses(alone, capsys):
    folder = PAIRS["tiny"][1]
    how = ["--quick", "--dtypes", "float32", "--temperatures", "1", "--json"]
    assert main(["bench", *how, "--target", folder, "--draft", folder]) == 0
    report = json.loads(capsys.readouterr().out)
    rows = {row["kind"]: row for row in report["rows"] if row["who"] == COURSE}
    assert set(rows) == {"plain", "target_as_draft", *TRIED} - {"eagle"}
    assert rows["model"]["alpha"] == 1  # the two are one
    assert report["command"].endswith("bench --quick --target draft --draft draft")
    assert main(["bench", *how, "--shape", "qwen3", "--draft", folder]) == 2


@pytest.fixture
def two_settings(alone, monkeypatch):
    """The command, its measurements left out: the third is interrupted by Ctrl-C."""
    turns = count(1)

    def measure(target, draft, competitors, prompts, temperature, dtype, *_):
        if next(turns) > 2:
            raise KeyboardInterrupt
        return Found([], [], COSTS)

    monkeypatch.setattr(modes, "measure", measure)
    return ["bench", "--quick", "--dtypes", "float32", "--temperatures", "0", "0.5"]


def test_ctrl_c_keeps_what_was_measured(two_settings, tmp_path, capsys):
    out = tmp_path / "bench.json"
    assert main([*two_settings, "1", "2", "--out", str(out)]) == 130
    report = json.loads(out.read_text())
    assert list(report["costs"]) == ["T=0 float32", "T=0.5 float32"]
    assert report["missing"] == ["T=1 float32", "T=2 float32"]
    assert "not measured: T=1 float32, T=2 float32" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["bench.json"]


def test_the_page_quotes_the_recorded_run():
    """Where it does not: this table is what it should say."""
    table = as_markdown(recorded_bench())
    assert table in (ROOT / "notebooks" / "how_fast.md").read_text("utf-8"), f"\n{table}"


def test_the_page_says_what_a_cheaper_draft_brings():
    rows = {r["name"]: r for r in rows_of(recorded_bench(), 1.0, "float32", who="course")}
    models = [r for r in rows.values() if r["kind"] == "model"]
    best = (max(some, key=lambda r: r["tokens_per_second"]) for some in (models, rows.values()))
    first, second = (
        (row["name"], f"{row['ratio_vs_autoregressive']:.2f}", f"{row['draft_share']:.0%}")
        for row in best
    )
    said = "`{}` brings {} with {} of the time in the draft's passes, `{}` {} with {}."
    assert said.format(*first, *second) in (ROOT / "notebooks" / "how_fast.md").read_text("utf-8")
    dear, cheap = (  # seconds of drafting a guess, in plain tokens
        row["draft_share"] * row["tokens_per_round"] / row["ratio_vs_autoregressive"] / row["gamma"]
        for row in (rows[first[0]], rows[second[0]])
    )
    assert cheap < dear / 2  # "for less than half the price"


def test_the_recorded_run_is_whole():
    report = recorded_bench()
    assert report["missing"] == []
    assert report["command"] == "python -m workshop bench"
    for found in report["compared"]:
        parts = found["implementation"] * found["speculation_ours"] / found["speculation_theirs"]
        assert found["ratio"] == pytest.approx(parts)
    kinds = {(found["temperature"], found["text"]) for found in report["compared"]}
    assert kinds >= {(0.0, FRESH), (0.0, LOOPING), (1.0, FRESH)}
    for row in report["rows"]:
        assert row["said_before"] > 0.8 if row["text"] == LOOPING else row["said_before"] < 0.4


def test_a_report_in_json_is_flat():
    (found,) = as_json([], [made_up()], {"T=0 float32": COSTS})["compared"]
    assert (found["temperature"], found["dtype"], found["text"]) == (0.0, "float32", FRESH)
    assert (found["ours"], found["theirs"]) == ("model g=1", "hf assisted g=3 p=0 constant")
