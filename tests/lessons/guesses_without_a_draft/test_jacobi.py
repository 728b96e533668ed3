"""What the elective says: the greedy text is kept, a pool learns, old answers are worth little."""

import numpy as np
import pytest

from course_utils.decoding import GREEDY, emitted_tokens, generate, summarise
from course_utils.decoding.contracts import Draft
from course_utils.lessons.guesses_without_a_draft.jacobi import Jacobi, Pool, tokens_per_pass
from course_utils.lessons.guesses_without_a_draft.quiz import OLD_ANSWERS
from course_utils.models.tables import TableModel


@pytest.mark.parametrize("drafter", [Jacobi, Pool])
def test_guesses_without_a_draft_keep_the_greedy_text(drafter):
    loop = np.full((4, 4), 0.1)
    loop[[0, 1, 2, 3], [1, 2, 3, 0]] = 0.7
    target = TableModel(loop)
    how = {"sampling": GREEDY, "max_new_tokens": 30, "gamma": 4}
    plain = emitted_tokens(generate(target, [0], **how))
    rounds = list(generate(target, [0], drafter(), **how))
    assert emitted_tokens(rounds) == plain
    if drafter is Pool:  # it has seen each answer after one turn of the loop
        assert summarise(rounds).tokens_per_round > 2


def test_the_pool_keeps_what_was_answered_to_each_guess():
    class Wrong(Pool):
        def propose(self, tokens, gamma, noise):
            return Draft((2, 0, 3)[:gamma], None)

    drafter, target = Wrong(), TableModel(np.roll(np.eye(4), 1, axis=1))  # 0, 1, 2, 3, 0, ...
    list(generate(target, [0], drafter, gamma=3, sampling=GREEDY, max_new_tokens=4))
    assert Pool.propose(drafter, [2], 3, None).tokens == (3, 0, 1)


def test_old_answers_are_seldom_right_where_a_token_decides_the_next():
    """Each token says another next one, so a wrong guess makes all behind it wrong."""
    target = TableModel(np.roll(np.eye(50), 1, axis=1))
    assert tokens_per_pass(target, Jacobi, [[0]], 4, 24) < 1.3
    (right,) = (choice.text for choice in OLD_ANSWERS.choices if choice.right)
    assert right.startswith("The first")
