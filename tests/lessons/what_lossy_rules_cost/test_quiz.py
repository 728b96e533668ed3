"""What the question of the elective takes for true is true."""

import numpy as np

from course_utils.decoding.rules import TYPICAL, ensemble, ratio_threshold
from course_utils.lessons.what_lossy_rules_cost.quiz import EQUAL_ROWS
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam

FIVE_P = np.array([0.45, 0.25, 0.15, 0.1, 0.05])


def test_typical_acceptance_alone_moves_a_perfect_draft():
    same = Exam(TableModel(FIVE_P), TableModel(FIVE_P), gamma=1, length=2)
    for rule in ensemble(0.5), ratio_threshold(0.5):
        assert same.distance(Decoder(rule)) < 1e-12
    assert same.distance(Decoder(TYPICAL)) > 1e-12
    assert [c.text for c in EQUAL_ROWS.choices if c.right] == ["Typical acceptance."]
    said = same.distribution(Decoder(TYPICAL))
    assert sum(weight for text, weight in said.items() if text[0] == 4) < FIVE_P[4]
