"""The settings of a run are given to `generate` alone: every drafter follows them."""

import pytest

from course_utils.decoding import Sampling, generate
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.candidates import Candidates, without_replacement
from course_utils.drafters.named import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.separately import Separately
from tests.drafters.test_short_prompts import decoding_target, model_for

HOW = {"gamma": 4, "sampling": Sampling(0.6, top_k=20), "max_new_tokens": 24, "seed": 1}


def assert_follows(make, run):
    """A drafter without settings drafts as one that has those of the run, and as no other."""

    def rounds(drafter):
        found = [item if isinstance(item, tuple) else (0, item) for item in run(drafter)]
        return [(row, r.drafted, r.parents, r.emitted, r.q) for row, r in found]

    def told(sampling):
        drafter = make()
        for each in (drafter, *getattr(drafter, "drafters", ())):
            if hasattr(each, "sampling"):
                each.sampling = sampling
        return rounds(drafter)

    found = rounds(make())
    assert found == told(HOW["sampling"])
    if any(q for *_, q in found):
        assert found != told(Sampling())


@pytest.mark.parametrize("name", DRAFTERS)
def test_a_drafter_drafts_as_the_run_samples(fast, name):
    named, model = DRAFTERS[name], model_for(name, fast)
    prompt, target = fast.encode("def area(width, height):\n    "), decoding_target(fast, model)
    assert_follows(
        lambda: named.make(model), lambda d: generate(target, prompt, d, rule=named.rule, **HOW)
    )


def test_so_do_candidates_and_a_batch(tables):
    target, draft = tables
    rows = [Separately(model) for model in tables]
    assert_follows(
        lambda: Candidates(draft, without_replacement),
        lambda d: generate(target, [0], d, rule=RECURSIVE_REJECTION, **HOW),
    )
    assert_follows(
        lambda: BatchSampled(rows[1]), lambda d: generate_batch(rows[0], [[0], [1, 2]], d, **HOW)
    )


def test_a_list_of_tokens_is_taken_to_be_sampled_as_it_is(tables):
    drafts = [
        Sampled(tables[1], own).propose([0, 1], 4, Noise(0).round(0)) for own in (None, Sampling())
    ]
    assert drafts[0].tokens == drafts[1].tokens
