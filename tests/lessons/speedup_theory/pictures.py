"""Each figure of this lesson, drawn from made-up data."""

import numpy as np

from course_utils.decoding.theory import expected_tokens
from course_utils.decoding.theory import speedup as speedup_of
from course_utils.lessons.speedup_theory import bench_figures, figures
from tests.pictures import GAMMAS, GRID, ROWS, TOKENS, bench_row

MAP = np.array([[max(1.0, speedup_of(a, 4, c)) for a in GRID] for c in GRID])
CURVES = {
    f"α = {a}, c = {c}": [speedup_of(a, g, c) for g in range(1, 25)]
    for a, c in ((0.9, 0.05), (0.8, 0.1), (0.6, 0.1), (0.5, 0.2), (0.2, 0.3))
}

SIMULATED = {
    a: ([expected_tokens(a, g) for g in GAMMAS], np.full(8, 0.05)) for a in (0.9, 0.7, 0.5)
}

RATES = {
    "accepted / drafted": [t / g - 0.4 for t, g in zip(TOKENS, GAMMAS, strict=True)],
    "accepted / examined (α)": [0.7] * 8,
    "accepted / emitted": [1 - 1 / t for t in TOKENS],
}

PICTURES = {
    "tokens_per_round": lambda: figures.tokens_per_round(
        GAMMAS, {a: means for a, (means, _) in SIMULATED.items()}, SIMULATED
    ),
    "rates": lambda: figures.rates(GAMMAS, RATES),
    "by_position": lambda: figures.by_position(
        [0.7] * 8, [0.05] * 8, 0.7, GAMMAS, {"formula at α": TOKENS, "measured": TOKENS}
    ),
    "speedup_curves": lambda: figures.speedup_curves(range(1, 25), CURVES),
    "speedup_map": lambda: figures.speedup_map(GRID, GRID, MAP, np.full(MAP.shape, 4)),
    "predicted_and_measured": lambda: figures.predicted_and_measured(
        range(1, 10),
        1 + np.arange(9) / 50,
        GAMMAS,
        {"with v and o": TOKENS, "textbook": TOKENS},
        np.multiply.outer([0.9, 1, 1.1], TOKENS),
    ),
    "claim": lambda: figures.claim(
        range(1, 17),
        {"claim A": 5 * np.arange(1, 17), "truth": [2] * 16, "limit": [5] * 16},
        "No draft gives more than 5×",
        "k, drafted tokens per round",
    ),
    "round_budget": lambda: bench_figures.round_budget(bench_row("plain", None, 350), ROWS),
    "predicted_against_measured": lambda: bench_figures.predicted_against_measured(ROWS),
}
