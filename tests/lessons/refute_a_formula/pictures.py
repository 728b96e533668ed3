"""Each figure of this elective, drawn from made-up data."""

import numpy as np

from course_utils.lessons.refute_a_formula import figures

PICTURES = {
    "claim": lambda: figures.claim(
        range(1, 17),
        {"claim A": 5 * np.arange(1, 17), "truth": [2] * 16, "limit": [5] * 16},
        "No draft gives more than 5×",
        "k, drafted tokens per round",
    ),
}
