"""What the questions of lesson 09 take for true is true: enumerated here."""

from course_utils.decoding.outcomes import Outcome, censored
from course_utils.decoding.rules import BLOCK, GREEDY_MATCH, TOKEN_WISE
from course_utils.lessons.adaptive_speculation.checks import check_would_have
from course_utils.lessons.adaptive_speculation.quiz import BUDGET, UNSURE_GUESS, WHOLE_DRAFT
from course_utils.lessons.adaptive_speculation.sorted_rules import (
    EXAM,
    KNOWN_AFTER,
    KNOWN_BEFORE,
    of_drafter,
    verdicts,
)
from course_utils.proofs.decoders import Decoder


def right(question):
    return next(choice for choice in question.choices if choice.right)


def test_what_was_known_before_is_lossless_and_changes_lengths_within_a_text():
    """Three of them within the first round; the others once a round is over."""
    shown = verdicts(KNOWN_BEFORE, (TOKEN_WISE, BLOCK, GREEDY_MATCH))
    assert sum("," in row["first drafts"] for row in shown) >= 3
    found = [float(row[name]) for row in shown for name in row if name.startswith("TV")]
    assert len(found) == 18
    assert max(found) < 1e-12
    assert right(UNSURE_GUESS).text.startswith("Submitting it")


def test_what_is_known_after_is_lossy():
    for name in ("drop a guess below 0.4", "budget from these confidences"):
        drafter = KNOWN_AFTER[name].drafter
        assert of_drafter(drafter) > 1e-2
        assert EXAM.distance(Decoder(BLOCK, drafter)) > 1e-2
        assert EXAM.distance(Decoder(GREEDY_MATCH, drafter)) < 1e-12
    assert right(BUDGET).text.startswith("No: rows behind a guess")


def test_a_whole_draft_is_censored():
    assert [check_would_have.solution(4, 4, n) for n in (1, 4, 8)] == [2, 5, "unknown"]
    assert censored([Outcome(4, 4, 4), Outcome(4, 4, 1)]) == 5 / 6
    assert "at least four" in right(WHOLE_DRAFT).text
