"""int8 weights: how far each is off, what that does to rows, and what it does not to texts."""

import numpy as np
import pytest
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.drafters.sampled import Sampled
from course_utils.models.names import held_out_prompts
from course_utils.models.qwen3.onnx import GraphSession
from course_utils.models.qwen3.onnx_graph import GraphBuilder
from course_utils.models.qwen3.quantised import int8_matmul, quantise, quantised


def restored(values, scale):
    """The matrix (out, in and its padding) that they stand for."""
    return (values * scale[..., None]).reshape(len(values), -1)


@pytest.mark.parametrize("size", [64, 96, 300])
def test_the_product_is_that_of_the_restored_matrix(size):
    """But that the other factor is rounded, too: in steps of its largest number over 127."""
    torch.manual_seed(0)
    weight, graph = torch.randn(64, size), GraphBuilder()
    x = graph.input("x", 1, 1, "n", size)
    graph.output(int8_matmul(graph, x, "y", weight), 1, "n", 64)
    session, rounded = GraphSession(graph.build()), restored(*quantise(weight))[:, :size]
    for rows in (1, 5):
        x = torch.randn(1, rows, size).numpy()
        (y,) = session.inference.run(None, {"x": x})
        steps = abs(x).max() / 127 / 2 * abs(rounded).sum(1)
        assert (abs(y[0] - x[0] @ rounded.T) < steps).all()
        assert abs(y[0] - x[0] @ weight.numpy().T).mean() < 0.01 * size**0.5


def test_as_a_draft_it_is_near_the_model_and_changes_no_text(pair, fast):
    int8 = quantised(pair.target)
    text = pair.encode(held_out_prompts("code")[0])
    p, q = (
        probabilities(np.asarray(model.start([]).extend(text)), Sampling())
        for model in (pair.target, int8)
    )
    assert 0.95 < np.mean(overlap(p, q)) < 0.9999
    options = dict(sampling=GREEDY, max_new_tokens=32)
    rounds = list(generate(fast.target, text, Sampled(int8), **options))
    assert emitted_tokens(rounds) == emitted_tokens(generate(fast.target, text, **options))
    assert sum(r.accepted for r in rounds) > 0.7 * sum(len(r.drafted) for r in rounds)
    with pytest.raises(ValueError, match="only a Qwen3"):
        quantised(fast.target)
