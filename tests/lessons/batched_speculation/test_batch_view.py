"""The numbers and the words of the scene *batch*: those of the rounds, recounted."""

import json
import re

import pytest

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.batch_theory import static_turns
from course_utils.lessons.batched_speculation import batch_view
from course_utils.lessons.batched_speculation.batch_view import batch_data, batch_scene
from course_utils.lessons.batched_speculation.lanes import rounds_by_row
from course_utils.models.separately import Separately
from course_utils.models.tables import TableModel
from tests.lessons.batched_speculation.test_lanes import PROMPTS, run

WORDS = ["a", "b ", "\n", "<b>", "\u202e", "\x00"]
SLOTS = 3


def decode(tokens):
    return "".join(WORDS[x] for x in tokens)


def shown(seed=0, slots=SLOTS, **settings):
    """(the data, the rounds of each row, the target that counted its passes)"""
    done, target = run(seed, slots, **settings)
    return batch_data(done, decode, PROMPTS, slots), rounds_by_row(done, slots), target


@pytest.mark.parametrize("slots", [1, 3, 4])
def test_as_many_turns_as_were_taken_or_would_be_and_the_counts_add_up(slots):
    for seed in range(3):
        data, rounds, target = shown(seed, slots)
        static, continuous = data["modes"]
        assert (static["name"], continuous["name"]) == ("static", "continuous")
        assert len(static["turns"]) == static_turns(list(map(len, rounds)), slots)
        assert len(continuous["turns"]) == len(target.passes)
        for mode in data["modes"]:
            assert len(mode["said"]) == len(mode["turns"]) + 2
            last, seen = mode["turns"][-1], []
            assert last["tokens"] == sum(len(r.emitted) for of_row in rounds for r in of_row)
            assert last["idle"] == len(mode["turns"]) * slots - sum(map(len, rounds))
            for turn in mode["turns"]:
                lanes = [tuple(lane) for lane in turn["lanes"] if lane]
                seen += lanes
                now = [rounds[row][k] for row, k in lanes]
                assert turn["new"] == sum(1 + len(r.drafted) for r in now)
                held = [r.cache_before + 1 + len(r.drafted) for r in now]
                assert turn["filled"] == sum(held)
                assert turn["rectangle"] == len(held) * max(held)
                assert [length for length in turn["lengths"] if length] == held
            every = [(row, k) for row, of_row in enumerate(rounds) for k in range(len(of_row))]
            assert sorted(seen) == every


def test_every_token_shown_is_one_that_was_emitted_or_drafted():
    """A stop token inside a draft is the end of what is shown."""
    stopped_inside = 0
    for seed in range(6):
        data, rounds, _ = shown(seed)
        for row, of_row, prompt in zip(data["rows"], rounds, PROMPTS, strict=True):
            emitted = [x for r in of_row for x in r.emitted]
            assert "".join(row["pieces"]) == decode(emitted)
            assert row["prompt"] == decode(prompt)
            text = list(prompt)
            for one, r in zip(row["rounds"], of_row, strict=True):
                assert one["reads"] == WORDS[text[-1]]
                assert one["start"] == len(text) - len(prompt)
                assert [guess for guess, _ in one["guesses"]] == [WORDS[x] for x in r.drafted]
                said = [guess for guess, kind in one["guesses"] if kind == "accepted"]
                said += [one["last"][0]] if one["last"] else []
                assert said == [WORDS[x] for x in r.emitted]
                kinds = [kind for _, kind in one["guesses"]]
                assert kinds.count("rejected") == ("correction" in r.kinds)
                assert kinds == sorted(kinds, key=["accepted", "rejected", "lost"].index)
                text += r.emitted
            assert [one["ends"] for one in row["rounds"]] == [False] * (len(of_row) - 1) + [True]
            if of_row[-1].accepted == len(of_row[-1].emitted):
                stopped_inside += 1
                assert row["rounds"][-1]["last"] is None
                assert {kind for _, kind in row["rounds"][-1]["guesses"]} <= {"accepted", "lost"}
    assert stopped_inside >= 2


def numbers(text):
    """ "rows 1, 2 and 4" -> {0, 1, 3}; "rows 2 to 4" -> {1, 2, 3}"""
    if span := re.fullmatch(r"[Rr]ows (\d+) to (\d+)", text):
        return set(range(int(span[1]) - 1, int(span[2])))
    return {int(number) - 1 for number in re.findall(r"\d+", text)}


ROWS = r"[Rr]ows? [\d, ]+(?:(?: and | to )\d+)?"
CLAIMS = {
    rf"({ROWS}) accepted all": lambda r: r.kinds[-1] == "bonus",
    rf"({ROWS}) accepted none": lambda r: bool(r.drafted) and not r.accepted,
    rf"({ROWS}) gets? a token": lambda r: not r.drafted,
    rf"({ROWS}) ha(?:s|ve) ended": lambda r: r.stop_reason is not None,
}


