"""A random target and an EAGLE-like head on it, for the tests of what serves heads."""

import torch

from course_utils.models.qwen3.heads import EagleHead, Ends, Shape
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from tests.conftest import random_qwen3

LAYERS, PROMPT = 3, [5, 3, 8, 8, 1, 0, 7]


def small_head() -> tuple[SharedTarget, EagleHead]:
    """The target with the states that the head reads, and the head."""
    model = random_qwen3(LAYERS)
    model.model.norm.weight.data.uniform_(0.2, 3.0)
    shared = SharedTarget(Qwen3.from_transformers(model), aux_layers=(1, 2, LAYERS))
    torch.manual_seed(3)
    shape = Shape(64, 96, 4, 2, 32, 10_000.0, (1, 2, LAYERS), 40)
    head = EagleHead(shape, Ends.of(shared).float())
    for weight in head.parameters():
        weight.data.normal_(0, 0.3)
    return shared, head.requires_grad_(False)
