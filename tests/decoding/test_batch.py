"""The loop over several texts: drafting, finished rows, errors."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import NO_DRAFT, Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.noise import Noise
from course_utils.drafters.batch_drafters import BatchSampled, Each
from course_utils.drafters.lengths import AdaptiveLength, Heuristic
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import Separately, TableModel

PROMPTS = [[1], [2, 3], [0, 0, 1], [3], [2, 2], [1, 1]]


@pytest.fixture
def models(tables):
    return tuple(map(Separately, tables))


def by_row(run):
    rounds = {}
    for row, done in run:
        rounds.setdefault(row, []).append(done)
    return rounds


def content(rounds):
    """Return the rounds without their seconds, but with their rows."""
    return [replace(r, seconds=None) for r in rounds]


SHORT = TableModel(TableModel.random(4, order=2, seed=1).table, context=6)
WAYS = {  # for all rows, for one alone
    "no drafter": (lambda draft: None, lambda draft: None),
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
@pytest.mark.parametrize("slots", [1, 2, 50])
def test_a_row_is_its_prompts_solo_run_bit_for_bit(models, slots, way):
    target, draft = models
    together, one = WAYS[way]
    how = dict(seed=5, max_new_tokens=20, rows=True, stop_tokens=(0,))
    drafter = together(draft)
    if isinstance(drafter, BatchSampled):  # it is reusable
        list(generate_batch(target, PROMPTS[:2], drafter, **how))
    rounds = by_row(generate_batch(target, PROMPTS, drafter, slots=slots, **how))
    for row, prompt in enumerate(PROMPTS):
        noise = lambda seed, row=row: Noise(seed, row)  # noqa: E731
        alone = generate(target, prompt, one(draft), noise=noise, **how)
        assert content(rounds[row]) == content(alone)
    assert content(rounds[0])[0] not in (*content(rounds[0])[1:], *content(rounds[1]))


def test_a_finished_row_frees_its_slot_at_once(models, monkeypatch):
    """Two slots, six texts of different lengths: no slot is empty while a prompt waits."""
    target, widths = models[0], []  # the number of rows in each shared pass
    session = target.start_batch(2)
    extend = session.extend
    session.extend = lambda tokens: widths.append(len(tokens)) or extend(tokens)
    monkeypatch.setattr(target, "start_batch", lambda slots: session)
    how = dict(slots=2, stop_tokens=(0,), max_new_tokens=30, seed=1)
    rounds = by_row(generate_batch(target, PROMPTS, BatchSampled(models[1]), **how))
    assert len({len(of_row) for of_row in rounds.values()}) > 2
    assert list(rounds) == list(range(6))  # in the order of the prompts
    assert widths == sorted(widths, reverse=True)
    assert sum(widths) == sum(map(len, rounds.values()))


def always(*drafts):
    def propose(requests):
        return [*drafts, *[NO_DRAFT] * (len(requests) - len(drafts))]

    return SimpleNamespace(propose=propose)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(prompts=[[1], [], [2]]), "prompt 1"),
        (dict(prompts=[[1], [2], [99]]), "prompt 2.*99"),
        (dict(gamma=0), "gamma"),
        (dict(drafter=always(NO_DRAFT, Draft((9,), None))), "prompt 1: .* token 9"),
        (dict(drafter=always(*[NO_DRAFT] * 4)), "4 drafts"),
        (dict(drafter=always(Draft((1, 2), None, (-1, -1)))), "tree"),
    ],
)
def test_invalid_arguments_of_a_batch_are_refused(models, change, message):
    arguments = dict(target=models[0], prompts=[[1], [2], [3]], drafter=None) | change
    with pytest.raises(ValueError, match=message):
        list(generate_batch(**arguments))


def test_rows_without_room_for_a_guess_are_not_drafted_for(models):
    gammas = []

    def propose(requests):
        gammas.extend(request.gamma for request in requests)
        return [NO_DRAFT] * len(requests)

    list(generate_batch(models[0], [[1], [2]], SimpleNamespace(propose=propose), max_new_tokens=3))
    assert {*gammas} == {1, 2}
