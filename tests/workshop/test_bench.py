"""The comparison with transformers: is it fair, and does its arithmetic hold?"""

import json
from dataclasses import astuple, replace
from functools import partial
from itertools import count
from math import exp, log
from pathlib import Path

import pytest

from course_utils.decoding.contracts import Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.named import DRAFT, DRAFTERS
from course_utils.engines.sessions import read_session
from course_utils.measuring.costs import Costs, Prediction
from course_utils.measuring.recorded import FRESH, LOOPING, recorded_bench, rows_of
from course_utils.models.pairs import PAIRS
from course_utils.models.prompts import PROMPTS
from workshop.__main__ import main
from workshop.bench import measure as measuring
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
    ENGINES,
    GENAI,
    LLAMA,
    PLAIN,
    TRANSFORMERS,
    TRIED,
    Contender,
    ours,
    settings,
)
from workshop.bench.measure import (
    FULL,
    QUICK,
    Extent,
    Found,
    by_text,
    bytes_read,
    choose,
    reported,
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
from workshop.bench.protocol import Run, Told, _summed_up

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


@pytest.mark.parametrize("extent", [FULL, QUICK])
def test_transformers_has_every_length_and_n_gram_that_the_course_has(extent):
    """The same lookups; for the draft model the same gammas, and more besides."""

    def tried(who, kind, *fields):
        chosen = [c for c in extent.settings if c.family == (who, kind)]
        return {tuple(getattr(c, field) for field in fields) for c in chosen}

    for kind, fields in (("plain", ()), ("lookup", ("gamma", "longest")), ("model", ("gamma",))):
        assert tried(TRANSFORMERS, kind, *fields) == tried(COURSE, kind, *fields)
    assert len(tried(TRANSFORMERS, "model", "gamma", "schedule", "threshold")) > len(extent.gammas)


def test_a_kind_that_is_tried_is_reported_without_more_ado():
    """Under any name: a line of settings and a line of its side's decoder are all it takes."""
    new = [Contender(who, "suffix tree of my own", 4) for who in (TRANSFORMERS, COURSE)]
    tried = [*new, Contender(COURSE, new[1].kind, 8), HF, OURS, ONE, TWO]
    extent = replace(QUICK, settings=tried, gammas=(1, 2))
    found = reported([new[1], TWO, HF, new[0], OURS], extent)
    assert found[:-1] == [new[0], HF, new[1], OURS, ONE, TWO]
    assert new[1].name == "suffix tree of my own g=4"
    ruled = replace(TWO, verified_by="block")
    assert reported([ruled, new[1], HF, new[0], OURS], extent)[-4:-1] == [ONE, TWO, ruled]
    assert ruled.name == "model g=2 block"
    ruled = replace(new[1], verified_by="block")  # its own rule is timed beside it
    assert reported([ruled, TWO, HF, new[0], OURS], extent)[2:4] == [ruled, new[1]]


def test_block_verification_is_tried_where_it_is_another_rule():
    tried = [c.name for c in ours(("model", "lookup", "tree"), (1, 2), (2,), (2,))]
    assert tried[:-1] == ["model g=1", "model g=2", "model g=2 block", "lookup g=2 n=2"]
    assert tried[-1].startswith("tree")


@pytest.mark.parametrize(("temperature", "rules"), [(0.0, {None}), (0.5, {None, "block"})])
def test_rules_are_tried_where_tokens_are_drawn(temperature, rules, monkeypatch):
    class Side:
        def continuing(self, contender, temperature):
            return contender.verified_by

    met = []
    monkeypatch.setattr(measuring, "choose", lambda ready, *_: met.append(ready) or [*ready])
    monkeypatch.setattr(measuring, "interleaved", lambda ready, *_: ready)
    here = Setting(temperature, "float32", FRESH)
    sides = dict.fromkeys((*ENGINES, COURSE), Side())
    measuring._choose_then_time(sides, here, [], [], QUICK)
    assert {contender.verified_by for contender in met[0]} == rules


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


class Clock:
    """Stands still until a contender works."""

    now = 0.0

    def __call__(self):
        return self.now


def test_both_sides_choose_on_the_same_passages(monkeypatch):
    """Every setting of either side meets the first; the faster half of each family the next."""
    clock, met = Clock(), {}
    monkeypatch.setattr("course_utils.decoding.clock.perf_counter", clock)
    tried = settings(gammas=(1, 2), copied=(1, 2, 4), longest=(2,), thresholds=(0.0,))
    tried = [c for c in tried if c.who in (TRANSFORMERS, COURSE)]
    stretch = [Passage((i,), 20 + i) for i in range(9)]

    def slower_by_gamma(contender):
        def go_on(number, passage):
            clock.now += passage.new_tokens * (contender.gamma or 9)
            met.setdefault(contender, []).append(passage)
            return Told(range(passage.new_tokens))

        return go_on

    chosen = choose({c: slower_by_gamma(c) for c in tried}, stretch, (1, 2, 4))
    assert {c.family for c in chosen} == {c.family for c in tried}
    assert [c.gamma for c in chosen] == [1] * (len(chosen) - 2) + [None] * 2  # fastest first
    measured = {c: [p for p in found if p.new_tokens >= 20] for c, found in met.items()}
    assert all(measured[c] == stretch[:7] for c in chosen)
    lost = {c: len(found) for c, found in measured.items() if c not in chosen}
    for kind in ("lookup", "model"):
        theirs, ours = (
            [n for c, n in lost.items() if c.family == (who, kind)]
            for who in (TRANSFORMERS, COURSE)
        )
        assert set(ours) <= set(theirs) <= {1, 3}


@pytest.mark.parametrize(
    ("first", "second", "best"), [((1, 8), (2, 2), TWO), ((1, 3), (2, 2), ONE)]
)
def test_what_is_chosen_is_the_best_over_all_its_passages(first, second, best, monkeypatch):
    """Neither the first passage decides nor the last; a third is already out after the first."""
    clock = Clock()
    monkeypatch.setattr("course_utils.decoding.clock.perf_counter", clock)
    seconds = {ONE: first, TWO: second, Contender(COURSE, "model", 3): (9, 1)}

    def paced(contender):
        return lambda number, passage: _told(clock, seconds[contender][passage.prompt[0]], passage)

    stretch = [Passage((0,), 10), Passage((1,), 10)]
    assert choose({c: paced(c) for c in seconds}, stretch, (1, 1)) == [best]


def _told(clock, seconds, passage):
    clock.now += seconds
    return Told(range(passage.new_tokens))


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


def test_a_text_that_only_once_repeats_itself_is_left_whole():
    text = [*range(20), *range(20), *range(30, 90)]
    assert loop_start([], text) == len(text)
    assert passages([5], text, most=50) == [Passage((5,), 50, FRESH)]


def test_a_few_words_before_a_loop_are_not_worth_a_clock():
    prompt = list(range(40))
    assert [p.text for p in passages(prompt, [99, 98, *prompt, *prompt], most=99)] == [LOOPING]


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


def test_the_rule_of_a_contender_decides(pair, monkeypatch):
    monkeypatch.setattr("workshop.bench.ours.generate", partial(generate, rows=True))
    ours, passage = Ours(pair.target, pair.draft), Passage((1, 6, 8, 2, 6, 7, 1, 6), 40)

    def judged_by(rule):
        told = ours.continuing(Contender(COURSE, "model", 3, verified_by=rule), 1.0)(0, passage)
        return [
            found.name
            for found in (TOKEN_WISE, BLOCK)
            if all(
                r.verdict == found.judge(r.p, r.q, r.drafted, r.uniforms, r.parents)
                for r in told.rounds
            )
        ]

    assert judged_by(None) == ["token-wise"]
    assert judged_by("block") == ["block"]


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


def test_a_file_that_appears_while_the_bench_runs_is_left_alone(
    two_settings, tmp_path, capsys, monkeypatch
):
    out = tmp_path / "bench.json"
    monkeypatch.setattr(modes, "memory_bandwidth", lambda: out.write_text("mine") and 1.0)
    assert main([*two_settings, "--out", str(out)]) == 2
    assert "not overwritten" in capsys.readouterr().err
    assert out.read_text() == "mine"


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
