"""A random target and an EAGLE-like head on it, for the tests of what serves heads."""

import torch

from course_utils.models.heads import Ends, Shape, UnrolledHead
from course_utils.models.qwen3 import Qwen3
from course_utils.models.shared_layers import Shared
from tests.conftest import random_qwen3

LAYERS, PROMPT = 3, [5, 3, 8, 8, 1, 0, 7]


def small_head() -> tuple[Shared, UnrolledHead]:
    """The target with the states that the head reads, and the head."""
    model = random_qwen3(LAYERS)
    model.model.norm.weight.data.uniform_(0.2, 3.0)
    shared = Shared(Qwen3.from_transformers(model), taps=(1, 2, LAYERS))
    torch.manual_seed(3)
    shape = Shape(64, 96, 4, 2, 32, 10_000.0, (1, 2, LAYERS), 40)
    head = UnrolledHead(shape, Ends.of(shared).float())
    for weight in head.parameters():
        weight.data.normal_(0, 0.3)
    return shared, head.requires_grad_(False)
