"""Each figure of this lesson, drawn from made-up data."""

import numpy as np

from course_utils.decoding.sampling import log_rows
from course_utils.lessons.better_drafts import (
    exit_figures,
    figures,
    tokenizer_figures,
    worth_figures,
)
from course_utils.lessons.better_drafts.distilled import Curve
from course_utils.lessons.better_drafts.exits import Known
from course_utils.lessons.better_drafts.greedy_or_sampled import over_temperature
from course_utils.lessons.better_drafts.other_tokenizer import Intersection
from course_utils.lessons.better_drafts.worth import Worth
from course_utils.training.ladder import Rung

RNG = np.random.default_rng(0)
ALPHA = RNG.uniform(0.01, 0.99, 500)
NORMS = {
    "forward KL": 1.2 - ALPHA,
    "reverse KL": 1.5 - ALPHA,
    "TV": ALPHA * (1 - ALPHA),
    "-log α": 1 - ALPHA,
    "LK mixture": 0.9 - 0.8 * ALPHA,
}
ALPHAS = {
    (loss, text): [0.4 + 0.01 * i + shift + noise for noise in (0, 0.002, 0.003)]
    for text, shift in (("the corpus", 0.0), ("its own text", 0.004), ("the target's text", 0.01))
    for i, loss in enumerate(NORMS)
}
ROWS = {
    f"p = {p}, q = {q}": over_temperature(
        log_rows(np.array([p])), log_rows(np.array([q])), figures.TEMPERATURES
    )
    for p, q in (([0.9, 0.1], [0.6, 0.4]), ([0.5, 0.3, 0.2], [0.4, 0.3, 0.3]))
}
BARE = {n: Known(0.06 * n + 0.04, 0.05 * n + 0.2) for n in (1, 2, 4, 8, 12, 16)}
SHARED = Intersection(0.2, 0.85, 0.7, 0.68, 0.96, 1.44, 0.18, 0.17)
PICTURES = {
    "slopes": lambda: figures.slopes(ALPHA, NORMS),
    "learning": lambda: figures.learning(Curve([0, 10240, 20480, 30720], [0.4, 0.41, 0.425, 0.43])),
    "losses": lambda: figures.losses(ALPHAS, 0.39),
    "two_kinds": lambda: figures.two_kinds(ROWS),
    "map_of_drafts": lambda: worth_figures.map_of_drafts(
        [
            Worth(name, alpha, c, 2.0, 1.5, 1.4, 2.0, 0)
            for name, alpha, c in (("small", 0.4, 0.05), ("large", 0.7, 0.3), ("copies", 0.6, 0.01))
        ],
        [Rung(1, 128, 10**6, 0.4, 4), Rung(2, 128, 10**6, 0.5, 4), Rung(8, 256, 10**7, 0.7, 3)],
        [0.1, 0.2, 0.5],
        0.05,
    ),
    "by_layer": lambda: exit_figures.by_layer(
        BARE, {1: 0.15, 2: 0.2, 4: 0.33, 8: 0.57}, {2: Known(0.35, 0.4), 4: Known(0.5, 0.5)}
    ),
    "restriction": tokenizer_figures.restriction,
    "shared": lambda: tokenizer_figures.shared(SHARED, 0.25),
}
