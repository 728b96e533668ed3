"""Rows of a batch against their prompts alone, and the batch zoo, each specimen by name."""

from types import SimpleNamespace

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.qwen3.batched import Batched
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.separately import Separately
from course_utils.proofs.broken_batches import BATCH_BUGS
from course_utils.proofs.rows_alone import (
    ACCEPTED,
    ALWAYS,
    ERROR,
    NEVER,
    PAD,
    SOMETIMES,
    STOP,
    TEXT,
    WORLD,
    BatchDecoder,
    compare_rows,
    differences,
    examine,
    three_worlds,
    unlike_prompts,
)
from tests.conftest import random_qwen3

SAMPLINGS = {"greedy": GREEDY, "sampled": Sampling(), "nucleus": Sampling(0.7, top_p=0.9)}
BUGS = {bug.name: bug for bug in BATCH_BUGS}


@pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS)
@pytest.mark.parametrize("slots", [1, 2, 3, 9, 16])
def test_rows_are_what_they_are_alone(slots, sampling):
    assert examine(BatchDecoder(), sampling, slots=slots) == []


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_the_zoo(bug, record_property):
    """Each is killed; what its entry says of who sees it is so."""
    found = examine(bug.decoder, GREEDY)
    kinds = {finding.what for finding in found}
    text = "bent" if TEXT in kinds else "right"
    seen = "rows alone: " + (", ".join(sorted(kinds)) or "when sampled")
    record_property("specimen", ["batch", bug.name, text, seen])
    if bug.drawn:
        assert not found
        assert examine(bug.decoder, Sampling())
    elif bug.silent:
        assert kinds == {ACCEPTED}
    else:
        assert TEXT in kinds


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_rows_like_one_another_hide_some(bug):
    found = (
        compare_rows(
            *map(Separately, three_worlds(seed)), [prompt] * 4, bug.decoder, slots=3, gamma=4,
            max_new_tokens=24, stop_tokens=(STOP,),
        )
        for seed in range(4)
        for prompt in unlike_prompts(seed)
    )  # fmt: skip
    assert any(found) == (not bug.unlike and not bug.drawn)


def test_a_placeholder_ends_a_qwen3s_run():
    """A table takes -1 for its last token; an embedding does not."""
    model, draft = (Qwen3.from_transformers(random_qwen3(seed=seed)) for seed in (0, 1))
    bug = BUGS["placeholders read as tokens"]
    prompts = [[3, 4, 3, 4], [9, 1], [7] * 9]
    found = compare_rows(
        Batched(model), Batched(draft), prompts, bug.decoder, max_new_tokens=30, gamma=1,
        sampling=Sampling(temperature=3.0),
    )  # fmt: skip
    assert found[0].what == ERROR
    assert "index" in found[0].batch


def test_the_neighbours_are_unlike():
    """Pad and stop ids in prompts; one text accepts all, one accepts nothing; a stop is drafted."""
    target, draft = three_worlds(1)
    prompts = unlike_prompts(1)
    assert {len(prompt) for prompt in prompts} >= {1, 40}
    assert sum(STOP in prompt[:-1] and PAD in prompt[:-1] for prompt in prompts) > 4
    shares, stopped = {ALWAYS: set(), NEVER: set(), SOMETIMES: set()}, False
    for prompt in prompts:
        rounds = list(
            generate(target, prompt, Sampled(draft), max_new_tokens=24, stop_tokens=(STOP,))
        )
        drafted = sum(len(done.drafted) for done in rounds)
        accepted = sum(done.accepted for done in rounds)
        shares[prompt[-1] // WORLD].add(accepted / drafted)
        stopped |= STOP in rounds[-1].drafted and rounds[-1].emitted[-1] == STOP
    assert shares[ALWAYS] == {1}
    assert shares[NEVER] == {0}
    assert any(0 < share < 1 for share in shares[SOMETIMES])
    assert stopped


def test_as_many_acceptances_in_another_order_differ():
    def rounds(*accepted):
        return {0: [SimpleNamespace(emitted=(1,), accepted=count) for count in accepted]}

    (found,) = differences(rounds(2, 0, 1), rounds(2, 1, 0))
    assert (found.what, found.row, found.round) == (ACCEPTED, 0, 1)
    assert differences(rounds(2, 1), rounds(2, 1)) == []
