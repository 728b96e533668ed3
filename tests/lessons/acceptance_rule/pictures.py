"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.acceptance_rule import by_hand, figures
from course_utils.lessons.acceptance_rule.darts import throw
from tests.pictures import COMMON, REST, WORDS, P, Q

PICTURES = {
    "overlap_and_residual": lambda: figures.overlap_and_residual(WORDS, P, Q),
    "darts": lambda: figures.darts(WORDS, P, Q, throw(P, Q, 400, 0)),
    "one_pass": lambda: figures.one_pass(by_hand.TEXT, ["roof", "and", "sang"]),
    "on_paper": lambda: figures.on_paper(by_hand.PLACES, by_hand.DRAFTED),
    "built_distributions": lambda: figures.built_distributions(
        WORDS, P, {"the residual": (COMMON, REST), "p itself": (COMMON, 0.35 * P)}
    ),
}
