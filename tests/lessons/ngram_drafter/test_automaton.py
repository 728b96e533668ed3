"""The automaton that the lesson shows, and its exercise against a search."""

import random

import pytest

from course_utils.lessons.ngram_drafter.automaton import Automaton, copied_from
from course_utils.lessons.ngram_drafter.checks import check_next_match, followed


def stands_in(text, piece):
    return any(text[i : i + len(piece)] == piece for i in range(len(text)))


@pytest.mark.parametrize("seed", range(10))
def test_the_exercises_answer_is_the_longest_match_of_a_search(seed):
    rng = random.Random(seed)
    there, here = (rng.choices(range(3), k=30) for _ in range(2))
    automaton, state, matched = Automaton(there), 0, 0
    for i, token in enumerate(here, start=1):
        state, matched = followed(automaton, state, matched, token)
        lengths = range(i, -1, -1)
        assert matched == next(n for n in lengths if stands_in(there, here[i - n : i]))
        at = 0
        for token_before in here[i - matched : i]:
            at = automaton.following[at][token_before]
        assert at == state


def test_every_case_is_a_place_that_a_walk_can_reach():
    for automaton, state, matched, _ in check_next_match.cases:
        link = automaton.link[state]
        assert (0 if link is None else automaton.length[link]) <= matched
        assert matched <= automaton.length[state]
        assert matched > 0 or state == 0


def endless_at_the_root(automaton, state, matched, token):
    """Follows the root's link, which is None."""
    while token not in automaton.following[state]:
        state = automaton.link[state]
    return automaton.following[state][token], matched + 1


WRONG_ANSWERS = [
    (check_next_match, lambda a, state, matched, token: (1, 1), "the state"),
    (check_next_match, lambda a, state, matched, token: (a.link[state], 0), "the state"),
    (check_next_match, endless_at_the_root, ""),
]


def test_where_a_guess_was_copied_from():
    assert copied_from([7, 8, 9, 7, 8], [9, 7]) == [2, 3]
    assert copied_from([1, 2, 1, 3, 1], [2]) == [1]
    assert copied_from([1, 2], [5]) == [None]
    assert copied_from([1, 2], [1]) == [None]  # it was there, after nothing that agrees
    assert copied_from([5, 5, 5], [5, 5]) == [2, 3]
