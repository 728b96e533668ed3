"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.verification_rules import figures
from tests.pictures import COMMON, GRID, REST, WORDS, P, Q

LOSSLESS = {"token-wise": (2.49, 0.0), "block": (2.52, 0.0), "greedy match": (1.58, 0.0)}
LOSSY = {"typical": (2.81, 0.2), "p >= q": (1.95, 0.43)}
MIXTURE = {"": (2.49, 0.0), "w = 0.5": (2.73, 0.15), "w = 0": (3.0, 0.28)}
PICTURES = {
    "offers": lambda: figures.offers(
        WORDS, P, {"one": Q, "another": P}, "A mass that is offered twice is accepted once"
    ),
    "outputs": lambda: figures.outputs(
        WORDS, P, {name: (COMMON, REST) for name in ("token-wise", *"ABCD")}
    ),
    "gains": lambda: figures.gains({g: (GRID, g * (1 - GRID) / 30) for g in (1, 2, 3, 5)}),
    "chart": lambda: figures.chart(LOSSLESS, LOSSY, MIXTURE),
}
