"""What was done on each kind of text is counted, and every drafter of the elective is lossless."""

import pytest

from course_utils.decoding.sampling import Sampling
from course_utils.lessons.choosing_a_drafter import workloads
from course_utils.lessons.choosing_a_drafter.checks import WHOLE, Asking, who_guesses
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import Decoder

MAKES = workloads.DRAFTERS | {
    "lookup, else model": lambda model, sampling, c: Asking(who_guesses, model, sampling)
}


@pytest.mark.parametrize("name", MAKES)
def test_every_drafter_writes_the_targets_text(name):
    decoder = Decoder(drafter=lambda model, sampling: MAKES[name](model, sampling, 0.5))
    assert WHOLE.distance(decoder) < 1e-12


def test_passes_are_counted_and_plain_decoding_would_have_speedup_one():
    target, draft = (TableModel.random(4, order=2, seed=s) for s in (0, 1))
    texts = {"a": [0, 1, 2], "b": [3, 3]}
    runs = [
        workloads.compared((target, draft), texts, MAKES, Sampling(), 12, 0.5, s) for s in (0, 1)
    ]
    done = workloads.together(runs)
    assert done["lookup"]["a"].draft_passes == 0
    assert {d.tokens for kinds in done.values() for d in kinds.values()} == {24}
    assert done["model"]["a"].draft_passes > done["lookup, else model"]["a"].draft_passes
    passes = [run["model"]["a"].target_passes for run in runs]
    assert passes[0] != passes[1]
    assert done["model"]["a"].target_passes == sum(passes)
    assert workloads.Worked(10, 8, 4).speedup(0.5) == 1.0
    assert workloads.speedups(done, 0.5)["lookup"][workloads.MIXED] == pytest.approx(
        48 / sum(d.target_passes for d in done["lookup"].values())
    )
