"""Answers that the exercise of this room does not hold itself."""

from course_utils.lessons.engines_compared.checks import check_rates_by_rule, rates_by_rule


def rates_row_by_row(p, q, kept):
    """Lists, sorted by hand."""
    found = {"drawn": [], "top": [], "likeliest": []}
    for target, draft in zip(p.tolist(), q.tolist(), strict=True):
        order = sorted(range(len(draft)), key=lambda i: -draft[i])
        mass = sum(draft[i] for i in order[:kept])
        found["drawn"].append(sum(map(min, target, draft)))
        found["top"].append(sum(min(target[i], draft[i] / mass) for i in order[:kept]))
        found["likeliest"].append(target[order[0]])
    return {name: sum(rates) / len(rates) for name, rates in found.items()}


RIGHT_ANSWERS = [(check_rates_by_rule, rates_row_by_row)]

WRONG_ANSWERS = [
    (check_rates_by_rule, lambda p, q, kept: 0.7, "Return a dict with drawn, top, likeliest"),
    (check_rates_by_rule, lambda *case: rates_by_rule(*case) | {"top": 0.5}, "top: For 2 rows"),
]
