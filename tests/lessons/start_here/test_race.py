"""The race: two runs on one clock, told truly at every moment."""

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course_utils.classroom.chart import LEFT, RIGHT, WIDTH
from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.start_here.race import FRAMES, message, race, race_chart
from course_utils.lessons.start_here.svg_text import COLUMN, COLUMNS, lines_of, text_svg
from course_utils.lessons.start_here.timeline import BLOCKS, race_view, run_of
from course_utils.models.characters import SENTENCE, CharacterModel

SVG = "{http://www.w3.org/2000/svg}"
TARGET = CharacterModel()
decode = TARGET.alphabet.decode


def sentence(drafter=None, **settings):
    return list(generate(TARGET, [0], drafter, max_new_tokens=18, **settings))


PLAIN = sentence()
DRAFTED = sentence(Sampled(CharacterModel(accuracy=0.7)), gamma=3, seed=19)


def timed(rounds, seconds):
    """The same rounds with a clock of our own."""
    return [replace(r, seconds=s) for r, s in zip(rounds, seconds, strict=True)]


def both(plain=Seconds(0, 0.009, 0.001), drafted=Seconds(0.006, 0.010, 0.002)):
    """Plain decoding: 18 rounds of 10 ms; speculation: 7 rounds of 18 ms."""
    runs = timed(PLAIN, [plain] * len(PLAIN)), timed(DRAFTED, [drafted] * len(DRAFTED))
    return run_of("plain", runs[0], decode), run_of("drafted", runs[1], decode)


def long_run(rounds, emitted, text="x"):
    """A run of any length; what its models said does not matter here."""
    one = Round(
        0, 9, (1,) * (emitted - 1), np.ones((emitted, 2)), None, (0.5,) * emitted,
        Verdict(emitted - 1, 1), (1,) * emitted, 8, 8, Seconds(0.002, 0.01, 0.0005),
    )  # fmt: skip
    return run_of("long", [one] * rounds, lambda tokens: text * len(tokens))


clocks = st.builds(Seconds, *[st.floats(0, 3)] * 3)
runs = st.tuples(
    st.lists(clocks, min_size=18, max_size=18), st.lists(clocks, min_size=7, max_size=7)
)
shares = st.floats(0, 1)


@settings(deadline=None)
@given(runs, shares, shares)
def test_at_every_moment_time_is_accounted_for_and_nothing_is_unwritten(seconds, early, late):
    times = [sum(s.draft + s.verify + s.host for s in run) for run in seconds]
    if not all(times):
        return
    pair = tuple(
        run_of("run", timed(rounds, s), decode)
        for rounds, s in zip((PLAIN, DRAFTED), seconds, strict=True)
    )
    end = race_view(pair, 0).end
    assert end == pytest.approx(1e3 * max(times))
    views = [race_view(pair, end * share) for share in sorted((early, late))]
    for before, after in zip(views[0].tracks, views[1].tracks, strict=True):
        assert before.tokens <= after.tokens
        assert before.calls <= after.calls
    for view in views:
        for track, run in zip(view.tracks, pair, strict=True):
            assert sum(track.spent) == pytest.approx(track.elapsed, abs=1e-6)
            assert track.elapsed == min(view.time, run.ends[-1])
            assert len(track.text) == track.tokens == run.after[track.calls]
            assert all(e <= view.time for e in run.ends[: track.calls])
            assert all(e > view.time for e in run.ends[track.calls :])


@settings(deadline=None)
@given(st.integers(1, 600))
@example(BLOCKS)
def test_blocks_are_few_adjoin_and_keep_every_phase_whole(rounds):
    run = long_run(rounds, 3)
    view = race_view((run, run), 0)
    blocks = view.tracks[0].blocks
    assert len(blocks) <= 3 * (BLOCKS + 1)
    assert view.grouped == (len(blocks) < 3 * rounds)
    assert blocks[0][1] == 0
    assert blocks[-1][2] == pytest.approx(run.ends[-1])
    assert all(a[2] == b[1] for a, b in pairwise(blocks))
    for phase in range(3):
        whole = sum(end - start for p, start, end in blocks if p == phase)
        assert whole == pytest.approx(sum(times[phase] for times in run.rounds))


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (0, "At 0 ms neither has written a token"),
        (10, "At 10 ms plain has written 1 token, drafted 0"),
        (25, "At 25 ms they are level at 2 tokens"),
        (100, "At 100 ms drafted has written 13 tokens, plain 10"),
        (126, "Drafted is done at 126 ms; plain has 12 of 18 tokens"),
        (180, "Drafted is 1.4 times as fast: 126 ms against 180 ms"),
    ],
)
def test_the_title_says_who_is_where(time, said):
    assert message(race_view(both(), time)) == said


