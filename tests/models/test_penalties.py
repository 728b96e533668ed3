"""Penalties: those of transformers and vLLM, row by row."""

from functools import reduce

import numpy as np
import pytest
import torch
from transformers import RepetitionPenaltyLogitsProcessor

from course_utils.models.penalties import Penalties, Prefix, with_penalties

TEXTS = ([3, 1, 3], [3, 1, 3, 3, 0], [7])


def penalised(logits, penalties, prompt=2):
    prefixes = [reduce(Prefix.after, text, Prefix()) for text in TEXTS]
    return with_penalties(logits, prefixes, penalties, prompt)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_repetition_is_penalised_as_by_transformers(dtype):
    logits = torch.randn(3, 9, generator=torch.Generator().manual_seed(0)).to(dtype)
    copy = logits.clone()
    theirs = RepetitionPenaltyLogitsProcessor(1.3)
    rows = zip(TEXTS, logits.float(), strict=True)
    expected = torch.cat([theirs(torch.tensor([text]), row[None]) for text, row in rows])
    assert torch.equal(penalised(logits, Penalties(1.3)), expected)
    assert torch.equal(logits, copy)


@pytest.mark.parametrize("library", [np.array, torch.tensor])
def test_the_others_count_what_was_generated_and_not_the_prompt(library):
    rows = library([[1.0, -1.0, -np.inf, 0.5, 0, 0, 0, 0]] * 3)
    result = penalised(rows, Penalties(presence_penalty=0.5, frequency_penalty=0.25))
    expected = np.array(rows)
    expected[0, 3] -= 0.75
    expected[1, 3] -= 1.0
    expected[1, 0] -= 0.75
    assert result.tolist() == expected.tolist()
