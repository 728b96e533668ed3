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
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.qwen3.onnx import Running
from course_utils.models.qwen3.onnx_graph import alone
from course_utils.models.qwen3.quantised import product, quantised, rounded
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from tests.conftest import random_qwen3


@pytest.fixture(scope="module")
def int8(pair):
    return quantised(pair.target)


@pytest.mark.parametrize("size", [1e-6, 1.0, 300.0])
def test_no_weight_is_further_off_than_half_a_step(size):
    weight = size * torch.randn(200, 64, generator=torch.manual_seed(0))
    weight[7] = 0
    weight[8, 1:] = 0  # one number, which must come out as it is but for the scale
    matrix = rounded(weight)
    off = abs(matrix.restored().astype(float) - weight.double().numpy())
    assert (off <= 0.5000001 * matrix.scale).all()
    assert (abs(matrix.values[[i for i in range(200) if i != 7]]).max((1, 2)) == 127).all()
    assert not matrix.restored()[7].any()


@pytest.mark.parametrize("size", [64, 96, 128, 300])
def test_the_product_is_that_of_the_restored_matrix(size):
    """But that the other factor is rounded, too: in steps of its largest number over 127."""
    torch.manual_seed(0)
    weight = torch.randn(64, size)
    session = Running(alone(weight, product))
    for rows in (1, 2, 5):
        x = torch.randn(1, rows, size).numpy()
        (found,) = session.run(None, {"x": x})
        restored = rounded(weight).restored()
        steps = abs(x).max() / 127 / 2 * abs(restored).sum(1)
        assert (abs(found[0] - x[0] @ restored.T) < steps).all()
        assert abs(found[0] - x[0] @ weight.numpy().T).mean() < 0.01 * size**0.5


def test_a_pass_reads_a_quarter_of_the_bytes(pair, fast, int8):
    ratio = fast.target.weight_bytes / int8.weight_bytes
    assert 3.8 < ratio < 3.9  # a scale of four bytes for each 128 numbers is the rest
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
def test_as_a_draft_it_changes_no_text(fast, int8, kind):
    prompt = fast.encode(held_out_prompts(kind)[1])
    options = dict(sampling=GREEDY, max_new_tokens=32)
    plain = emitted_tokens(generate(fast.target, prompt, **options))
    rounds = list(generate(fast.target, prompt, Sampled(int8), **options))
    assert emitted_tokens(rounds) == plain
    drafted = sum(len(r.drafted) for r in rounds)
    assert sum(r.accepted for r in rounds) > 0.7 * drafted


def test_it_is_a_session_like_any_other():
    """Grouping, rolling back, and its own first layers, in int8's rounding."""
    model = quantised(Qwen3.from_transformers(random_qwen3(2)))
    tokens = list(range(3, 12))
    at_once = model.start([]).extend(tokens)
    session = model.start(tokens[:2])
    session.extend([90, 91])
    session.rollback(2)
    pieces = np.concatenate([session.extend(tokens[2:3]), session.extend(tokens[3:])])
    np.testing.assert_allclose(pieces, at_once[2:], atol=0.5)
    shared = SharedTarget(model)
    options = dict(sampling=GREEDY, max_new_tokens=20)
    rounds = list(generate(shared, [1, 2], EarlyExit(shared, 2), **options))
    assert len(emitted_tokens(rounds)) == 20


def test_only_a_qwen3_on_a_cpu(fast):
    with pytest.raises(ValueError, match="only a Qwen3"):
        quantised(fast.target)
