"""The experiment counts what the loop says, and strays as it claims; the evidence is true."""

import numpy as np
import pytest

from course_utils.lessons.exact_proof import dice, evidence
from course_utils.lessons.exact_proof.checks import SPECIMENS
from course_utils.models.toys.tables import TableModel
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


def test_counts_stray_as_chance_has_it():
    """Of 27,000 counts one is outside the band in some ten thousand; so few are."""
    truth = dice.by_text(SMALL.truth(), SMALL)
    counts = np.random.default_rng(0).multinomial(200_000, truth, 1000)
    strayed = np.array([dice.strayed(row, truth) for row in counts])
    assert strayed.std() == pytest.approx(1, abs=0.02)
    assert (abs(strayed) > dice.USUAL).mean() < 4e-4


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


def test_the_log_is_the_exams():
    log = evidence.log_of(FLAT, CORRECT)
    assert log == {
        "TV": 0,
        "acceptance": pytest.approx(np.minimum(P, Q).sum()),
        "tokens per round": pytest.approx(tokens_per_round(FLAT.first_rounds(CORRECT))),
    }


def test_only_the_named_specimens_are_silent():
    specimens, right, silent = evidence.whole_zoo(SMALL)
    assert {name for name, tv, _ in specimens if tv < 1e-12} == {*silent}
    assert all(tv > 1e-6 for name, tv, _ in specimens if name not in silent)
    assert right == pytest.approx(evidence.log_of(SMALL, CORRECT)["acceptance"])


def test_not_strict_accepts_what_the_target_never_says():
    p, q = np.array([[0.0, 1.0], [0.5, 0.5]]), np.array([[0.5, 0.5]])
    loose = bug("not strict").decoder.rule.verify
    assert loose(p, q, (0,), [0.0, 0.5]).accepted == 1


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
