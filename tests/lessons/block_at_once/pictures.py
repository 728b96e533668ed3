"""The figures of this elective, drawn from made-up numbers."""

from course_utils.lessons.block_at_once import ahead, figures

RATES = {"eagle": [0.63, 0.63, 0.62, 0.62], "block": [0.6, 0.4, 0.3, 0.25]}
SPEEDS = {"eagle": [1.2, 1.25, 1.1, 1.0], "block": [1.15, 1.2, 1.15, 1.1]}
DRAFTING = {"eagle": [0.2, 0.4, 0.6, 0.8], "block": [0.25, 0.25, 0.25, 0.25]}
PICTURES = {
    "by_position": lambda: figures.by_position(RATES | {ahead.AVERAGED: [1.0, 0.8, 0.5, 0.3]}),
    "crossing": lambda: figures.crossing(SPEEDS, SPEEDS, DRAFTING),
}
