"""Where two greedy runs part, in words and as a picture.

A divergence is what `proofs.ties.compare` found: it has the two tokens, and for each
of two scorings by how much the one leads the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from course_utils.classroom.palette import NEUTRAL, PALE, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.table import markup_table, text_table
from course_utils.classroom.tokens import Decode, Html, marked, visible
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import emitted_tokens

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADINGS = ("text so far", "alone", "in a round", "as", "lead alone", "rows", "lead among", "")


def in_context(cases: Sequence[tuple[Sequence[int], Sequence[Round], Any]], decode: Decode) -> Html:
    """One line per divergence: the text before it, what each run said next, the two leads.

    A case is (prompt, rounds of the speculative run, a divergence found in them).  The
    speculative token has the colour of how it came about.
    """
    lines = [_line(prompt, rounds, d, decode) for prompt, rounds, d in cases]
    if not lines:
        return Html("<p>no divergence</p>", "no divergence")
    cells = [
        (
            f"<code>{escape(text)}</code>",
            marked(alone, "target"),
            marked(among, kind),
            *map(escape, (kind, *figures)),
        )
        for text, alone, among, kind, *figures in lines
    ]
    return Html(markup_table(HEADINGS, cells, left=(0,)), text_table([HEADINGS, *lines], left=(0,)))


def leads(rounding: Sequence[Any], broken: Sequence[Any], noise: float) -> Picture:
    """The lead of one token over the other, alone and among k rows, beside the noise.

    Left the divergences of a correct decoder, right those of a broken one; logits.
    """
    figure, (left, right) = panels(2, height=4.2)
    for axes, found in ((left, rounding), (right, broken)):
        axes.axvspan(-noise, noise, color=PALE, lw=0, label="noise")
        axes.axvline(0, color=NEUTRAL, lw=1)
        for i, d in enumerate(found):
            _lead(axes, i, d)
        axes.set_ylim(max(len(found), 1) - 0.3, -0.7)  # the first on top
        axes.set_yticks([])
        axes.set_xlabel("lead of the plain run's token, in logits")
    if not rounding:
        left.text(0, 0, "no divergence on this machine", ha="center")
    left.set_xlim(-2 * noise - 0.1, 2 * noise + 0.1)
    left.set_ylabel("one divergence per line")
    left.set_title(f"rounding: {_ties(rounding)}")
    right.set_title(f"a bug: {_ties(broken)}")
    legend_below(figure, 3)
    entitle(figure, "Rounding decides near-ties only; a bug overrides clear leads, too")
    return picture(
        figure,
        f"Leads in logits, noise {noise:.2f}. Correct decoder: {_ties(rounding)}. "
        f"Broken decoder: {_ties(broken)}",
    )


def _lead(axes: Axes, place: int, d: Any) -> None:
    """One divergence: its lead scored alone, filled, and among the round's rows, hollow."""
    kind, verdict = ("rejected", "a bug") if d.verdict == "bug" else ("accepted", "a tie")
    dot, ends = ROLES[kind].points(), (d.alone.margin, d.among.margin)
    axes.plot(ends, (place, place), color=dot["color"], lw=1)
    axes.plot(ends[0], place, label=f"{verdict}, scored alone", **dot | {"ms": 6})
    hollow = {"mfc": "white", "mew": 1.3, "ms": 8, "label": f"{verdict}, in the round"}
    axes.plot(ends[1], place, zorder=1.9, **dot | hollow)


def _ties(found: Sequence[Any]) -> str:
    return f"{sum(d.verdict != 'bug' for d in found)} of {len(found)} are numerical ties"


def _line(
    prompt: Sequence[int], rounds: Sequence[Round], d: Any, decode: Decode
) -> tuple[str, ...]:
    before = [*prompt, *emitted_tokens(rounds)[: d.position]]
    return (
        "…" + visible(decode(before)[-32:]),
        *(_alone(decode([token])) for token in (d.autoregressive, d.speculative)),
        [kind for r in rounds for kind in r.kinds][d.position],
        f"{d.alone.margin:+.3f}",
        str(d.among.rows),
        f"{d.among.margin:+.3f}",
        d.verdict,
    )


def _alone(text: str) -> str:
    """A token outside its text: a blank at its beginning is part of it."""
    return visible(text).replace(" ", "␣")
