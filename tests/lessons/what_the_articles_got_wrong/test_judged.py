"""The verdicts: each from its cases, the formulas those of the theory, the decoders as they say."""

import doctest

import pytest

from course_utils.decoding.theory import optimal_gamma
from course_utils.lessons.what_the_articles_got_wrong import claimed, figures, manners
from course_utils.lessons.what_the_articles_got_wrong.checks import FAULTS
from course_utils.lessons.what_the_articles_got_wrong.rows import (
    DEPENDS,
    TRUE,
    WRONG,
    Line,
    as_table,
)
from course_utils.lessons.what_the_articles_got_wrong.specimens import (
    decoder_a,
    decoder_b,
    decoder_c,
    distance,
)


def test_the_examples_hold():
    assert doctest.testmod(claimed).failed == 0


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [([True, True], TRUE), ([True, False], DEPENDS), ([False, False], WRONG), ([False], WRONG)],
)
def test_a_verdict_is_that_of_its_cases(holds, verdict):
    line = Line("000", "<a claim>", holds, "computed")
    assert line.verdict == verdict
    assert verdict in as_table([line]).text
    assert "&lt;a claim&gt;" in as_table([line]).html


def test_what_needs_no_model_is_judged_as_it_was():
    found = {line.claim: (line.verdict, line.computed) for line in claimed.lines()}
    assert [verdict for verdict, _ in found.values()].count(WRONG) == 6
    assert "7.5 times; best is γ = 4, 1.98." in str(found)
    assert "2.40 with c = 0.1, 1.66 with c = 0.2" in str(found)


@pytest.mark.parametrize(("alpha", "c"), [(0.7, 0.1), (0.8, 0.3), (0.9, 0.2)])
def test_the_best_number_is_that_of_the_theory_or_none(alpha, c):
    assert claimed.best_count(alpha, c, 19) == optimal_gamma(alpha, c)[0]
    assert claimed.best_count(c, alpha, 19) == 0


def test_the_decoders_are_as_the_exercise_says():
    found = [distance(decoder) for decoder in (decoder_a, decoder_b, decoder_c)]
    assert [tv < 1e-12 for tv in found] == [place == "none" for place in FAULTS.values()]
    assert min(found[1:]) > 0.01


def test_programs_are_judged_without_a_pair_of_models():
    """The lines that need one are in the notebook, which asserts what it says of them."""
    alone = (
        manners.exact_rule, manners.goes_on_after_the_end, manners.draft_follows, manners.accuracy,
        manners.first_loop, manners.second_loop, manners.chosen_by_length,
        manners.softened_training, manners.blockwise,
    )  # fmt: skip
    verdicts = {line().claim: line().verdict for line in alone}
    assert [*verdicts.values()].count(TRUE) == 2
    assert [*verdicts.values()].count(DEPENDS) == 3


def test_the_figure_says_how_far_the_nearest_claim_is():
    cells = claimed.printed_table()
    assert len(cells) == 12
    assert all(cell["claimed"] > 1.5 * cell["best"] >= 1.5 * cell["true"] for cell in cells)
    assert "claimed 4.41, true 1.59" in figures.promises(cells).alt
