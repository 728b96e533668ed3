"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.character_simulator import figures
from tests.pictures import GAMMAS, GRID, TOKENS, WORDS, P, Q

PICTURES = {
    "overlap_bars": lambda: figures.overlap_bars(WORDS, P, Q),
    "calls_histogram": lambda: figures.calls_histogram([5, 6, 6, 7], P.repeat(8) / 8, 18),
    "calls_by_acceptance": lambda: figures.calls_by_acceptance(
        GRID, {name: 18 * (1 - GRID * k) for name, k in (("loop", 0.7), ("no bonus", 0.6))}, 18
    ),
    "tokens_by_gamma": lambda: figures.tokens_by_gamma(GAMMAS, TOKENS, TOKENS, 0.7),
}
