"""The figure of this elective, drawn from made-up data."""

from course_utils.lessons.who_waits_for_whom import figures

ROWS = (1, 2, 4, 8, 16)
PICTURES = {
    "slowest": lambda: figures.slowest(
        {
            f"texts of {n} tokens": {r: 1 + (r - 1) ** 0.5 / n for r in ROWS}
            for n in (16, 32, 64, 256)
        },
        {r: 1 + (r - 1) ** 0.5 / 30 for r in ROWS},
    ),
}
