"""Output right, acceptance dead: no token tells, the acceptance does."""

import numpy as np
import pytest
import torch

from course_utils.decoding import GREEDY, Sampling, emitted_tokens, generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.qwen3.forms import FORMS, ONNX, READABLE
from course_utils.models.qwen3.head_models import EagleModel, ParallelModel
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Ends, Shape
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.proofs.blindness import try_others
from course_utils.proofs.broken_heads import MasksLeft
from course_utils.proofs.decoders import Decoder, record_run
from course_utils.proofs.head_oracle import oracle
from tests.conftest import random_qwen3

LAYERS, PROMPT = 3, [5, 3, 8, 8, 1, 0, 7]


@pytest.fixture(scope="module")
def readable():
    model = random_qwen3(LAYERS)
    model.model.norm.weight.data.uniform_(0.2, 3.0)  # one of ones could be applied twice
    return Qwen3.from_transformers(model)


@pytest.fixture(scope="module", params=[READABLE, ONNX])
def shared(request, readable):
    return SharedTarget(FORMS[request.param](readable), aux_layers=(1, 2, LAYERS))


def head_of(shared, serve):
    """Untrained, with rows that are far from even."""
    torch.manual_seed(3)
    shape = Shape(64, 96, 4, 2, 32, 10_000.0, (1, 2, LAYERS), 40)
    ends = Ends.of(shared).float()
    head = BlockHead(shape, ends, 3) if issubclass(serve, ParallelModel) else EagleHead(shape, ends)
    for weight in head.parameters():
        weight.data.normal_(0, 0.3)
    return head.requires_grad_(False)


def run(shared, model, sampling=Sampling(), **how):
    drafter = None if model is None else Sampled(model)
    how |= {"gamma": 3, "max_new_tokens": 40, "rows": True}
    return list(generate(shared, PROMPT, drafter, sampling=sampling, **how))


def test_the_text_is_right(shared):
    model = MasksLeft(shared, head_of(shared, MasksLeft))
    greedy = emitted_tokens(run(shared, model, GREEDY))
    assert greedy == emitted_tokens(run(shared, None, GREEDY))


def test_the_oracle_convicts_it(shared, readable, record_property):
    head = head_of(shared, MasksLeft)
    rounds = run(shared, MasksLeft(shared, head), seed=2)
    apart = max(s.apart for s in oracle(head, readable, PROMPT, rounds))
    seen = f"acceptance oracle, rows apart by {apart:.1e}"
    record_property("specimen", ["head", "masks left in the cache", "right", seen])
    assert apart > 1e-3


@pytest.mark.parametrize("serve", [EagleModel, ParallelModel])
def test_and_acquits_a_head_that_is_served_right(shared, readable, serve):
    head = head_of(shared, serve)
    served = oracle(head, readable, PROMPT, run(shared, serve(shared, head), seed=2))
    assert max(s.apart for s in served) < 1e-4
    assert abs(np.mean([s.missing for s in served])) < 1e-5


@pytest.mark.parametrize("serve", [EagleModel, ParallelModel])
def test_a_head_drafts_again_beside_a_target_that_works_on_the_text(shared, serve):
    model = serve(shared, head_of(shared, serve))
    done = record_run(Decoder(), shared, model, PROMPT, Sampling(), 12, gamma=3, seed=1)
    blind = try_others(done, [1, 2])
    assert blind.tried > 0
    assert (blind.changed, blind.unlike) == (0, 0)
