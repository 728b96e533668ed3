"""int8 weights: how far each is off, what that does to rows, and what it does not to texts."""

import numpy as np
import pytest
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.sampled import Sampled
from course_utils.models.early_exit import Shared
from course_utils.models.prompts import held_out_prompts
from course_utils.models.quantised import quantised, rounded_by_rows
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_qwen3


@pytest.fixture(scope="module")
def int8(pair):
    return quantised(pair.target)


@pytest.mark.parametrize("size", [1e-6, 1.0, 300.0])
def test_no_weight_is_further_off_than_half_a_step(size):
    weight = size * torch.randn(200, 64, generator=torch.manual_seed(0))
    weight[7] = 0
    weight[8, 1:] = 0  # one number, which must come out as it is but for the scale
    matrix = rounded_by_rows(weight)
    step = matrix.scale.double()[:, None]
    off = (matrix.values.double() * step - weight.double()).abs()
    assert (off <= step / 2).all()
    assert (matrix.values[[i for i in range(200) if i != 7]].abs().amax(1) >= 126).all()
    assert not matrix.restored()[7].any()


def test_the_product_is_that_of_the_restored_matrix(int8):
    """In bfloat16, as its other factor is."""
    torch.manual_seed(0)
    matrix = rounded_by_rows(torch.randn(64, 96))
    for rows in (1, 2, 5):
        x = torch.randn(rows, 96).bfloat16()
        found = torch._weight_int8pack_mm(x, matrix.values, matrix.scale).float()
        expected = x.float() @ matrix.restored().T
        torch.testing.assert_close(found, expected, atol=0.15, rtol=0.02)


def test_a_pass_reads_a_quarter_of_the_bytes(pair, packed, int8):
    ratio = packed.target.weight_bytes / int8.weight_bytes
    assert 3.9 < ratio < 4.0  # a scale of two bytes for each row is the rest
    assert int8.vocabulary_size == pair.target.vocabulary_size


def test_rows_are_near_the_models_and_not_equal(pair, int8):
    overlaps = []
    for kind in ("code", "prose"):
        text = pair.encode(held_out_prompts(kind)[0])
        p, q = (
            probabilities(np.asarray(model.start([]).extend(text)), Sampling())
            for model in (pair.target, int8)
        )
        overlaps.append(float(np.mean(overlap(p, q))))
    assert min(overlaps) > 0.95
    assert max(overlaps) < 0.9999


@pytest.mark.parametrize("kind", ["code", "prose"])
def test_as_a_draft_it_changes_no_text(packed, int8, kind):
    prompt = packed.encode(held_out_prompts(kind)[1])
    options = dict(sampling=GREEDY, max_new_tokens=32)
    plain = emitted_tokens(generate(packed.target, prompt, **options))
    rounds = list(generate(packed.target, prompt, Sampled(int8, GREEDY), **options))
    assert emitted_tokens(rounds) == plain
    drafted = sum(len(r.drafted) for r in rounds)
    assert sum(r.accepted for r in rounds) > 0.7 * drafted


def test_it_is_a_session_like_any_other():
    """Grouping, rolling back, and its own first layers, in bfloat16's rounding."""
    model = quantised(Qwen3.from_transformers(random_qwen3(2)))
    tokens = list(range(3, 12))
    at_once = model.start([]).extend(tokens)
    session = model.start(tokens[:2])
    session.extend([90, 91])
    session.rollback(2)
    pieces = np.concatenate([session.extend(tokens[2:3]), session.extend(tokens[3:])])
    np.testing.assert_allclose(pieces, at_once[2:], atol=0.5)
    shared = Shared(model)
    options = dict(sampling=GREEDY, max_new_tokens=20)
    rounds = list(generate(shared, [1, 2], EarlyExit(shared, 2, GREEDY), **options))
    assert len(emitted_tokens(rounds)) == 20


def test_only_a_qwen3_on_a_cpu(packed):
    with pytest.raises(ValueError, match="only a Qwen3"):
        quantised(packed.target)
