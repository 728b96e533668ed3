"""Output right, acceptance dead: no token tells, the acceptance does."""

import numpy as np
import pytest
import torch

from course_utils.decoding import GREEDY, Sampling, emitted_tokens, generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.forms import FORMS, ONNX, READABLE
from course_utils.models.head_models import Unrolled
from course_utils.models.heads import Ends, Shape, UnrolledHead
from course_utils.models.qwen3 import Qwen3
from course_utils.models.shared_layers import Shared
from course_utils.proofs.broken_heads import HEAD_BUGS
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
    return Shared(FORMS[request.param](readable), taps=(1, 2, LAYERS))


@pytest.fixture(scope="module")
def head(shared):
    """Untrained, with rows that are far from even."""
    torch.manual_seed(3)
    shape = Shape(64, 96, 4, 2, 32, 10_000.0, (1, 2, LAYERS), 40)
    head = UnrolledHead(shape, Ends.of(shared).float())
    for weight in head.parameters():
        weight.data.normal_(0, 0.3)
    return head.requires_grad_(False)


def run(shared, model, sampling=Sampling(), **how):
    drafter = None if model is None else Sampled(model, sampling)
    return list(
        generate(shared, PROMPT, drafter, gamma=3, sampling=sampling, max_new_tokens=40, **how)
    )


@pytest.mark.parametrize("bug", HEAD_BUGS, ids=lambda bug: bug.name)
def test_the_text_is_right(shared, head, bug):
    greedy = emitted_tokens(run(shared, bug.serve(shared, head), GREEDY))
    assert greedy == emitted_tokens(run(shared, None, GREEDY))


@pytest.mark.parametrize("bug", HEAD_BUGS, ids=lambda bug: bug.name)
def test_the_oracle_convicts_it(shared, readable, head, bug, record_property):
    rounds = run(shared, bug.serve(shared, head), seed=2)
    apart = max(s.apart for s in oracle(head, readable, PROMPT, rounds))
    seen = f"acceptance oracle, rows apart by {apart:.1e}"
    record_property("specimen", ["head", bug.name, "right", seen])
    assert apart > 1e-3


def test_and_acquits_a_head_that_is_served_right(shared, readable, head):
    served = oracle(head, readable, PROMPT, run(shared, Unrolled(shared, head), seed=2))
    assert max(s.apart for s in served) < 1e-4
    assert abs(np.mean([s.missing for s in served])) < 1e-5
