"""Where two greedy runs part, in words and as a picture.

A divergence is what `proofs.ties.compare` found: it has the two tokens, and for each
of two scorings by how much the one leads the other.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

from course_utils.classroom.palette import KINDS, MARKS, NEUTRAL, REJECTED, TARGET
from course_utils.classroom.picture import Picture, panels, picture
from course_utils.classroom.tokens import Decode, Html
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import emitted_tokens

HEADINGS = ("text so far", "alone", "in a round", "as", "lead alone", "rows", "lead among", "")


def in_context(cases: Sequence[tuple[Sequence[int], Sequence[Round], Any]], decode: Decode) -> Html:
    """One line a divergence: the text before it, what each run said next, the two leads.

    A case is (prompt, rounds of the speculative run, a divergence found in them).  The
    speculative token has the colour of how it came about.
    """
    lines = [_line(prompt, rounds, d, decode) for prompt, rounds, d in cases]
    if not lines:
        return Html("<p>no divergence</p>", "no divergence")
    head = "".join(f'<th style="text-align:left">{escape(heading)}</th>' for heading in HEADINGS)
    body = "".join(
        "<tr>"
        f'<td style="text-align:left"><code>{escape(text)}</code></td>'
        f"<td>{_token(alone, 'target')}</td><td>{_token(among, kind)}</td>"
        + "".join(f"<td>{escape(figure)}</td>" for figure in (kind, *figures))
        + "</tr>"
        for text, alone, among, kind, *figures in lines
    )
    return Html(
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
        "\n".join(" | ".join(line) for line in [HEADINGS, *lines]),
    )


def leads(rounding: Sequence[Any], broken: Sequence[Any], noise: float) -> Picture:
    """The lead of one token over the other, alone and among k rows, beside the noise.

    Left the divergences of a correct decoder, right those of a broken one; logits.
    """
    figure, (left, right) = panels(2, width=9.5, height=3.8)
    for axes, found, colour in ((left, rounding, TARGET), (right, broken, REJECTED)):
        axes.axvspan(-noise, noise, color=NEUTRAL, alpha=0.2, linewidth=0, label="noise")
        axes.axvline(0, color=NEUTRAL, linewidth=1)
        for i, d in enumerate(found):
            ends = (d.alone.margin, d.among.margin)
            axes.plot(ends, (i, i), "-", color=colour, linewidth=1)
            axes.plot(ends[0], i, "o", color=colour, label=None if i else "scored alone")
            axes.plot(ends[1], i, "D", mfc="white", color=colour, label=None if i else "among k")
        axes.set_ylim(max(len(found), 1) - 0.3, -0.7)  # the first on top
        axes.set_yticks([])
        axes.set_xlabel("lead of the plain run's token, in logits")
    if not rounding:
        left.text(0, 0, "no divergence on this machine", ha="center", color=NEUTRAL)
    left.set_xlim(-2 * noise - 0.1, 2 * noise + 0.1)
    left.set_title(f"Rounding: {_ties(rounding)}")
    right.set_title(f"A bug: {_ties(broken)}")
    right.legend(loc="best", fontsize=9)
    return picture(
        figure,
        f"Leads in logits, noise {noise:.2f}. Correct decoder: {_ties(rounding)}. "
        f"Broken decoder: {_ties(broken)}",
    )


def _ties(found: Sequence[Any]) -> str:
    return f"{sum(d.verdict != 'bug' for d in found)} of {len(found)} are numerical ties"


def _line(
    prompt: Sequence[int], rounds: Sequence[Round], d: Any, decode: Decode
) -> tuple[str, ...]:
    before = [*prompt, *emitted_tokens(rounds)[: d.position]]
    return (
        "…" + decode(before)[-32:].replace("\n", "⏎"),
        *(_visible(decode([token])) for token in (d.autoregressive, d.speculative)),
        [kind for r in rounds for kind in r.kinds][d.position],
        f"{d.alone.margin:+.3f}",
        str(d.among.rows),
        f"{d.among.margin:+.3f}",
        d.verdict,
    )


def _visible(text: str) -> str:
    return text.replace("\n", "⏎").replace(" ", "␣")


def _token(text: str, kind: str) -> str:
    style = f"background:{KINDS[kind]}55;border-radius:3px;{MARKS[kind]}"
    return f'<code style="{style}">{escape(text)}</code>'
