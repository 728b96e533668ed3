"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.acceptance_rule import figures
from course_utils.lessons.acceptance_rule.darts import throw
from tests.pictures import COMMON, REST, WORDS, P, Q

PICTURES = {
    "overlap_and_residual": lambda: figures.overlap_and_residual(WORDS, P, Q),
    "darts": lambda: figures.darts(WORDS, P, Q, throw(P, Q, 400, 0)),
    "built_distributions": lambda: figures.built_distributions(
        WORDS, P, {"the residual": (COMMON, REST), "p itself": (COMMON, 0.35 * P)}
    ),
}
