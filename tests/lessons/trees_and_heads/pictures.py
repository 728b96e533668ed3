"""Each figure of this lesson, drawn from made-up data."""

from course_utils.decoding.trees import chain, star
from course_utils.lessons.trees_and_heads import figures
from course_utils.lessons.trees_and_heads.reckoning import Budget

NAMES = ("short chain", "chain", "two chains", "star", "Sequoia's", "EAGLE-2's")
BUDGETS = [
    Budget(
        f"{name} of {i + 2}", i + 2, 3 - i / 3, 0.3 + i / 5, 1.1, 0.02, 2 - i / 4, 2.1 - i / 4, 2
    )
    for i, name in enumerate(
        ("draft model, chain", "eagle, chain", "eagle, tree", "mtp, chain", "medusa, chain")
    )
]

PICTURES = {
    "masks": lambda: figures.masks(
        {"chain": chain(4), "star": star(4), "a tree": (-1, -1, 0, 0, 1)}
    ),
    "ranks": lambda: figures.ranks(
        {"drawn": [0.72, 0.1, 0.05, 0.02], "the likeliest": [0.5, 0.12, 0.06, 0.03]}
    ),
    "costs": lambda: figures.costs([1 + k / 20 for k in range(13)], 13),
    "shapes": lambda: figures.shapes(
        {
            label: {name: (1.5 + i / 3 + t, 9.0 - i / 2) for i, name in enumerate(NAMES)}
            for t, label in enumerate(("T = 1", "T = 0"))
        }
    ),
    "reading": figures.reading,
    "two_schools": lambda: figures.two_schools(
        {
            "unrolled 1": ([0.42, 0.42, 0.41, 0.41], [0.42, 0.36, 0.33, 0.3]),
            "unrolled 5": ([0.4, 0.4, 0.39, 0.39], [0.4, 0.39, 0.39, 0.38]),
        }
    ),
    "budgets": lambda: figures.budgets(BUDGETS),
}
