"""The arena's charts: the decoder's distribution over texts beside p, and their difference."""

from collections.abc import Sequence

from course_utils.classroom.chart import Chart
from course_utils.classroom.palette import ACCEPTED, REJECTED
from course_utils.lessons.exact_proof.arena_view import ArenaView, percent, verdict
from course_utils.lessons.exact_proof.exam import Outcome


def charts(view: ArenaView) -> tuple[Chart, Chart]:
    """The distribution in the outline of p, and below it what is too much and too little."""
    return _distribution(view), _errors(view)


def _distribution(view: ArenaView) -> Chart:
    o = view.outcome
    top = 1.1 * max(*o.distribution, *o.truth)
    chart = Chart(
        _title(view), _width(o), (0, top), x_ticks=[(i, t[-1]) for i, t in enumerate(o.texts)],
        y_label="probability", height=270, alt=f"{_title(view)}. {verdict(view)}",
    )  # fmt: skip
    for i, (said, right) in enumerate(zip(o.distribution, o.truth, strict=True)):
        chart.bar(i, min(said, right), ACCEPTED, width=0.62)
        if view.errors[i] > 0:
            chart.bar(i, said, REJECTED, base=right, width=0.62, dash="3 2")
        chart.bar(i, right, "none", width=0.88)
    for beginning, places in _groups(o.texts).items():
        chart.text(sum(places) / len(places), 0, f"{beginning}…", lift=-37)
    chart.legend(
        [
            ("as the target", ACCEPTED, "square"),
            ("said too often", REJECTED, "square"),
            ("p (empty: said too rarely)", "none", "square"),
        ]
    )
    return chart


def _errors(view: ArenaView) -> Chart:
    o, errors = view.outcome, view.errors
    largest = max(map(abs, errors)) or 0.01
    unit, scale = ("per cent", 100) if largest >= 0.001 else ("millionths", 1e6)
    span = 1.15 * scale * largest
    label = (
        f"first round: acceptance {o.acceptance:.3f} (token-wise {o.right_acceptance:.3f}), "
        f"{o.tokens:.3f} tokens (token-wise {o.right_tokens:.3f})"
    )
    chart = Chart(
        _errors_title(view), _width(o), (-span, span), x_ticks=[(0, "")], x_label=label,
        y_label=unit, height=190, alt=f"{_errors_title(view)}. In the {label}.",
    )  # fmt: skip
    for i, error in enumerate(errors):
        if error:
            colour, dash = (REJECTED, "3 2") if error > 0 else ("none", "")
            chart.bar(i, scale * error, colour, width=0.62, dash=dash)
    chart.line([(_width(o)[0], 0), (_width(o)[1], 0)], "currentColor", width=1.2)
    return chart


def _errors_title(view: ArenaView) -> str:
    texts, errors = view.outcome.texts, view.errors
    if not any(errors):
        return "Decoder − target: zero for every text"
    most, least = texts[errors.index(max(errors))], texts[errors.index(min(errors))]
    return f"Decoder − target: {most} comes too often, {least} too rarely"


def _width(outcome: Outcome) -> tuple[float, float]:
    return -0.7, len(outcome.texts) - 0.3


def _title(view: ArenaView) -> str:
    name, drift = view.outcome.name, view.outcome.drift
    return {
        "lossless": f"{name}: every text is as likely as it should be",
        "unseen": f"{name}: this setting does not show what is wrong",
        "lossy": f"{name}: {percent(drift)} of the probability is at wrong texts",
    }[view.status]


def _groups(texts: Sequence[str]) -> dict[str, list[int]]:
    """Places of the texts that begin alike: AAA, AAB, ... -> {"AA": [0, 1, 2], ...}"""
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        groups.setdefault(text[:-1], []).append(place)
    return groups