def test_a_draft_that_costs_too_much_loses_the_race():
    dear = both(drafted=Seconds(0.03, 0.01, 0))
    assert message(race_view(dear, 180)).startswith("Plain is done at 180 ms; drafted has ")
    assert message(race_view(dear, 999)) == "Plain is 1.6 times as fast: 180 ms against 280 ms"
    even = both(drafted=Seconds(0.0157, 0.01, 0))
    assert message(race_view(even, 999)) == "Neither is faster: 180 ms against 180 ms"


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (1e-2, "1.26 ms against 1.80 ms"),
        (1e-1, "12.6 ms against 18.0 ms"),
        (1e2, "12.6 s against 18.0 s"),
    ],
)
def test_times_are_told_in_a_unit_that_fits(factor, said):
    plain, drafted = Seconds(0, 0.01 * factor, 0), Seconds(0, 0.018 * factor, 0)
    view = race_view(both(plain, drafted), 1e9)
    assert said in message(view)
    assert f"time ({said.split()[1]})" in race_chart(view).svg()


@settings(deadline=None)
@given(shares)
@example(0.0)
@example(1.0)
def test_the_drawing_is_well_formed_and_counts_what_has_been_written(share):
    view = race_view(both(), 180 * share)
    svg = race_chart(view).svg()
    words = [e.text or "" for e in ElementTree.fromstring(svg).iter(SVG + "text")]
    assert not {"nan", "inf"} & set(svg.replace('"', " ").replace("M", " ").split())
    assert words[0] == message(view)
    assert len(words[0]) <= 66
    for track in view.tracks:
        assert str(track.tokens) in words
        calls = f"{track.calls} target call{'s' * (track.calls != 1)} · {track.elapsed:.0f} ms: "
        spent = "{:.0f} drafting, {:.0f} target pass, {:.0f} host".format(*track.spent)
        assert calls + spent in words
    said = "".join(words).replace("accepted", "")
    assert said.count(SENTENCE[0]) == sum(track.tokens > 0 for track in view.tracks)


def test_a_run_of_hundreds_of_rounds_is_a_small_drawing():
    svg = race_chart(race_view((long_run(500, 1), long_run(500, 2, "é\n")), 4000)).svg()
    assert len(svg.encode()) < 60_000
    assert "short neighbouring rounds are drawn as one" in svg
    assert "neighbouring" not in race_chart(race_view(both(), 60)).svg()


def test_every_block_stands_on_the_axis_of_time():
    root = ElementTree.fromstring(race_chart(race_view(both(), 90)).svg())
    paths = [p.get("d") for p in root.iter(SVG + "path") if p.get("fill-opacity") == "1"]
    lefts = [float(part.split()[0]) for d in paths for part in d.split("M")[1:]]
    assert min(lefts) == LEFT
    assert max(lefts) < LEFT + 90 / 180 * (WIDTH - LEFT - RIGHT)


