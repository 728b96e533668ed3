"""The test with dice counts what the loop says, and needs as many texts as it claims."""

import numpy as np
import pytest
from scipy.stats import chi2, chisquare

from course_utils.lessons.exact_proof import dice, evidence
from course_utils.lessons.exact_proof.checks import SPECIMENS
from course_utils.models.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Exam, exam, tokens_per_round

SMALL = exam(gamma=2, length=3)
P, Q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])
FLAT = Exam(TableModel(P), TableModel(Q), gamma=2, length=3)


def test_every_text_has_its_place():
    truth = dice.by_text(SMALL.truth(), SMALL)
    assert truth.sum() == pytest.approx(1)
    assert dice.by_text({(0, 2, 1): 0.25}, SMALL).tolist().index(0.25) == 7  # 021 in base 3


def test_the_loop_is_counted():
    """2000 texts; a count is 6 standard deviations off in two of a thousand million runs."""
    counts, truth = dice.counted(SMALL, CORRECT, 2000), dice.by_text(SMALL.truth(), SMALL)
    assert counts.sum() == 2000
    assert (abs(counts - 2000 * truth) < 6 * np.sqrt(2000 * truth) + 6).all()
    assert (counts != dice.counted(SMALL, bug("argmax residual").decoder, 2000)).any()


def test_rare_texts_are_taken_together():
    counts, expected = np.array([[60, 30, 1, 9], [55, 40, 0, 5]]), np.array([56.0, 38, 2, 4])
    together = [chisquare([*c[:2], c[2:].sum()], [56, 38, 6]).statistic for c in counts]
    assert dice.chi_square(counts, expected) == pytest.approx(together)
    none_rare = chisquare(counts[0][:2], [52, 38]).statistic
    assert dice.chi_square(counts[0][:2], np.array([52.0, 38])) == pytest.approx(none_rare)


def test_so_many_texts_are_needed():
    """4000 samples: the share of alarms is within 0.01 of the power but for 6 in 10^10 seeds."""
    truth = np.full(8, 1 / 8)
    said = truth + np.array([0.01, -0.01] * 4)
    limit = chi2.isf(1e-6, 7)
    for power in (0.5, 0.99):
        n = round(dice.texts_needed(said, truth, power=power))
        counts = np.random.default_rng(0).multinomial(n, said, 4000)
        alarms = (dice.chi_square(counts, n * truth) > limit).mean()
        assert alarms == pytest.approx(power, abs=0.05 if power == 0.5 else 0.01)


def test_the_evidence_on_the_correct_decoder_is_the_target():
    accepted, corrected, bonus = evidence.first_token_and_bonus(FLAT, CORRECT)
    assert accepted == pytest.approx(np.minimum(P, Q))
    assert accepted + corrected == pytest.approx(P)
    assert bonus == pytest.approx(P)
    assert not evidence.first_token_and_bonus(FLAT, bug("no bonus").decoder)[2].any()


def test_without_context_two_rounds_are_twice_one():
    twice = 2 * tokens_per_round(FLAT.first_rounds(CORRECT))
    assert evidence.tokens_in_two_rounds(FLAT, CORRECT) == pytest.approx(twice)
    lagging = bug("draft cache lags").decoder
    assert evidence.tokens_in_two_rounds(SMALL, lagging) < evidence.tokens_in_two_rounds(
        SMALL, CORRECT
    )


@pytest.mark.parametrize(
    ("letter", "code"),
    [
        ("A", "+            row = p[i]"),
        ("B", "+    if drafted:"),
        ("C", "if not float(ratio) >= 1:"),
        ("D", "p[len(drafted)].argmax"),
        ("E", "if i > 0 and not"),
    ],
)
def test_the_guilty_part_is_shown(letter, code):
    shown = evidence.differing_code(bug(SPECIMENS[letter]))
    assert code in shown
    assert len(shown.splitlines()) < 8
