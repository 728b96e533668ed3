"""The automaton that the lesson shows, and its exercise against a search."""

import random

import pytest

from course_utils.lessons.suffix_automaton.automaton import Automaton, row_after
from course_utils.lessons.suffix_automaton.checks import check_next_match, followed
from course_utils.lessons.suffix_automaton.figures import states_table


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


def test_a_count_is_that_of_the_places():
    text = random.Random(0).choices(range(3), k=40)
    automaton = Automaton(text)
    for length in (1, 2, 3, 5):
        for start in range(len(text) - length):
            piece, state = text[start : start + length], 0
            for token in piece:
                state = automaton.following[state][token]
            places = [i for i in range(len(text)) if text[i : i + length] == piece]
            assert automaton.count[state] == len(places)


def test_the_row_is_what_followed():
    automaton = Automaton([7, 8, 9, 7, 8, 6, 7, 8, 9, 5])
    state = automaton.following[automaton.following[0][7]][8]
    assert row_after(automaton, state, 10) == pytest.approx([0] * 6 + [1 / 3, 0, 0, 2 / 3])
    whole = automaton.length.index(10)  # nothing followed; of its endings 5, of these none
    assert row_after(automaton, whole, 10)[7] == 0.3


def test_the_table_of_states_lists_each_piece_once():
    lines = states_table(Automaton([7, 8, 9, 7, 8])).text.splitlines()
    assert [line.split()[-1] for line in lines[1:]] == ["0", "0", "0", "1", "2"]
    assert "7 8,   8" in lines[2]
    assert "2, 5" in lines[2]
