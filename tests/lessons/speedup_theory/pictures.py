"""Each figure of this lesson, drawn from made-up data."""

import numpy as np

from course_utils.engines.published import TABLES
from course_utils.lessons.speedup_theory import bench_figures, figures, plan_figures
from course_utils.lessons.speedup_theory.calibration import Calibration, Clock
from course_utils.lessons.speedup_theory.checks import foretell
from course_utils.lessons.speedup_theory.planner import plan
from course_utils.lessons.speedup_theory.rates import simulate
from tests.pictures import GAMMAS, ROWS, TOKENS

PASSES = {k: 1 + (k - 1) / 50 for k in range(1, 10)}
FOUND = Calibration([0.7] * 8, [0.02] * 8, 0.7, 0.69, 0.2, 0.05, 0.004, PASSES)
PLANNED = plan(FOUND.rates, FOUND.c, FOUND.v, FOUND.o, FOUND.t)
SECONDS = np.multiply.outer(PLANNED["seconds"], [0.95, 1.0, 1.1])
CLOCK = Clock([0, *GAMMAS], [1.0, *TOKENS], SECONDS)

PICTURES = {
    "tokens_per_round": lambda: figures.tokens_per_round(
        GAMMAS, {a: [simulate(a, gamma, 40) for gamma in GAMMAS] for a in (0.9, 0.7, 0.5)}
    ),
    "rates": lambda: figures.rates(GAMMAS, 0.8),
    "speedup_curves": lambda: figures.speedup_curves(
        range(1, 25), [(0.9, 0.05), (0.8, 0.1), (0.6, 0.1), (0.5, 0.2), (0.2, 0.3)]
    ),
    "mixed": lambda: figures.mixed([0.5, 0.9], 8, GAMMAS),
    "held_out": lambda: figures.held_out(TABLES, foretell, 2),
    "calibration": lambda: plan_figures.calibration(FOUND),
    "planned_and_measured": lambda: plan_figures.planned_and_measured(PLANNED, CLOCK, FOUND),
    "predicted_against_measured": lambda: bench_figures.predicted_against_measured(ROWS),
}
