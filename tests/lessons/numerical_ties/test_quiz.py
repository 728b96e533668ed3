"""The quiz of numerical ties: what its right answer says is what the course's code does."""

import numpy as np
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, probabilities
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.numerical_ties import quiz
from course_utils.models.toys.tables import TableModel


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_the_order_of_a_sum_matters_in_bfloat16():
    assert right(quiz.TWO_GREEDY_RUNS).startswith("Yes: where two tokens are nearly tied")
    one, small = torch.tensor([1, 2**-8], dtype=torch.bfloat16)
    assert (one + small) + small != one + (small + small)


def test_greedy_decoding_draws_nothing_and_takes_no_number_of_the_drafts(tables):
    tied = np.log([[0.2, 0.4, 0.4]])
    assert probabilities(tied, GREEDY).tolist() == [[0, 1, 0]]
    target, _ = tables
    drafts = [None, *(Sampled(TableModel.random(4, 2, seed), GREEDY) for seed in (1, 2))]
    texts = {
        tuple(emitted_tokens(generate(target, [0], d, sampling=GREEDY, seed=seed)))
        for d in drafts
        for seed in (0, 1)
    }
    assert len(texts) == 1