@pytest.mark.parametrize("slots", [1, 3, 4])
def test_the_sentences_are_true(slots):
    """Whoever is named did it, and whoever did it is named."""
    checked = dict.fromkeys(CLAIMS, 0)
    for seed in range(4):
        data, rounds, _ = shown(seed, slots, stop_tokens=(0,) if seed % 2 else ())
        for mode in data["modes"]:
            begun = set()
            for number, (turn, said) in enumerate(
                zip(mode["turns"], mode["said"][1:], strict=False), start=1
            ):
                assert said.startswith(f"Turn {number}. ")
                said = said.removeprefix(f"Turn {number}. ")
                now = {lane[0]: rounds[lane[0]][lane[1]] for lane in turn["lanes"] if lane}
                for claim, holds in CLAIMS.items():
                    named = set().union(*map(numbers, re.findall(claim, said)))
                    assert named == {row for row, r in now.items() if holds(r)}, (claim, said)
                    checked[claim] += len(named)
                came = set().union(*map(numbers, re.findall(rf"({ROWS}) (?:take|begin)", said)))
                assert came == (set(now) - begun if number > 1 else set())
                begun |= set(now)
                for rows, accepted in re.findall(
                    rf"({ROWS}) accepted (\d[\d, and]*(?: each)?)[;.]", said
                ):
                    counts = [int(one) for one in re.findall(r"\d+", accepted)]
                    some = sorted(numbers(rows))
                    counts = counts * len(some) if "each" in accepted else counts
                    assert counts == [now[row].accepted for row in some]
    assert all(many >= 3 for many in checked.values())


def test_what_stays_idle_is_said_where_it_is_so():
    for seed in range(5):
        data, _, _ = shown(seed)
        for mode in data["modes"]:
            pairs = zip(mode["turns"], mode["turns"][1:], mode["said"][1:], strict=False)
            for turn, after, said in pairs:
                ended = [i for i, lane in enumerate(turn["lanes"]) if lane and
                         data["rows"][lane[0]]["rounds"][lane[1]]["ends"]]  # fmt: skip
                if mode["name"] == "static" and len(ended) == SLOTS - turn["lanes"].count(None):
                    continue  # the group is done, and the next one begins
                stays = any(after["lanes"][i] is None for i in ended)
                assert ("idle." in said) == stays, said


def test_the_totals_are_said():
    data, _, _ = shown(1)
    static, continuous = data["modes"]
    turns, idle = len(static["turns"]), static["turns"][-1]["idle"]
    share = round(100 * idle / (turns * SLOTS))
    assert static["said"][0].startswith("7 prompts, 3 slots.")
    assert static["said"][-1] == (
        f"A static batch: {turns} turns of 3 slots, "
        f"{idle} of {turns * SLOTS} slot-turns idle ({share} %)."
    )
    assert f"Continuous: {len(continuous['turns'])} turns" in continuous["said"][-1]
    assert f"Static: {turns} turns, {share} % idle" in continuous["said"][-1]


def test_without_a_drafter_every_token_is_the_targets():
    target = Separately(TableModel.random(6, 1, seed=4))
    done = list(generate_batch(target, PROMPTS, slots=SLOTS, max_new_tokens=5, stop_tokens=(0,)))
    data = batch_data(done, decode, PROMPTS, SLOTS)
    assert data["guesses"] == 0
    assert {one["last"][1] for row in data["rows"] for one in row["rounds"]} == {"target"}
    assert "get a token each without a draft" in data["modes"][0]["said"][1]


def test_the_scene_is_json_and_says_what_it_shows():
    done, target = run()
    scene = batch_scene(done, decode, PROMPTS, SLOTS)
    assert scene.name == "batch"
    assert len(json.dumps(scene.data, allow_nan=False)) < 40_000
    static = len(scene.data["modes"][0]["turns"])
    assert f"a static batch takes {static} turns, and {len(target.passes)} if" in scene.alt


def test_other_prompts_and_what_cannot_be_read_are_refused(monkeypatch):
    done, _ = run()
    monkeypatch.setattr(batch_view, "MOST_TURNS", 3)
    for rounds, prompts, slots, words in (
        (done, PROMPTS[::-1], SLOTS, "not the prompts of that run"),
        (done, PROMPTS, 2, "give the `slots`"),
        (run(slots=7)[0], PROMPTS, 7, "7 slots and at most 6 can be read"),
        (done, PROMPTS, SLOTS, "turns, as a static batch"),
    ):
        with pytest.raises(ValueError, match=words):
            batch_data(rounds, decode, prompts, slots)
    monkeypatch.undo()
    with pytest.raises(ValueError, match="9 guesses in a round"):
        batch_data(run(gamma=9)[0], decode, PROMPTS, SLOTS)