def test_the_same_greedy_text_is_one_race_and_other_texts_are_said_to_differ(pair):
    tokens = pair.encode("def area(radius):\n    return")
    settings = {"sampling": GREEDY, "max_new_tokens": 24}
    plain = list(generate(pair.target, tokens, **settings))
    drafter = Sampled(pair.draft, GREEDY)
    drafted = list(generate(pair.target, tokens, drafter, gamma=4, **settings))
    two = run_of("plain", plain, pair.decode), run_of("drafted", drafted, pair.decode)
    view = race_view(two, 1e9)
    assert view.differ == ""
    assert [track.tokens for track in view.tracks] == [24, 24]
    assert view.tracks[0].calls == 24 > view.tracks[1].calls
    shorter = run_of("short", plain[:20], pair.decode)
    assert "20 tokens, the other 24" in race_view((shorter, two[1]), 0).differ
    assert "24 tokens, the other 20" in race_view((two[1], shorter), 0).differ
    other = (*two[0].tokens[:6], -1, *two[0].tokens[7:])
    view = race_view((replace(two[0], tokens=other), two[1]), 0)
    assert "The texts differ from token 7 on" in view.differ
    assert view.differ in race_chart(view).svg()


def test_text_is_set_in_columns_and_wrapped():
    assert lines_of([("a", "accepted"), ("工\n", "accepted"), ("b", "bonus")]) == [
        [(0, 3, "a工", "accepted")],
        [(0, 1, "b", "bonus")],
    ]
    lines = lines_of([("工" * COLUMNS, "target")])
    assert [line[0][1] for line in lines] == [COLUMNS, COLUMNS]


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(max_size=9), st.sampled_from(["accepted", "bonus", "target"]))))
def test_whatever_a_model_says_is_well_formed_and_stays_in_its_columns(text):
    root = ElementTree.fromstring(f"<svg>{text_svg(text, 0, 0, 5)}</svg>")
    for letters in root.iter("text"):
        right = float(letters.get("x")) + float(letters.get("textLength"))
        assert right <= COLUMN * COLUMNS + 0.2
        assert not set(letters.text) & set(" \t\n\r\x00")


def test_only_the_last_lines_of_a_long_text_are_shown():
    drawn = text_svg([(f"line {i}\n", "accepted") for i in range(9)], 0, 0, 3)
    assert "line\u00a08" in drawn
    assert "line\u00a06" not in drawn
    assert "&lt;b&gt;" in text_svg([("<b>", "bonus")], 0, 0, 1)


def test_the_slider_and_play_move_the_race():
    rounds = timed(PLAIN, [Seconds(0, 0.01, 0)] * 18), timed(DRAFTED, [Seconds(0, 0.018, 0)] * 7)
    card = race(*rounds, decode, names=("plain", "drafted"))
    _, controls, view = card.children
    play, slider = controls.children
    assert "neither has written" in view.value
    two = run_of("plain", rounds[0], decode), run_of("drafted", rounds[1], decode)
    for place in (1, 77, FRAMES):
        slider.value = place
        assert play.value == place
        assert (
            view.value == race_chart(race_view(two, race_view(two, 0).end * (place / FRAMES))).svg()
        )
    assert "Drafted is 1.4 times as fast" in view.value  # to the last token
    play.value = 3
    assert slider.value == 3
    assert slider.description


def test_the_last_place_of_the_slider_is_the_end_to_the_last_bit():
    slow = timed(PLAIN, [Seconds(0, 11 / 7000, 0)] * 18)  # 28.3 ms, and t * 200 / 200 < t
    card = race(slow, timed(DRAFTED, [Seconds(0, 0.001, 0)] * 7), decode)
    card.children[1].children[1].value = FRAMES
    assert "Speculation is 4.0 times as fast" in card.children[2].value


def test_on_paper_stands_the_moment_at_which_the_faster_run_ends():
    rounds = timed(PLAIN, [Seconds(0, 0.01, 0)] * 18), timed(DRAFTED, [Seconds(0, 0.018, 0)] * 7)
    still = race(*rounds, decode).still
    ElementTree.fromstring(still._repr_mimebundle_()["image/svg+xml"])
    assert "Speculation is done at 126 ms; plain decoding has 12 of 18 tokens" in still.svg
    assert "7 target calls · 126 ms: 0 drafting, 126 target pass, 0 host" in still.alt


@pytest.mark.parametrize("rounds", [[], timed(PLAIN, [Seconds(0, 0, 0)] * 18)])
def test_a_run_without_rounds_or_clock_is_refused(rounds):
    with pytest.raises(ValueError, match=r"plain decoding has no recorded time: .*generate"):
        race(rounds, DRAFTED, decode)
