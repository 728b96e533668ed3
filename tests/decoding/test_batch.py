"""The loop over several texts: who is drafted, who leaves, what is refused."""

from itertools import count

import numpy as np
import pytest

from course_utils.decoding import clock
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import NO_DRAFT, Draft, Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.drafters.batch_drafters import BatchSampled, Each
from course_utils.drafters.lengths import AdaptiveLength, Heuristic
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel

PROMPTS = [[1], [2, 3], [0, 0, 1], [3], [2, 2], [1, 1]]


@pytest.fixture
def models(tables):
    return tuple(map(Separately, tables))


def by_row(run):
    rounds = {}
    for row, done in run:
        rounds.setdefault(row, []).append(done)
    return rounds


def same(a, b):
    return all(
        (x.emitted, x.drafted, x.accepted, x.cache_before, x.cache_after, x.stop_reason)
        == (y.emitted, y.drafted, y.accepted, y.cache_before, y.cache_after, y.stop_reason)
        and np.array_equal(x.p, y.p)
        for x, y in zip(a, b, strict=True)
    )


SHORT = TableModel(TableModel.random(4, order=2, seed=1).table, context=6)
WAYS = {  # for all rows, for one alone
    "sampled": (lambda draft: BatchSampled(draft), Sampled),
    "of a short context": (
        lambda draft: BatchSampled(Separately(SHORT)),
        lambda draft: Sampled(SHORT),
    ),
    "one each that learns": (
        lambda draft: Each(lambda: AdaptiveLength(Sampled(draft), Heuristic())),
        lambda draft: AdaptiveLength(Sampled(draft), Heuristic()),
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slots", [1, 2, 5, 50])
def test_a_row_is_its_prompts_solo_run_bit_for_bit(models, slots, way):
    target, draft = models
    together, one = WAYS[way]
    how = dict(seed=5, max_new_tokens=20, rows=True)
    rounds = by_row(generate_batch(target, PROMPTS, together(draft), slots=slots, **how))
    for row, prompt in enumerate(PROMPTS):
        noise = lambda seed, row=row: Noise(seed, row)  # noqa: E731
        assert same(rounds[row], list(generate(target, prompt, one(draft), noise=noise, **how)))


def test_without_a_drafter_it_is_plain_decoding(models):
    rounds = by_row(generate_batch(models[0], PROMPTS, slots=4, max_new_tokens=9))
    assert [len(emitted_tokens(rounds[row])) for row in range(6)] == [9] * 6
    assert {len(done.emitted) for of_row in rounds.values() for done in of_row} == {1}


class CountingPasses(Separately):
    """Counts the common passes, and how many rows each had."""

    def start_batch(self, slots):
        session = super().start_batch(slots)
        extend, self.widths = session.extend, []

        def counted(tokens):
            self.widths.append(len(tokens))
            return extend(tokens)

        session.extend = counted
        return session


def test_who_has_ended_makes_room_at_once(tables):
    """Two slots, six texts of unlike lengths: no slot is empty while a prompt waits."""
    target, draft = CountingPasses(tables[0]), Separately(tables[1])
    run = generate_batch(
        target, PROMPTS, BatchSampled(draft), slots=2, stop_tokens=(0,), max_new_tokens=30, seed=1
    )
    rounds = by_row(run)
    assert len({len(of_row) for of_row in rounds.values()}) > 2
    assert list(rounds) == list(range(6))  # in the order of the prompts
    assert target.widths == sorted(target.widths, reverse=True)
    assert sum(target.widths) == sum(map(len, rounds.values()))


def test_one_pass_of_the_target_a_turn_and_one_of_the_draft_a_guess(tables):
    target, draft = map(CountingPasses, tables)
    run = generate_batch(target, PROMPTS, BatchSampled(draft), slots=6, gamma=3, max_new_tokens=4)
    rounds = by_row(run)
    turns = max(map(len, rounds.values()))
    assert target.widths == [
        sum(len(of_row) > turn for of_row in rounds.values()) for turn in range(turns)
    ]
    assert draft.widths[:3] == [6, 6, 6]
    longest = [
        max(len(of_row[turn].drafted) for of_row in rounds.values() if len(of_row) > turn)
        for turn in range(turns)
    ]
    assert len(draft.widths) == sum(longest)


def test_seconds_are_a_rows_share(models, monkeypatch):
    """On a clock that is a second later each time it is read: thrice a pass, twice a row."""
    target, draft = models
    ticks = count()
    monkeypatch.setattr(clock, "perf_counter", lambda: float(next(ticks)))
    numbered = generate_batch(target, PROMPTS[:4], BatchSampled(draft), max_new_tokens=6)
    seconds = [done.seconds for _, done in numbered]
    assert seconds[:4] == [Seconds(draft=0.25, verify=0.25, host=1.0)] * 4
    passes = (next(ticks) - 2 * len(seconds)) / 3
    assert sum(part.draft for part in seconds) == pytest.approx(passes)
    assert sum(part.verify for part in seconds) == pytest.approx(passes)


class Always:
    def __init__(self, *drafts):
        self.drafts = drafts

    def propose(self, requests):
        return [*self.drafts, *[NO_DRAFT] * (len(requests) - len(self.drafts))]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(prompts=[[1], [], [2]]), "prompt 1: the prompt is empty"),
        (dict(prompts=[[1], [2], [99]]), "prompt 2: the prompt holds token 99"),
        (dict(slots=0), "slots is 0"),
        (dict(gamma=0), "prompt 0: gamma is 0"),
        (dict(target=TableModel.random(4, 1, 0)), "Separately"),
        (dict(drafter=Always(NO_DRAFT, Draft((9,), None))), "prompt 1: .* token 9"),
        (dict(drafter=Always(NO_DRAFT, NO_DRAFT, NO_DRAFT, NO_DRAFT)), "4 drafts for 3 rows"),
        (dict(drafter=Always(Draft((1, 2), None, (-1, -1)))), "prompt 0: .* a batch takes chains"),
    ],
)
def test_what_cannot_be_is_refused(models, change, message):
    arguments = dict(target=models[0], prompts=[[1], [2], [3]], drafter=None) | change
    with pytest.raises(ValueError, match=message):
        list(generate_batch(**arguments))


def test_no_prompts_no_rounds(models):
    assert list(generate_batch(models[0], [])) == []


def test_a_drafter_may_be_used_again(models):
    target, draft = models
    drafter = BatchSampled(draft)
    runs = [
        by_row(generate_batch(target, PROMPTS[:n], drafter, slots=n, max_new_tokens=8, rows=True))
        for n in (2, 6, 2)
    ]
    assert all(same(runs[0][row], runs[2][row]) for row in range(2))
