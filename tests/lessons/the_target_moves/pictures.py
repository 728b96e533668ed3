"""The figures of this elective, of made-up epochs."""

import numpy as np

from course_utils.lessons.the_target_moves import figures
from course_utils.lessons.the_target_moves.rollouts import Beside, Epoch

ACCEPTED = np.minimum(1, np.random.default_rng(0).uniform(0.7, 1.4, (3, 7)))
EPOCHS = [
    Epoch(None, [], 0.6, {}, Beside(0.97, ACCEPTED, 0.01), Beside(0.97 - 0.01 * i, ACCEPTED, 0.01))
    for i in range(3)
]
PICTURES = {
    "ageing": lambda: figures.ageing(EPOCHS),
    "all_together": lambda: figures.all_together(ACCEPTED),
}
