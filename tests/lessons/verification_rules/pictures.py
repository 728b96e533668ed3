"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.verification_rules import figures
from tests.pictures import GRID, WORDS, P, Q

PICTURES = {
    "offers": lambda: figures.offers(
        WORDS, P, {"one": Q, "another": P}, "A mass that is offered twice is accepted once"
    ),
    "gains": lambda: figures.gains({g: (GRID, g * (1 - GRID) / 30) for g in (1, 2, 3, 5)}),
}
