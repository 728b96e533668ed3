"""Published figures under test: a formula before a tester, a table against itself."""

from collections.abc import Callable, Mapping

from course_utils.decoding.theory import speedup

# REFERENCES.md: article-003, its table of "measured" results:
# draft length, acceptance rate, share of the target's calls saved
MEASURED = ((3, 0.85, 0.45), (5, 0.78, 0.58), (8, 0.70, 0.67), (12, 0.62, 0.72))


def verdicts(tester: Callable, formulas: Mapping[str, Callable]) -> list[dict]:
    """One line a formula: the point at which the tester finds it wrong, claim and truth there."""
    rows = []
    for name, formula in formulas.items():
        row = {"formula": name, "wrong at": "nowhere", "claimed": None, "truth": None}
        if (point := tester(formula)) is not None:
            point = point[0], int(point[1]), point[2]  # it may be an array
            row["wrong at"] = "α = {:g}, γ = {:g}, c = {:g}".format(*point)
            row |= {"claimed": formula(*point), "truth": speedup(*point)}
        rows.append(row)
    return rows


def readings(four_readings: Callable[[int, float, float], Mapping[str, float]]) -> list[dict]:
    """`MEASURED`, and its tokens per round by the calls saved and by each meaning of its rate."""
    return [
        {"γ": gamma, "rate": f"{100 * rate:.0f} %", "calls saved": f"{100 * saved:.0f} %"}
        | dict(four_readings(gamma, rate, saved))
        for gamma, rate, saved in MEASURED
    ]
