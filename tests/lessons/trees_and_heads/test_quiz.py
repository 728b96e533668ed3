"""What the questions of lesson 10 take for true is true: computed here."""

import numpy as np

from course_utils.decoding.optimal_trees import sequoia
from course_utils.decoding.trees import expected_tokens, levels, star, widths
from course_utils.lessons.greedy_or_sampled.checks import means_at
from course_utils.lessons.trees_and_heads import new_angeles
from course_utils.lessons.trees_and_heads.quiz import BOTH_AT_ONCE, HEAD_ACCURACY, TREE_OR_CHAIN
from course_utils.lessons.trees_and_heads.shipped import recorded
from course_utils.models.names import held_out_prompts
from course_utils.pairs import load_pair


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_where_the_first_guess_is_right_a_chain_is_nearly_best():
    rates = [0.9, 0.06, 0.03]
    best = sequoia(rates, 8)
    assert levels(best) >= 7
    worth = expected_tokens(best, rates)
    assert worth > max(expected_tokens(shape, rates) for shape in (star(8), widths((2, 2))))
    assert right(TREE_OR_CHAIN).startswith("Nearly a chain")


def test_given_states_say_the_same_at_each_position():
    given = [head["given"] for head in recorded()["heads"] if head["given"]]
    assert all(max(each) - min(each) < 0.01 for each in given)
    assert right(HEAD_ACCURACY).startswith("What the head was given")


def test_temperature_raises_the_acceptance_of_the_pairs_sampled_draft():
    pair = load_pair("tiny", dtype="float32")
    text = pair.encode(held_out_prompts("code")[0])[:120]
    rows = [np.asarray(model.start([]).extend(text)) for model in (pair.target, pair.draft)]
    alphas = [means_at(*rows, temperature)[1] for temperature in (0.5, 1.0)]
    assert alphas == sorted(alphas)
    (said,) = (c.why for c in HEAD_ACCURACY.choices if c.text.startswith("The temperature"))
    assert "alpha may even rise with the temperature" in said


def test_two_guesses_at_once_are_lossless():
    assert all(float(row["text, TV"]) < 1e-12 for row in new_angeles.rows())
    assert right(BOTH_AT_ONCE).startswith("Yes")
