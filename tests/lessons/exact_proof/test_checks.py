"""Right and wrong answers beyond those in the exercises themselves."""

from random import random

import numpy as np
import pytest

from course_utils.lessons.exact_proof.checks import (
    SPECIMENS,
    check_every_path,
    check_exact_distance,
    check_specimens,
    every_path,
    exact_distance,
    loop_of,
)
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Exam, acceptance_shown, exam


def by_sampling(program):
    return [(1 / 1000, program(lambda yes: random() < yes)) for _ in range(1000)]


RIGHT_ANSWERS = [
    (check_every_path, lambda program: (path for path in every_path(program))),
]
WRONG_ANSWERS = [
    (check_every_path, by_sampling, "*choose* the answers in order, draw nothing"),
    (check_every_path, lambda program: [[w] for w, _ in every_path(program)], "asks_nothing"),
    (check_exact_distance, lambda paths, truth: round(exact_distance(paths, truth), 2), "0.2031"),
    (check_specimens, SPECIMENS | {"C": "no luck"}, "is not on the list"),
    (check_specimens, SPECIMENS | {"B": "argmax bonus"}, "B: It is not 'argmax bonus', which"),
]


@pytest.mark.parametrize("decoder", [CORRECT, bug("uniform used twice").decoder])
def test_a_walk_of_the_loop_finds_the_distance(decoder):
    small = exam(gamma=2, length=3)
    paths = every_path(loop_of(decoder, small))
    assert exact_distance(paths, small.truth()) == pytest.approx(small.distance(decoder), abs=1e-12)


def test_the_lesson_shows_enough_to_name_each_specimen():
    p = np.array([0.45, 0.25, 0.15, 0.10, 0.05])
    q = np.array([0.25, 0.10, 0.40, 0.15, 0.10])
    cat = Exam(TableModel(p), TableModel(q), gamma=2, length=3)
    rounds = {letter: cat.first_rounds(bug(name).decoder) for letter, name in SPECIMENS.items()}
    right = cat.first_rounds(CORRECT)

    def emitted(letter, kind, place):
        return {r.emitted[place] for _, r in rounds[letter] if r.kinds[place] == kind}

    assert emitted("A", "correction", 0) == set(range(5))
    for letter in "ABD":
        assert acceptance_shown(rounds[letter]) == pytest.approx(acceptance_shown(right))
    assert cat.distance(bug(SPECIMENS["B"]).decoder) < 1e-12
    assert not emitted("B", "bonus", -1)
    assert {r.emitted[0] for _, r in rounds["C"]} == {0, 1}
    assert emitted("D", "bonus", -1) == {0}
    assert not emitted("E", "correction", 0)
