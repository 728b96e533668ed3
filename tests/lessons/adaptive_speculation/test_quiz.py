"""What the questions of lesson 09 take for true is true: enumerated here."""

import pytest

from course_utils.authoring.notebooks import lesson_paths, read_lesson
from course_utils.decoding.outcomes import Outcome, censored
from course_utils.lessons.adaptive_speculation import sorted_rules
from course_utils.lessons.adaptive_speculation.checks import check_would_have
from course_utils.lessons.adaptive_speculation.quiz import BUDGET, UNSURE_GUESS, WHOLE_DRAFT
from course_utils.lessons.adaptive_speculation.sorted_rules import KNOWN_AFTER, KNOWN_BEFORE


def right(question):
    return next(choice for choice in question.choices if choice.right)


def test_submitting_the_unsure_guess_keeps_the_output_and_dropping_it_does_not():
    submits = KNOWN_BEFORE["threshold 0.4 (transformers)"].drafter
    drops = KNOWN_AFTER["drop a guess below 0.4"].drafter
    assert sorted_rules.of_drafter(submits) < 1e-12 < 1e-2 < sorted_rules.of_drafter(drops)
    assert right(UNSURE_GUESS).text.startswith("Submitting it")


@pytest.mark.parametrize("name", KNOWN_BEFORE)
def test_what_was_known_before_is_lossless(name):
    assert sorted_rules.of_drafter(KNOWN_BEFORE[name].drafter) < 1e-12


def test_the_rules_of_the_first_table_do_change_lengths_within_a_text():
    """Three of them within the first round; the others once a round is over."""
    shown = sorted_rules.verdicts(KNOWN_BEFORE)
    assert sum("," in row["first drafts"] for row in shown) >= 3
    assert {row["output"] for row in shown} == {"the target's"}


def test_a_present_budget_is_lossy_and_a_stale_one_is_not():
    present, stale = (
        KNOWN_AFTER["budget from these confidences"].drafter,
        KNOWN_BEFORE["stale budget (vLLM)"].drafter,
    )
    assert sorted_rules.of_drafter(stale) < 1e-12 < 1e-2 < sorted_rules.of_drafter(present)
    assert right(BUDGET).text.startswith("No: rows behind a guess")


def test_what_the_theorem_does_not_cover_may_be_lossless_by_one_verification_and_not_by_another():
    """It is sufficient, not necessary."""
    own, earlier = sorted_rules.by_verification()
    assert [name for name, tv in own.items() if "e-" in tv] == ["greedy match"]
    assert [name for name, tv in earlier.items() if "e-" in tv] == ["token-wise", "greedy match"]
    assert float(earlier["block"]) > 0.05


def test_the_code_that_the_lesson_shows_asks_the_stop_rule():
    """Before each pass and after it, as the text behind it says."""
    (path,) = lesson_paths(["09"])
    (shown,) = (cell for cell in read_lesson(path).cells if cell.id == "source-sampled")
    assert shown.outputs[0].data["text/plain"].count("if stop(rows, guesses):") == 2


def test_a_whole_draft_is_censored():
    known = check_would_have.right
    assert known(4, 4, 8) == "unknown"
    assert [known(4, 4, length) for length in range(1, 5)] == [2, 3, 4, 5]
    assert censored([Outcome(4, 4, 4), Outcome(4, 4, 1)]) == 5 / 6
    assert "at least four" in right(WHOLE_DRAFT).text
