"""The numbers and the words of the scene *batch*: those of the rounds, recounted."""

import json
import re

import pytest

from course_utils.lessons.batched_speculation.batch_view import (
    batch_data,
    batch_scene,
    rounds_by_row,
)
from tests.lessons.batched_speculation.test_lanes import PROMPTS, run

WORDS = ["a", "b ", "\n", "<b>", "\u202e", "\x00"]
SLOTS = 3


def decode(tokens):
    return "".join(WORDS[x] for x in tokens)


def shown(seed=0, slots=SLOTS, **settings):
    """(the data, the rounds of each row, the target that counted its passes)"""
    done, target = run(seed, slots, **settings)
    return batch_data(done, decode, PROMPTS, slots), rounds_by_row(done, len(PROMPTS)), target


@pytest.mark.parametrize("slots", [1, 3, 4])
def test_as_many_turns_as_were_taken_or_would_be_and_the_counts_add_up(slots):
    for seed in range(3):
        data, rounds, target = shown(seed, slots)
        static, continuous = data["modes"]
        assert (static["name"], continuous["name"]) == ("static", "continuous")
        many = list(map(len, rounds))
        groups = range(0, len(many), slots)  # each ends with its slowest
        assert len(static["turns"]) == sum(max(many[i : i + slots]) for i in groups)
        assert len(continuous["turns"]) == len(target.passes)
        for mode in data["modes"]:
            last, seen = mode["turns"][-1], []
            assert last["tokens"] == sum(len(r.emitted) for of_row in rounds for r in of_row)
            assert last["idle"] == len(mode["turns"]) * slots - sum(map(len, rounds))
            for turn in mode["turns"]:
                lanes = [tuple(lane) for lane in turn["lanes"] if lane]
                seen += lanes
                now = [rounds[row][k] for row, k in lanes]
                assert turn["new"] == sum(1 + len(r.drafted) for r in now)
            every = [(row, k) for row, of_row in enumerate(rounds) for k in range(len(of_row))]
            assert sorted(seen) == every


def test_every_token_shown_is_one_that_was_emitted_or_drafted():
    """A stop token inside a draft is the end of what is shown."""
    stopped_inside = 0
    for seed in range(6):
        data, rounds, _ = shown(seed)
        for row, of_row, prompt in zip(data["rows"], rounds, PROMPTS, strict=True):
            emitted = [x for r in of_row for x in r.emitted]
            assert ("".join(row["pieces"]), row["prompt"]) == (decode(emitted), decode(prompt))
            text = list(prompt)
            for one, r in zip(row["rounds"], of_row, strict=True):
                assert one["start"] == len(text) - len(prompt)
                kinds = one["guesses"]
                assert len(kinds) == len(r.drafted)
                assert kinds.count("accepted") + bool(one["last"]) == len(r.emitted)
                assert kinds.count("rejected") == ("correction" in r.kinds)
                assert one["ends"] == (r is of_row[-1])
                stopped_inside += one["last"] is None
                text += r.emitted
    assert stopped_inside >= 2


def numbers(text):
    """ "rows 1, 2 and 4" -> {0, 1, 3}; "Row 2" -> {1}"""
    return {int(number) - 1 for number in re.findall(r"\d+", text)}


ROWS = r"[Rr]ows? [\d, ]+(?: and \d+)?"


@pytest.mark.parametrize("slots", [1, 3, 4, 6])
def test_six_steps_at_most_and_whoever_is_named_did_it(slots):
    waited = refilled = 0
    for seed in range(6):
        data, rounds, _ = shown(seed, slots, stop_tokens=(0,) if seed % 2 else ())
        static, continuous = (
            [{lane[0] for lane in turn["lanes"] if lane} for turn in mode["turns"]]
            for mode in data["modes"]
        )
        story = data["story"]
        assert len(story) <= 6
        places = [(step["mode"], step["turns"], step["ended"]) for step in story]
        assert places == sorted({*places})
        assert places[:2] == [(0, 0, False), (0, 1, False)]
        assert {(0, len(static), True), (1, len(continuous), True)} <= {*places}
        for step in story[2:]:
            said, at = step["said"], step["turns"]
            ended = set().union(*map(numbers, re.findall(rf"({ROWS}) ha(?:s|ve) ended", said)))
            if said.startswith("Turn"):
                waited += 1
                assert said.startswith(f"Turn {at}. ")
                assert None in data["modes"][0]["turns"][at - 1]["lanes"]
                assert ended == {*range(slots)} & {*range(len(rounds))} - static[at - 1]
                assert at == max(map(len, rounds[:slots]))
                (slowest,) = re.findall(rf"(?:for|as long as) ({ROWS})\.", said)
                assert numbers(slowest) == static[at - 1]
            elif "ended" in said:
                refilled += 1
                (came,) = re.findall(rf"({ROWS}) takes? the slot", said)
                assert numbers(came) == continuous[at - 1] - continuous[at - 2]
                assert ended <= continuous[at - 2] - continuous[at - 1]
                assert len(ended) == len(numbers(came))
                assert set.union(*continuous[: at - 1]) <= {*range(slots)}
    assert refilled == 6
    assert waited or slots == 1


def test_the_scene_is_json_and_says_what_it_shows():
    done, target = run()
    scene = batch_scene(done, decode, PROMPTS, SLOTS)
    assert scene.scene == "batch"
    assert len(json.dumps(scene.data, allow_nan=False)) < 40_000
    static = len(scene.data["modes"][0]["turns"])
    assert f"a static batch takes {static} turns, and {len(target.passes)} if" in scene.alt


@pytest.mark.parametrize(
    ("settings", "prompts", "words"),
    [
        ({}, PROMPTS[::-1], "not the prompts of that run"),
        ({"slots": 7}, PROMPTS, "more than 6 slots"),
        ({"gamma": 9}, PROMPTS, "8 guesses in a round cannot be read"),
    ],
)
def test_other_prompts_and_what_cannot_be_read_are_refused(settings, prompts, words):
    with pytest.raises(ValueError, match=words):
        batch_data(run(**settings)[0], decode, prompts, settings.get("slots", SLOTS))
