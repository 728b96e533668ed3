"""What the questions of lesson 04 take for true is true; their numbers are computed here."""

import pytest

from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.theory import (
    acceptance_metrics,
    expected_tokens,
    mixed_text_tokens,
    speedup,
    speedup_limit,
)
from course_utils.lessons.speedup_theory.quiz import MIXED_TEXT, PERFECT_DRAFT, RATE_AND_GAMMA
from course_utils.lessons.speedup_theory.rates import foretold, mixed_rates, mixed_text


def right(question):
    return next(choice for choice in question.choices if choice.right)


def why(question, beginning):
    return next(c.why for c in question.choices if c.text.startswith(beginning))


def test_accepted_over_drafted_falls_though_the_draft_is_the_same():
    short, long = acceptance_metrics(0.8, 1), acceptance_metrics(0.8, 8)
    assert short["accepted / drafted"] == pytest.approx(0.8)
    assert long["accepted / drafted"] == pytest.approx(0.42, abs=0.005)
    assert "0.42" in right(RATE_AND_GAMMA).why
    assert long["accepted / examined"] == pytest.approx(short["accepted / examined"])
    assert long["accepted / emitted"] > short["accepted / emitted"]
    assert 8 * long["accepted / drafted"] == pytest.approx(3.3, abs=0.05)
    assert "3.3" in why(RATE_AND_GAMMA, "It rises")


def test_a_perfect_draft_pays_only_if_it_is_cheaper():
    for gamma in (1, 4, 16, 64):
        assert speedup(1.0, gamma, 1.0) == pytest.approx(1)
        assert 1 / 1.1 < speedup(1.0, gamma, 1.1) < 1 < speedup(1.0, gamma, 0.9) < 1 / 0.9
    assert right(PERFECT_DRAFT).text.startswith("Only if")
    assert speedup_limit(8, 0.1) == pytest.approx(5)
    assert "five times" in why(PERFECT_DRAFT, "No")


def test_rates_by_position_are_an_identity_only_at_the_gamma_where_they_were_measured():
    one, *_, eight = table = foretold([0.5, 0.9], 8, (1, 2, 4, 8))
    for row in table:
        assert row["by its own rates"] == pytest.approx(row["tokens per round"], abs=1e-12)
    assert eight["by the rates of γ = 8"] == pytest.approx(eight["tokens per round"], abs=1e-12)
    assert one["tokens per round"] - one["by the rates of γ = 8"] > 0.07
    loop = mixed_text([0.5, 0.9], 8, tokens=400, repeats=4)
    first = acceptance_by_position(loop, 8)[0]
    assert first == pytest.approx(mixed_rates([0.5, 0.9], 8)[0], abs=0.05)
    counted = summarise(loop).accepted_per_examined
    assert one["by the α of γ = 8"] - 1 == pytest.approx(counted, abs=0.05)


def test_mixed_text_gives_fewer_tokens_than_the_formula_at_the_mean():
    easy, hard, at_mean = (expected_tokens(alpha, 4) for alpha in (0.9, 0.5, 0.7))
    harmonic = mixed_text_tokens([0.9, 0.5], [0.5, 0.5], 4)
    assert harmonic < at_mean < (easy + hard) / 2
    numbers = {"Fewer": harmonic, "As": at_mean, "More": (easy + hard) / 2, "Only": hard}
    for beginning, number in numbers.items():
        assert f"{number:.2f}" in why(MIXED_TEXT, beginning)
    assert f"{easy:.1f}" in why(MIXED_TEXT, "Only")
    assert right(MIXED_TEXT).text.startswith("Fewer")
