"""The story of a batch: nothing is said too early, and its drawings count what Python counted."""

import pytest

from course_utils.classroom.scene import as_json
from tests.lessons.batched_speculation.test_batch_view import shown
from tests.stage.node import called

PLAN = "parts/batch/plan.mjs"


@pytest.fixture(scope="module")
def data():
    return [as_json(shown(seed, slots)[0]) for seed, slots in ((0, 3), (1, 2), (2, 4))]


def test_the_turns_between_two_steps_pass_by_and_no_count_comes_before_its_last_turn(data):
    for one in data:
        passing = called(PLAN, "between", [[one, at] for at in range(len(one["story"]))])
        for mode, of in enumerate(one["modes"]):
            seen = [n for step, turns in zip(one["story"], passing, strict=True)
                    if step["mode"] == mode for n in turns]  # fmt: skip
            assert seen == [*range(len(of["turns"]) + 1)]
        for step, turns in zip(one["story"], passing, strict=True):
            assert not turns or turns[-1] == step["turns"]
            *earlier, last = called(PLAN, "known", [*([step, n] for n in turns), [step]])
            assert last["ended"] == step["ended"]
            assert last["totals"] == step["mode"] + step["ended"]
            assert not any(now["ended"] for now in earlier if now["shown"] < step["turns"])


@pytest.mark.parametrize(
    ("name", "more"), [("waiting", []), ("sums", []), ("stretches", [0]), ("stretches", [1])]
)
def test_what_is_drawn_needs_no_turn_that_is_not_yet_seen(data, name, more):
    """The same of a batch that ends where the reader is."""
    whole, part = [], []
    for one in data:
        for mode, of in enumerate(one["modes"]):
            for seen in range(len(of["turns"]) + 1):
                modes = [*one["modes"]]
                modes[mode] = {**of, "turns": of["turns"][:seen]}
                whole.append([one, mode, *more, seen])
                part.append([{**one, "modes": modes}, mode, *more, seen])
    assert called(PLAN, name, whole) == called(PLAN, name, part)


def test_lanes_and_counts_are_those_of_the_turns(data):
    for one in data:
        for mode in (0, 1):
            turns = one["modes"][mode]["turns"]
            lanes = called(
                PLAN, "stretches", [[one, mode, i, len(turns)] for i in range(one["slots"])]
            )
            idle, tokens = 0, 0
            for slot, pieces in enumerate(lanes):
                assert [p["from"] for p in pieces] == [0, *(p["to"] for p in pieces[:-1])]
                for piece in pieces:
                    held = [turn["lanes"][slot] for turn in turns[piece["from"] : piece["to"]]]
                    assert {lane and lane[0] for lane in held} == {piece["row"]}
                    if piece["row"] is None:
                        idle += len(held)
                    else:
                        row = one["rows"][piece["row"]]
                        assert piece["ended"]
                        assert piece["tokens"] == len(row["pieces"])
                        tokens += piece["tokens"]
            (sums,) = called(PLAN, "sums", [[one, mode, len(turns)]])
            assert sums == {"places": one["slots"] * len(turns), "idle": idle, "tokens": tokens}
            queue = called(PLAN, "waiting", [[one, mode, n] for n in range(len(turns) + 1)])
            assert queue[0] == list(range(len(one["rows"])))
            assert queue[-1] == []


def test_a_pile_has_what_stays_below_what_goes(data):
    gone = ("rejected", "lost")
    for one in data:
        rounds = [r for row in one["rows"] for r in row["rounds"]]
        piles = called(PLAN, "blocks", [[r] for r in rounds])
        added = called(PLAN, "emitted", [[r] for r in rounds])
        for r, pile, many in zip(rounds, piles, added, strict=True):
            every = [kind for _, kind in r["guesses"]] + ([r["last"][1]] if r["last"] else [])
            assert sorted(pile) == sorted(every)
            stays = [kind not in gone for kind in pile]
            assert stays == [True] * many + [False] * (len(pile) - many)


def test_a_turn_in_words(data):
    one = data[0]
    cases, expected = [], []
    for mode in (0, 1):
        for t, turn in enumerate(one["modes"][mode]["turns"]):
            for slot, lane in enumerate(turn["lanes"]):
                cases.append([one, mode, slot, t])
                if lane is None:
                    expected.append(f"Slot {slot + 1}, turn {t + 1}: idle.")
                    continue
                row = one["rows"][lane[0]]
                r = row["rounds"][lane[1]]
                accepted = sum(kind == "accepted" for _, kind in r["guesses"])
                so_far = r["start"] + accepted + bool(r["last"])
                expected.append((
                    f"Row {lane[0] + 1}, turn {t + 1}: ",
                    f"{accepted} of {len(r['guesses'])} accepted" if r["guesses"] else "nothing",
                    f"{so_far} token{'s' * (so_far != 1)} so far",
                ))  # fmt: skip
    for words, want in zip(called(PLAN, "told", cases), expected, strict=True):
        assert words == want if isinstance(want, str) else all(part in words for part in want)
        assert "undefined" not in words


def test_the_text_of_a_pass_ends_where_the_pass_begins_to_read(data):
    for one in data:
        cases = [[row, r, ""] for row in one["rows"] for r in row["rounds"]]
        for (row, r, _), text in zip(cases, called(PLAN, "before", cases), strict=True):
            assert text + r["reads"] == row["prompt"] + "".join(row["pieces"][: r["start"]])
    row = {"prompt": "the dog", "pieces": ["lay", "down", ".", "And"]}
    (text,) = called(PLAN, "before", [[row, {"start": 3, "reads": "."}, " "]])
    assert text == "the dog lay down"
