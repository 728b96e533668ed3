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
