"""The figure of this elective, drawn from made-up data."""

from course_utils.lessons.what_lossy_rules_cost import figures
from course_utils.lessons.what_lossy_rules_cost.effects import Cost

COLD = {
    "token-wise": Cost(3.2, 0.0), "greedy match": Cost(2.5, 0.0), "typical": Cost(4.2, 0.09),
    "p ≥ ½ q": Cost(3.9, 0.05), "p ≥ q": Cost(1.4, 0.41), "w = 0.75": Cost(3.9, 0.037),
    "w = 0.5": Cost(4.2, 0.07), "w = 0.25": Cost(4.6, 0.1),
}  # fmt: skip
WARM = {name: Cost(0.85 * cost.tokens, 1.6 * cost.distance) for name, cost in COLD.items()}
PICTURES = {"chart": lambda: figures.chart({0.6: COLD, 1.0: WARM}, 4, 0.15)}
