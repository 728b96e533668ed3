"""The playground's charts: two distributions, and what was emitted, as pictures."""

from course_utils.classroom.chart import Chart
from course_utils.classroom.palette import ACCEPTED, CORRECTION, DRAFT, REJECTED, TARGET
from course_utils.lessons.acceptance_rule.playground_state import PlaygroundView

HEIGHT = 250


def charts(view: PlaygroundView) -> tuple[Chart, Chart]:
    """The two distributions side by side, and below them what was emitted, in the outline of p."""
    return _distributions(view), _emitted(view)


def playground_html(view: PlaygroundView) -> str:
    """Both charts as markup."""
    return "".join(chart.svg() for chart in charts(view))


def _distributions(view: PlaygroundView) -> Chart:
    """Word by word p and q: the shared part of each, and what the other lacks."""
    chart = _axes(view, _overlap_title(view), max(*view.p, *view.q), alt=_both_distributions(view))
    for i, (p, q, both) in enumerate(zip(view.p, view.q, view.shared, strict=True)):
        for x, value, colour, left, dash in (
            (i - 0.2, p, TARGET, CORRECTION, ""),
            (i + 0.2, q, DRAFT, REJECTED, "4 3"),
        ):
            chart.bar(x, both, colour, width=0.38)
            if value > both:
                chart.bar(x, value, left, base=both, width=0.38, dash=dash)
            chart.text(x, value, f"{value:.2f}", lift=4)
        if view.residual and view.residual[i] > 0:
            chart.text(i, 0, f"residual {view.residual[i]:.2f}", lift=-37)
        chart.line([(i - 0.44, both), (i + 0.44, both)], "currentColor", width=3.5)
    chart.legend(
        [
            ("min(p, q)", "currentColor", ""),
            ("p", TARGET, "square"),
            ("p has more", CORRECTION, "square"),
            ("q", DRAFT, "square"),
            ("q has more", REJECTED, "square"),
        ]
    )
    return chart


def _emitted(view: PlaygroundView) -> Chart:
    """Frequencies of the emitted words, in the outline of p."""
    n = max(view.tally.draws, 1)
    kept = [count / n for count in view.tally.accepted]
    tops = [x + count / n for x, count in zip(kept, view.tally.corrected, strict=True)]
    chart = _axes(view, _emitted_title(view), max(*view.p, *tops), _counted(view))
    for i, (p, low, top) in enumerate(zip(view.p, kept, tops, strict=True)):
        if low > 0:
            chart.bar(i, low, ACCEPTED, width=0.6)
        if top > low:
            chart.bar(i, top, CORRECTION, base=low, width=0.6, dash="4 3")
        chart.bar(i, p, "none", width=0.84)
    chart.legend(
        [
            ("accepted drafts", ACCEPTED, "square"),
            ("corrections", CORRECTION, "square"),
            ("p, as it should be", "none", "square"),
        ]
    )
    return chart


def _axes(
    view: PlaygroundView, title: str, highest: float, x_label: str = "", alt: str = ""
) -> Chart:
    top = 1.19 * next(step for step in (0.25, 0.5, 0.75, 1.0) if highest <= step + 1e-9)
    ticks = [(i, word) for i, word in enumerate(view.words)]
    return Chart(
        title, (-0.5, len(ticks) - 0.5), (0, top), x_ticks=ticks, x_label=x_label,
        y_label="probability", height=HEIGHT, alt=f"{title}. {alt or x_label}.",
    )  # fmt: skip


def _overlap_title(view: PlaygroundView) -> str:
    if view.residual is None:
        return "p and q are the same: every draft is accepted (α = 1.00)"
    if view.alpha < 1e-12:
        return "p and q share nothing: every draft is rejected (α = 0.00)"
    return f"p and q share {view.alpha:.2f}: that is α, the probability to accept a draft"


def _both_distributions(view: PlaygroundView) -> str:
    rows = zip(view.words, view.p, view.q, strict=True)
    return "; ".join(f"{word}: p {p:.2f}, q {q:.2f}" for word, p, q in rows)


def _emitted_title(view: PlaygroundView) -> str:
    if not view.tally.draws:
        return "Draw samples: the stacks will fill the outline of p"
    return (
        f"{_samples(view)}: TV {view.distance:.3f} from p; "
        f"sampling noise alone gives {view.chance:.3f}"
    )


def _samples(view: PlaygroundView) -> str:
    n = view.tally.draws
    return f"{n:,} sample{'s' * (n != 1)}"


def _counted(view: PlaygroundView) -> str:
    kept = sum(view.tally.accepted)
    if not view.tally.draws:
        return f"none drawn yet; α = {view.alpha:.3f} of them should be accepted drafts"
    share = kept / view.tally.draws
    return f"{kept:,} accepted drafts, a share of {share:.3f} (α is {view.alpha:.3f})"
