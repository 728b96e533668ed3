"""An old text as the draft is exact on every old text; each way to get it wrong is not."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding import Sampling, emitted_tokens, generate
from course_utils.drafters.rollout import Rollout
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.broken_drafters import rows_of
from course_utils.proofs.broken_rollouts import epochs, rollout_bugs, rollout_exam
from course_utils.proofs.decoders import CORRECT

EXAM = rollout_exam()


@pytest.mark.parametrize(
    "each",
    [EXAM, rollout_exam(1), rollout_exam(2, sampling=Sampling(0.7, top_k=2)),
     replace(EXAM, gamma=2), replace(EXAM, stop_tokens=(1,))],
    ids=["whole", "another", "filtered", "shorter", "with a stop"],
)  # fmt: skip
def test_the_text_is_todays_policys(each):
    assert each.distance(epochs(Rollout)) < 1e-12


class InParts(Rollout):
    """No more than two tokens at once, of a text that its stop token ended."""

    def __init__(self, prompt, tokens, q):
        end = (*tokens, 1).index(1) + 1
        super().__init__(prompt, tokens[:end], q[:end])

    def propose(self, tokens, gamma, noise):
        return super().propose(tokens, min(gamma, 2), noise)


def test_a_text_that_ended_early_may_be_guessed_in_parts():
    assert replace(EXAM, stop_tokens=(1,)).distance(epochs(InParts)) < 1e-12


@pytest.mark.parametrize("bug", rollout_bugs(EXAM), ids=lambda bug: bug.name)
def test_a_mutant_is_killed_by_enumeration(bug, record_property):
    distance = EXAM.distance(bug.decoder)
    record_property("specimen", ["rollout", bug.name, "bent", f"enumeration, TV {distance:.1e}"])
    assert distance > 1e-3


def test_an_unchanged_policy_takes_its_own_text_in_one_pass():
    model = RowPerText(5, seed=3)
    old = list(generate(model, [1, 2], max_new_tokens=12, seed=1, rows=True))
    (only,) = generate(model, [1, 2], Rollout.of(old), gamma=12, max_new_tokens=12, seed=2)
    assert only.emitted[:-1] == tuple(emitted_tokens(old)[:-1])  # the last one is a bonus


def test_a_speculative_run_leaves_the_targets_rows():
    """Emitted tokens follow them, whoever guessed them."""
    old = Rollout.of(EXAM.rounds(CORRECT, length=9))
    assert (old.q == rows_of(EXAM.target, EXAM.prompt, old.tokens, EXAM.sampling)).all()


def test_it_says_what_it_cannot_be_made_of():
    with pytest.raises(ValueError, match="each token needs its own"):
        Rollout(2, (1, 2), np.ones((1, 3)) / 3)
    with pytest.raises(ValueError, match="of one round at least"):
        Rollout.of([])
