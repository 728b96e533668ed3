"""A certificate in the lesson: where something failed is said, with what is known of it."""

from course_utils.lessons.qwen3_speculative_decoder.figures import certificate_table
from course_utils.proofs.certificate import LOSSY, Certificate, Check

MADE = (
    Check("exact distribution", False, 0.2, 1e-12, detail="the texts of a mutant"),
    Check("greedy text", True, 0, 0),
    Check("made-up models: towards the draft", True, 3, 9, sees="TV 0.05 towards the draft"),
    Check("pair: texts of a wrong length", True, 0, 0),
)


def test_checks_are_counted_by_place_and_failures_told():
    text = certificate_table(Certificate(LOSSY, MADE, ("pair: too slow",), 1.0)).text
    first, _, tables, made_up, pair = text.splitlines()
    assert first == "lossy; not run: pair: too slow"
    assert "on tables, every path  1 of 2" in tables
    assert tables.endswith("exact distribution. the texts of a mutant")
    assert "1 of 1  TV 0.05 towards the draft" in made_up
    assert "on the pair" in pair
