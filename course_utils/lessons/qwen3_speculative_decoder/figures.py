"""A certificate as a table, and the speedup predicted from the costs of a round."""

from collections.abc import Mapping

from course_utils.classroom.palette import MEASURED, NEUTRAL
from course_utils.classroom.picture import Picture, finished, panels
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.measuring.speedups import mark_impossible
from course_utils.proofs.certificate import INCONCLUSIVE, PAIR, Certificate, Check

TABLES = "on tables, every path"
PLACES = {PAIR: "on the pair", "made-up models": "on made-up models"}


def speedup_over_gamma(
    predicted: Mapping[int, float], raced: Mapping[int, float], tokens: Mapping[int, float],
    with_prompts: Mapping[int, float] | None = None,
) -> Picture:  # fmt: skip
    """Draw the speedup over plain decoding, predicted for every gamma and raced at some.

    Args:
        tokens: per round, for every gamma that was raced.
        with_prompts: the prediction for whole runs, including their prompts.
    """
    figure, (axes,) = panels(height=3.6)
    axes.axhline(1, color=NEUTRAL, linewidth=1)
    axes.plot(list(predicted), list(predicted.values()), label="predicted", **MEASURED.curve())
    if with_prompts:
        values, style = list(with_prompts.values()), {"color": NEUTRAL, "linestyle": "--"}
        axes.plot(list(with_prompts), values, label="predicted, with the prompts", **style)
    axes.plot(list(raced), list(raced.values()), label="raced", **MEASURED.points())
    marked = mark_impossible(axes, raced, tokens)
    axes.set(
        xticks=list(predicted), xlabel="γ, tokens drafted per round",
        ylabel="speedup (1: plain decoding)",
        ylim=(0, 1.1 * max(1.1, *predicted.values(), *raced.values())),
    )  # fmt: skip
    axes.legend(loc="lower left")
    expected = with_prompts or predicted
    ratios = [speedup / expected[gamma] for gamma, speedup in raced.items()]
    best = max(raced, key=raced.get)
    message = f"Raced: {min(ratios):.2f} to {max(ratios):.2f} of the prediction"
    top = f"The best is {raced[best]:.2f} at γ = {best}, where {expected[best]:.2f} was predicted"
    return finished(figure, message, alt=f"{top}{marked}")


def certificate_table(certificate: Certificate) -> Html:
    """Return a table: where the checks ran, how many passed, and which failed."""
    checks: dict[str, list[Check]] = {}
    for check in certificate.checks:
        where, inside, _ = check.name.partition(":")
        checks.setdefault(PLACES.get(where, where) if inside else TABLES, []).append(check)
    rows = [
        {
            "where": where,
            "passed": f"{sum(check.passed for check in made)} of {len(made)}",
            "detectable by samples": ", ".join(c.sees for c in made if c.sees),
            "failed": "; ".join(f"{c.name}. {c.detail}" for c in made if not c.passed),
        }
        for where, made in checks.items()
    ]
    verdict = certificate.verdict
    if verdict == INCONCLUSIVE:
        verdict += ": no check failed, but some were not run"
    not_run = "".join(f"; not run: {reason}" for reason in certificate.not_run)
    return table(rows, f"{verdict}{not_run}")
