"""Figures of this elective: a text cut into tokens, twelve promised speedups."""

from collections.abc import Sequence
from html import escape

from course_utils.classroom.palette import LIGHTEST, MEASURED, REJECTED, ROLES, TARGET, TINT
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.tokens import Html, block


def cut(pieces: Sequence[bytes], claimed: int) -> Html:
    """The text, a box for each token; those behind the claimed number stand out.

    A character of two tokens shows with the second.
    """
    spans, texts, waiting = [], [], b""
    for place, piece in enumerate(pieces):
        waiting += piece
        try:
            text, waiting = waiting.decode(), b""
        except UnicodeDecodeError:  # in the middle of a character
            continue
        texts.append(text)
        colour, line = (TARGET, "solid") if place < claimed else (REJECTED, "dashed")
        style = f"background:{colour}{TINT};border-bottom:2px {line} {colour};margin-right:2px"
        spans.append(f'<span style="{style}">{escape(text)}</span>')
    legend = [
        f'<span style="border-bottom:2px solid {TARGET}">tokens 1 to {claimed}</span>',
        f'<span style="border-bottom:2px dashed {REJECTED}">'
        f"tokens {claimed + 1} to {len(pieces)}</span>",
    ]
    return block("".join(spans), legend, " ".join(texts))


def promises(cells: Sequence[dict[str, float]]) -> Picture:
    """For each alpha and c: claimed, true at the same length, the most that any length gives."""
    figure, (axes,) = panels(height=4.6)
    places = range(len(cells))[::-1]
    for place, cell in zip(places, cells, strict=True):
        axes.plot([cell["true"], cell["claimed"]], [place] * 2, color=LIGHTEST, linewidth=1)
    marks = {
        "claimed": ROLES["rejected"].points(),
        "best": ROLES["accepted"].points() | {"fillstyle": "none", "markersize": 9},
        "true": MEASURED.points() | {"markersize": 5},
    }
    names = {
        "claimed": "claimed, at γ = 5", "best": "the most at any γ", "true": "true, at γ = 5"
    }  # fmt: skip
    for key, look in marks.items():
        axes.plot([cell[key] for cell in cells], places, label=names[key], **look)
    axes.axvline(1, color=LIGHTEST, linewidth=1)
    axes.set_yticks(places, [f"α = {cell['alpha']}, c = {cell['c']}" for cell in cells])
    axes.grid(axis="y", visible=False)
    axes.set(xlabel="times as fast as without a draft", xlim=(0, None))
    legend_below(figure, 3)
    least = min(cell["claimed"] / cell["best"] for cell in cells)
    entitle(figure, f"No claim is within reach: each is at least {least:.1f} times the possible")
    told = "; ".join(
        f"α = {c['alpha']}, c = {c['c']}: claimed {c['claimed']:.2f}, true {c['true']:.2f}, "
        f"at most {c['best']:.2f}"
        for c in cells
    )
    return picture(figure, f"Claimed speedups beside those of the theorem. {told}")
