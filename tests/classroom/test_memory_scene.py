"""Where the time goes: exact sizes and measurements."""

import pytest
import torch
from transformers import Qwen3Config

from course_utils.classroom.memory_scene import where_time_goes
from course_utils.models.folder import memory_needed
from course_utils.theory.sizes import (
    QWEN3_06B,
    QWEN3_4B,
    parameters,
)


@pytest.mark.parametrize("shape", [QWEN3_4B, QWEN3_06B])
def test_the_published_shapes_have_exactly_the_weights_of_the_model(shape):
    config = Qwen3Config(**vars(shape))
    assert 2 * parameters(shape) == memory_needed(config, torch.bfloat16, 1).weights


def test_the_real_pair_in_numbers_and_the_dots_relative_to_a_pass_over_one_token():
    """8.04 GB and 1.19 GB, read at 4.8 TB/s (REFERENCES.md: nvidia-h200)."""
    data = where_time_goes({5: 0.012, 1: 0.010}, "here").data
    assert (data["measured"], data["where"]) == ([[1, 1.0], [5, 1.2]], "here")
    target, draft = data["example"]["target"], data["example"]["draft"]
    assert (target["size"], draft["size"]) == (8_044_936_192, 1_192_099_840)
    assert target["layers"] * target["layer"] + target["rest"] == target["size"]
    assert draft["seconds"] == pytest.approx(draft["size"] / 4.8e12, rel=1e-15)
