"""Each figure of this lesson, drawn from made-up data."""

import numpy as np

from course_utils.decoding.trees import chain, star
from course_utils.lessons.trees_and_heads import figures

SECONDS, PRICES = np.linspace(0, 0.25, 6), np.linspace(0, 0.16, 5)
WORTH = 1 + np.outer(np.linspace(1, 0, 5), SECONDS)

PICTURES = {
    "masks": lambda: figures.masks(
        {"chain": chain(4), "star": star(4), "a tree": (-1, -1, 0, 0, 1)}
    ),
    "ranks": lambda: figures.ranks(
        {"drawn": [0.72, 0.1, 0.05, 0.02], "the likeliest": [0.5, 0.12, 0.06, 0.03]}
    ),
    "reading": figures.reading,
    "crossover": lambda: figures.crossover(
        {"draft model": WORTH, "eagle": 2 * WORTH - 1},
        SECONDS,
        PRICES,
        {"draft model": 0.08, "eagle": 0.11},
        {"H200, 32 texts": 0.085, "this machine": 0.08},
    ),
}
