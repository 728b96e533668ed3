"""A random target with untrained heads, for the tests of heads and their drafters."""

import torch

from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa, Shape, TargetWeights
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3

LAYERS, PROMPT = 3, [5, 3, 8, 8, 1, 0, 7]
AUX_LAYERS = (1, 2, LAYERS)  # an EAGLE-like head reads the states after these


def small_target(weights=torch.float32):
    """Return a target whose norms are not ones, so that applying them twice is visible."""
    model = random_qwen3(LAYERS)
    model.model.norm.weight.data.uniform_(0.7, 1.3)
    return Qwen3.from_transformers(model.to(weights))


def random_head(kind, model):
    """Return a head, "eagle", "mtp", "medusa" or "block", with rows far from uniform."""
    torch.manual_seed(3)
    ends, draft_vocabulary = TargetWeights.of(model).float(), None if kind == "mtp" else 40
    aux_layers = (LAYERS,) if kind == "mtp" else AUX_LAYERS
    shape = Shape(64, 96, 4, 2, 32, 10_000.0, aux_layers, draft_vocabulary)
    if kind == "medusa":
        head = Medusa(ends, heads=4)
    else:
        head = BlockHead(shape, ends, 4) if kind == "block" else EagleHead(shape, ends)
        if draft_vocabulary:
            head.draft_tokens.copy_(torch.randperm(97)[:draft_vocabulary].sort().values)
    for weight in head.parameters():
        weight.data.normal_(0, 0.3)
    return head.requires_grad_(False)
