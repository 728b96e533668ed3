"""Figures of a bench report: where a round's time goes, and what was predicted.

Rows and costs are those of `python -m workshop bench --json`.
"""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import MEASURED, NEUTRAL, series
from course_utils.classroom.picture import Picture, entitle, panels, picture

Row = Mapping[str, object]


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
