"""Figures of this elective: a text cut into tokens, twelve promised speedups, the verdicts."""

from collections.abc import Mapping, Sequence
from html import escape

from course_utils.classroom.palette import (
    ACCEPTED,
    LIGHTEST,
    MEASURED,
    NEUTRAL,
    REJECTED,
    ROLES,
    TARGET,
    TINT,
)
from course_utils.classroom.picture import Picture, finished, panels
from course_utils.classroom.table import markup_table, text_table
from course_utils.classroom.tokens import Html, block


def cut(pieces: Sequence[bytes], reported: int) -> Html:
    """Show the text with a box per token; tokens beyond `reported` are highlighted.

    A character split over two tokens is shown with the second.
    """
    spans, texts, waiting = [], [], b""
    for place, piece in enumerate(pieces):
        waiting += piece
        try:
            text, waiting = waiting.decode(), b""
        except UnicodeDecodeError:  # in the middle of a character
            continue
        texts.append(text)
        colour, line = (TARGET, "solid") if place < reported else (REJECTED, "dashed")
        style = f"background:{colour}{TINT};border-bottom:2px {line} {colour};margin-right:2px"
        spans.append(f'<span style="{style}">{escape(text)}</span>')
    legend = [f"solid: tokens 1 to {reported}", f"dashed: tokens {reported + 1} to {len(pieces)}"]
    return block("".join(spans), legend, " ".join(texts))


def promises(cells: Sequence[Mapping[str, float]]) -> Picture:
    """Plot the claimed speedup, the true one and the best at any γ, for each α and c."""
    figure, (axes,) = panels(height=4.6)
    places = range(len(cells))[::-1]
    for place, cell in zip(places, cells, strict=True):
        axes.plot([cell["true"], cell["claimed"]], [place] * 2, color=LIGHTEST, linewidth=1)
    ring = ROLES["accepted"].points() | {"fillstyle": "none", "markersize": 9}
    for key, label, look in (
        ("claimed", "claimed, at γ = 5", ROLES["rejected"].points()),
        ("best", "best at any γ", ring),
        ("true", "true, at γ = 5", MEASURED.points() | {"markersize": 5}),
    ):
        axes.plot([cell[key] for cell in cells], places, label=label, **look)
    axes.axvline(1, color=LIGHTEST, linewidth=1)
    axes.set_yticks(places, [f"α = {cell['α']}, c = {cell['c']}" for cell in cells])
    axes.grid(axis="y", visible=False)
    axes.set(xlabel="times as fast as without a draft", xlim=(0, None))
    least = min(cell["claimed"] / cell["best"] for cell in cells)
    message = f"Every claim is at least {least:.1f} times the best possible speedup"
    values = (f"{name} {cell[name]:.2f}" for cell in cells for name in ("claimed", "best", "true"))
    return finished(figure, message, 3, f"For each α and c: {', '.join(values)}.")


SIGNS = {"true": ("✓", ACCEPTED), "depends": ("◐", NEUTRAL), "wrong": ("✗", REJECTED)}


def verdicts(lines: Sequence[Mapping[str, str]]) -> Html:
    """Show the verdicts as a table, each with a sign and a colour."""
    heads = ("article", "claim", "verdict", "computed")
    cells = []
    for line in sorted(lines, key=lambda line: line["article"]):
        sign, colour = SIGNS[line["verdict"]]
        mark = f'<b style="color:{colour};white-space:nowrap">{sign} {line["verdict"]}</b>'
        cells.append([escape(line["article"]), escape(line["claim"]), mark, line["computed"]])
    plain = [[line[head] for head in heads] for line in lines]
    return Html(markup_table(heads, cells, left=range(4)), text_table([heads, *plain], range(4)))
