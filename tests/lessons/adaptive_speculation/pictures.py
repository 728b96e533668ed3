"""Each figure of this lesson, drawn from made-up data."""

import numpy as np

from course_utils.decoding.outcomes import round_cost
from course_utils.lessons.adaptive_speculation import figures
from course_utils.lessons.adaptive_speculation.recorded_text import Text

COST = round_cost(0.15)
GAMMAS = range(1, 9)


def made_up(alpha, seed, places=120):
    """A text whose acceptance varies around alpha."""
    rng = np.random.default_rng(seed)
    accepted = np.clip(alpha + rng.normal(0, 0.1, places), 0, 1)
    return Text(accepted, accepted)


PICTURES = {
    "two_texts": lambda: figures.two_texts(
        {"code": made_up(0.8, 0), "Chinese": made_up(0.3, 1)}, COST
    ),
    "estimates": lambda: figures.estimates(
        0.8,
        GAMMAS,
        {"accepted / examined": [0.78] * 8, "accepted / drafted": [0.8 - g / 20 for g in GAMMAS]},
    ),
}
