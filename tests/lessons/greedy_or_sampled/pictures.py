"""The figure of this elective, of two rows."""

import numpy as np

from course_utils.decoding.sampling import log_rows
from course_utils.lessons.greedy_or_sampled import figures
from course_utils.lessons.greedy_or_sampled.temperatures import over_temperature

ROWS = {
    f"p = {p}, q = {q}": over_temperature(
        log_rows(np.array([p])), log_rows(np.array([q])), figures.TEMPERATURES
    )
    for p, q in (([0.9, 0.1], [0.6, 0.4]), ([0.5, 0.3, 0.2], [0.4, 0.3, 0.3]))
}
PICTURES = {"two_kinds": lambda: figures.two_kinds(ROWS)}
