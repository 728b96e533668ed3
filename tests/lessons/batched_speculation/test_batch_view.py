"""The numbers and the sentences of the scene *batch*, recounted from the rounds."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.decoding.batch import generate_batch
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.lessons.batched_speculation.batch_view import (
    batch_data,
    continuous_lanes,
    rounds_by_row,
    static_lanes,
)
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel

PROMPTS = [[1], [2, 3], [4, 4, 1], [3], [2, 2], [1, 1], [4]]
SETTINGS = {"gamma": 4, "max_new_tokens": 26, "stop_tokens": (0,)}
WORDS = ["a", "b ", "\n", "<b>", "\u202e", "\x00"]
SLOTS = 3


def decode(tokens):
    return "".join(WORDS[x] for x in tokens)


class Passes(Separately):
    """A batch model that records the slots of each pass."""

    def start_batch(self, slots):
        session = super().start_batch(slots)
        extend, self.passes = session.extend, []
        session.extend = lambda tokens: self.passes.append(set(tokens)) or extend(tokens)
        return session


def run(seed=0, slots=SLOTS, **settings):
    """Return all rounds, and the target with its recorded passes."""
    target, draft = (TableModel.random(6, 1, seed=1000 * i + seed) for i in (1, 2))
    mixed = 0.7 * target.table + 0.3 * draft.table  # close enough that whole drafts are accepted
    target, drafter = Passes(target), BatchSampled(Separately(TableModel(mixed)))
    settings = {"slots": slots, "seed": seed, **SETTINGS, **settings}
    return list(generate_batch(target, PROMPTS, drafter, **settings)), target


def scene_of_run(seed=0, slots=SLOTS, **settings):
    """Return the data, the rounds of each row, and the target with its recorded passes."""
    done, target = run(seed, slots, **settings)
    return batch_data(done, decode, PROMPTS, slots), rounds_by_row(done, len(PROMPTS)), target


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 6))
def test_lanes_have_the_turns_of_theory_and_a_row_stays_in_one_slot(rounds, slots):
    static, continuous = static_lanes(rounds, slots), continuous_lanes(rounds, slots)
    groups = range(0, len(rounds), slots)  # each ends with its slowest
    assert len(static) == sum(max(rounds[i : i + slots]) for i in groups)
    free = [0] * slots  # the turn from which each slot is
    for needed in rounds:
        free[free.index(min(free))] += needed
    assert len(continuous) == max(free)
    for plan in (static, continuous):
        for row, count in enumerate(rounds):
            places = [(t, turn.index(row)) for t, turn in enumerate(plan) if row in turn]
            begin, slot = places[0]
            assert places == [(t, slot) for t in range(begin, begin + count)]


@pytest.mark.parametrize("slots", [1, 4])
def test_the_turns_are_the_targets_passes_and_the_counts_add_up(slots):
    data, rounds, target = scene_of_run(1, slots)
    assert len(data["modes"][1]["turns"]) == len(target.passes)
    for mode in data["modes"]:
        last, all_lanes = mode["turns"][-1], []
        assert last["tokens"] == sum(len(r.emitted) for of_row in rounds for r in of_row)
        assert last["idle"] == len(mode["turns"]) * slots - sum(map(len, rounds))
        for turn in mode["turns"]:
            lanes = [tuple(lane) for lane in turn["lanes"] if lane]
            all_lanes += lanes
            assert turn["new"] == sum(1 + len(rounds[row][k].drafted) for row, k in lanes)
        every = [(row, k) for row, of_row in enumerate(rounds) for k in range(len(of_row))]
        assert sorted(all_lanes) == every


def test_the_scene_shows_exactly_the_emitted_and_drafted_tokens():
    """A stop token inside a draft ends the drawing."""
    stopped_inside = 0
    for seed in range(6):
        data, rounds, _ = scene_of_run(seed)
        for row, of_row, prompt in zip(data["rows"], rounds, PROMPTS, strict=True):
            emitted = [x for r in of_row for x in r.emitted]
            assert ("".join(row["pieces"]), row["prompt"]) == (decode(emitted), decode(prompt))
            written = 0
            for one, r in zip(row["rounds"], of_row, strict=True):
                assert (one["start"], one["ends"]) == (written, r is of_row[-1])
                written += len(r.emitted)
                kinds = one["guesses"]
                assert len(kinds) == len(r.drafted)
                assert kinds.count("accepted") + bool(one["last"]) == len(r.emitted)
                assert kinds.count("rejected") == ("correction" in r.kinds)
                stopped_inside += one["last"] is None
    assert stopped_inside >= 2


ROWS = r"[Rr]ows? ([\d, ]+(?: and \d+)?)"


@pytest.mark.parametrize("seed", [0, 3])
def test_the_rows_that_the_story_names_wait_and_take_slots(seed):
    data, _, _ = scene_of_run(seed)
    static, continuous = (
        [{lane[0] for lane in turn["lanes"] if lane} for turn in mode["turns"]]
        for mode in data["modes"]
    )

    def rows(pattern, sentence):
        return {int(n) - 1 for n in re.findall(r"\d+", re.search(pattern, sentence)[1])}

    waits = next(step for step in data["story"] if step["said"].startswith("Turn"))
    assert rows(f"(?:for|as long as) {ROWS}\\.", waits["said"]) == static[waits["turns"] - 1]
    refill = next(step for step in data["story"] if "the slot" in step["said"])
    now, before = continuous[refill["turns"] - 1], continuous[refill["turns"] - 2]
    assert rows(f"{ROWS} takes? the slot", refill["said"]) == now - before
    assert rows(f"{ROWS} ha(?:s|ve) ended", refill["said"]) <= before - now


@pytest.mark.parametrize(
    ("settings", "prompts", "words"),
    [
        ({}, PROMPTS[::-1], "not the prompts of that run"),
        ({"slots": 7}, PROMPTS, "more than 6 slots"),
        ({"gamma": 9}, PROMPTS, "8 guesses in a round are not readable"),
    ],
)
def test_other_prompts_and_unreadable_sizes_are_refused(settings, prompts, words):
    with pytest.raises(ValueError, match=words):
        batch_data(run(**settings)[0], decode, prompts, settings.get("slots", SLOTS))


def test_an_incomplete_run_is_refused():
    with pytest.raises(ValueError, match="has not ended"):
        rounds_by_row(run()[0][:-1], len(PROMPTS))
