"""The quiz of this elective: what is multiplied in a pass, counted."""

import torch

from course_utils.lessons.the_same_bits import quiz
from course_utils.lessons.the_same_bits.checks import in_shape
from course_utils.models.same_bits import ROWS


def test_both_passes_multiply_more_and_the_pass_over_one_token_the_most():
    right = next(choice.text for choice in quiz.WHO_PAYS.choices if choice.right)
    assert right == "Both, and the pass over one token the most: sixteen times as much."
    multiplied = []
    fixed = in_shape(lambda x: multiplied.append(len(x)) or x, ROWS)
    more = []
    for rows in (1, 5):
        fixed(torch.ones(rows, 2))
        more.append(multiplied.pop() / rows)
    assert more == [16, 3.2]
