"""The check of the specimens: what it says of each is true."""

import numpy as np
import pytest

from course_utils.lessons.exact_proof.checks import (
    SPECIMENS,
    check_specimens,
)
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Exam, acceptance_shown, tokens_per_round


def test_an_open_letter_and_an_unknown_name_are_said():
    assert "C is still open" in check_specimens(SPECIMENS | {"C": ...}).message
    assert "is not on the list" in check_specimens(SPECIMENS | {"C": "no luck"}).message


def test_the_clues_are_true():
    """What the check says of each specimen is what the lesson's exam shows."""
    p = np.array([0.45, 0.25, 0.15, 0.10, 0.05])
    q = np.array([0.25, 0.10, 0.40, 0.15, 0.10])
    exam = Exam(TableModel(p), TableModel(q), gamma=2, length=3)
    shown = {letter: exam.first_rounds(bug(name).decoder) for letter, name in SPECIMENS.items()}
    right = exam.first_rounds(CORRECT)
    said = {k: {r.emitted[0] for _, r in rounds} for k, rounds in shown.items()}
    corrected = {
        k: {r.emitted[0] for _, r in rounds if r.kinds[0] == "correction"}
        for k, rounds in shown.items()
    }
    bonuses = {
        k: {r.emitted[-1] for _, r in rounds if r.kinds[-1] == "bonus"}
        for k, rounds in shown.items()
    }
    assert corrected["A"] == set(range(5))
    for letter in "ABD":
        assert acceptance_shown(shown[letter]) == pytest.approx(acceptance_shown(right))
    assert exam.distance(bug(SPECIMENS["B"]).decoder) < 1e-12
    assert not bonuses["B"]
    assert said["C"] == {0, 1}
    assert acceptance_shown(shown["C"]) < 0.6 * acceptance_shown(right)
    assert bonuses["D"] == {0}
    assert not corrected["E"]
    assert tokens_per_round(shown["E"]) > tokens_per_round(right) + 0.5
