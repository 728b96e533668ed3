"""Figures of a bench report: where a round's time goes, and what was predicted.

Rows and costs are those of `python -m course_utils bench --json`.
"""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import INK, LIGHTEST, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

Row = Mapping[str, object]


def round_budget(plain: Row, drafted: Sequence[Row]) -> Picture:
    """Milliseconds per round, stacked: drafting, verifying, host; and a token's share."""
    rows = [plain, *drafted]
    names = ["none", *(f"{row['gamma']}" for row in drafted)]
    rounds = [1e3 * row["tokens_per_round"] / row["tokens_per_second"] for row in rows]
    figure, (axes, tokens) = panels(2, height=3.7)
    bottom = [0.0] * len(rows)
    for share, role, label in (
        ("verify_share", "target", "target's pass"),
        ("draft_share", "draft", "draft's passes"),
        ("host_share", "neutral", "host: all the rest"),
    ):
        heights = [ms * row[share] for ms, row in zip(rounds, rows, strict=True)]
        axes.bar(names, heights, 0.75, bottom, label=label, **ROLES[role].bars())
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    axes.set(title="a round", ylabel="milliseconds")
    each = [1e3 / row["tokens_per_second"] for row in rows]
    best = min(range(len(each)), key=each.__getitem__)
    tokens.bar(names, each, 0.75, color=[INK if i == best else LIGHTEST for i in range(len(each))])
    tokens.set(title="a token")
    for ax in (axes, tokens):
        ax.set_xlabel("γ, drafted tokens per round")
        ax.grid(visible=False, axis="x")
    legend_below(figure, 3)
    entitle(
        figure,
        f"A round costs more and a token less: {each[best]:.1f} ms instead of {each[0]:.1f} ms",
    )
    return picture(
        figure,
        "Stacked time of a round for each gamma, and time per token; the least is "
        f"{each[best]:.2f} ms at gamma {names[best]}, {each[0]:.2f} ms without a draft.",
    )


def predicted_against_measured(rows: Sequence[Row]) -> Picture:
    """Decoding speedup over gamma: measured, predicted from costs and positions, and i.i.d."""
    gammas = [row["gamma"] for row in rows]
    measured = [row["decode_ratio"] for row in rows]
    figure, (axes,) = panels(height=3.6)
    for column, look, label in zip(
        ("predicted_ratio", "iid_ratio"),
        series(2),
        ("predicted: costs and acceptance by position", "predicted with one α for all positions"),
        strict=True,
    ):
        axes.plot(gammas, [row[column] for row in rows], label=label, **look.curve())
    axes.plot(gammas, measured, label="measured", **MEASURED.points() | {"ms": 8})
    axes.axhline(1, lw=1, color=NEUTRAL)
    axes.annotate("no draft", (gammas[0], 1), (0, -14), textcoords="offset points", color=NEUTRAL)
    axes.set(
        xlabel="γ, drafted tokens per round", ylabel="speedup over autoregressive", ylim=(0, None)
    )  # fmt: skip
    axes.legend(loc="lower right")
    worst = max(abs(row["predicted_ratio"] / row["decode_ratio"] - 1) for row in rows)
    entitle(figure, f"Costs and acceptance predict the speedup to within {worst:.0%}")
    return picture(
        figure,
        "Measured and predicted speedup over gamma; measured "
        + ", ".join(f"{value:.2f}" for value in measured),
    )
