"""Each figure of this lesson, drawn from made-up data."""

import numpy as np

from course_utils.lessons.production_engines import figures

PICTURES = {
    "deviations": lambda: figures.deviations(
        {
            "none": (0.6, -0.2),
            "ngram": (31.0, 44.0),
            "draft_model": (120.4, 200.0),
            "draft_model_greedy": (-15.0, 3.0),
            "suffix": (-0.7, 25.9),
        },
        dict.fromkeys(
            ("none", "ngram", "draft_model", "draft_model_greedy", "suffix"),
            np.array([[-5.0, 5.5], [-4.2, 6.9]]),
        ),
    ),
    "positions": lambda: figures.positions(
        {
            "greedy": (0.85, 0.88, 0.95, 0.94),
            "T = 1, mended": (0.65, 0.64, 0.72, 0.67),
            "T = 1, as released": (0.13, 0.0, None, None),
        }
    ),
}
