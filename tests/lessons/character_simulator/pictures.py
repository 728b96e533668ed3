"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.character_simulator import figures
from tests.pictures import GAMMAS, TOKENS, WORDS, P, Q

PICTURES = {
    "overlap_bars": lambda: figures.overlap_bars(WORDS, P, Q),
    "calls_histogram": lambda: figures.calls_histogram([5, 6, 6, 7], 18, 0.8, 3),
    "calls_by_acceptance": lambda: figures.calls_by_acceptance(18, 3),
    "tokens_by_gamma": lambda: figures.tokens_by_gamma(GAMMAS, TOKENS, TOKENS, 0.7),
}
