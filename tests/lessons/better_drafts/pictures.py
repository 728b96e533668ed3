"""Each figure of this lesson, drawn from made-up data."""

import numpy as np

from course_utils.lessons.better_drafts import figures
from course_utils.training.ladder import Rung

RNG = np.random.default_rng(0)
ALPHA = RNG.uniform(0.01, 0.99, 500)
NORMS = {
    "forward KL": 1.2 - ALPHA,
    "reverse KL": 1.5 - ALPHA,
    "JSD": 1.3 - ALPHA,
    "TV": ALPHA * (1 - ALPHA),
    "-log α": 1 - ALPHA,
    "LK mixture": 0.9 - 0.8 * ALPHA,
}
ALPHAS = {
    (loss, text): [0.4 + 0.01 * i + shift + noise for noise in (0, 0.002, 0.003)]
    for text, shift in (("the corpus", 0.0), ("its own text", 0.004), ("the target's text", 0.01))
    for i, loss in enumerate(NORMS)
}
RUNGS = [Rung(1, 256, 10**6, 0.35, 4), Rung(4, 256, 10**6, 0.6, 3), Rung(8, 256, 10**7, 0.7, 3)]
PICTURES = {
    "shares": lambda: figures.shares(ALPHA, NORMS),
    "learning": lambda: figures.learning([0.4, 0.41, 0.425, 0.43], 30720),
    "losses": lambda: figures.losses(ALPHAS, 0.39),
    "cut": lambda: figures.cut({1: 0.2, 4: 0.25, 8: 0.36}, {1: 0.16, 4: 0.31, 8: 0.53}, RUNGS),
}
