"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.batched_speculation import figures

ROWS = (1, 2, 4, 8, 16)

PICTURES = {
    "slack": lambda: figures.slack(
        {k: 1 + k / 18 for k in (1, 2, 4, 8, 16, 32)}, {k: 1 + k / 22 for k in (1, 4, 8, 16, 32)}
    ),
    "drift": lambda: figures.drift(
        [[min(40, t * (1 + i % 4 / 2)) for t in range(9)] for i in range(8)]
    ),
    "batch_rates": lambda: figures.batch_rates(
        {g: {r: 120 * r**0.8 * (1 + g / (4 + r)) for r in ROWS} for g in (0, 2, 4)},
        {g: {r: 110 * r**0.8 * (1 + g / (4 + r)) for r in ROWS} for g in (0, 2, 4)},
    ),
    "gains_by_rows": lambda: figures.gains_by_rows(
        {r: 2.1 - r / 20 for r in ROWS}, {r: 2 - r / 16 for r in ROWS},
        {r: (1.8 - r / 15, 1.9 - r / 15, 2.1 - r / 15) for r in ROWS}, 4, 3.3,
    ),
    "gains_by_rows, some that cannot be": lambda: figures.gains_by_rows(
        {r: 2.1 - r / 20 for r in ROWS}, {r: 2 - r / 16 for r in ROWS},
        {r: (1.8, 3.4, 3.5) if r == 4 else (1.1, 1.2, 1.4) for r in ROWS}, 4, 3.3,
    ),
    "best_lengths": lambda: figures.best_lengths(
        {
            f"α = {alpha}": dict(zip(ROWS, best, strict=True))
            for alpha, best in {
                0.5: (2, 2, 1, 0, 0),
                0.7: (6, 4, 2, 1, 0),
                0.9: (8, 7, 5, 3, 2),
            }.items()
        }
    ),
}  # fmt: skip
