"""The quiz's facts: the order of a bfloat16 sum matters, and greedy decoding is not random."""

import numpy as np
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel


def test_the_order_of_a_sum_matters_in_bfloat16():
    one, small = torch.tensor([1, 2**-8], dtype=torch.bfloat16)
    assert (one + small) + small != one + (small + small)


def test_greedy_decoding_takes_the_first_of_equal_logits_whatever_draft_and_seed():
    target = TableModel(np.array([0.2, 0.4, 0.4]))
    texts = {
        tuple(emitted_tokens(generate(target, [0], draft, sampling=GREEDY, seed=seed)))
        for draft in (None, Sampled(TableModel.random(3, 2, 1), GREEDY))
        for seed in (0, 1)
    }
    assert len(texts) == 1
    assert set(texts.pop()) == {1}
