"""Figures of this lesson: gains on each kind of text, and the match of a lookup."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from course_utils.classroom.palette import ACCEPTED, INK, NEUTRAL, TINT, mix
from course_utils.classroom.picture import Picture, finished, panels
from course_utils.classroom.tokens import Html, block, marked
from course_utils.decoding.contracts import Round

Runs = Mapping[tuple[str, str, str], Sequence[Round]]  # (setting, drafter, kind of text): rounds


def gains_by_text(runs: Runs) -> Picture:
    """Plot tokens per round of each drafter on each kind of text, a panel for each setting."""
    settings, drafters, kinds = (list(dict.fromkeys(names)) for names in zip(*runs, strict=True))
    figure, all_axes = panels(len(settings), height=3.9)
    width = 0.8 / len(kinds)
    in_words = []
    for axes, setting in zip(all_axes, settings, strict=True):
        for k, kind in enumerate(kinds):
            emitted = [[len(r.emitted) for r in runs[setting, name, kind]] for name in drafters]
            means = np.array([np.mean(own) for own in emitted])
            places = np.arange(len(drafters)) + (k - (len(kinds) - 1) / 2) * width
            axes.bar(
                places, means - 1, width, bottom=1, label=kind, edgecolor=ACCEPTED, ecolor=INK,
                yerr=[np.std(own) / np.sqrt(len(own)) for own in emitted], capsize=3,
                # the colour of acceptance, a lighter shade for each kind of text
                color=mix(ACCEPTED, "#FFFFFF", 0.8 * k / max(len(kinds) - 1, 1)),
            )  # fmt: skip
            pairs = zip(drafters, means, strict=True)
            in_words.append(f"{setting}, {kind}: {', '.join(f'{d} {m:.2f}' for d, m in pairs)}")
        axes.set_xticks(range(len(drafters)), [name.replace(" ", "\n") for name in drafters])
        axes.set_ylim(0.95, max(4.0, axes.get_ylim()[1]))
        axes.grid(axis="x", visible=False)
        axes.set_title(setting)
    all_axes[0].set_ylabel("tokens per round (1 = no gain)")
    alt = f"Bars of tokens per round with standard errors. {'; '.join(in_words)}."
    return finished(figure, "A drafter's gain depends on the kind of text", len(kinds), alt)


def match_in_text(texts: Sequence[str], start: int, length: int, copied: int) -> Html:
    """Show where a lookup found the ending of a text, and what it copies from there.

    `texts` has one string per token. The match is the `length` tokens from
    `start`, the copy is the `copied` tokens after it.
    """
    end, ending = start + length, len(texts) - length
    spans = {i: _match(text) for i, text in enumerate(texts) if start <= i < end or i >= ending}
    spans |= {i: marked(texts[i], "draft") for i in range(end, min(end + copied, ending))}
    legend = (
        f"{_match('ending')} the end of the text, and the same tokens earlier",
        f"{marked('draft', 'draft')} what followed earlier: the draft",
    )
    return block(
        "".join(spans.get(i, escape(text)) for i, text in enumerate(texts)),
        legend,
        f"ends in {''.join(texts[-length:])!r}, seen before; "
        f"copies {''.join(texts[end : end + copied])!r}",
    )


def _match(text: str) -> str:
    style = f"background:{NEUTRAL}{TINT};border-radius:3px;font-weight:bold"
    return f'<span style="{style}"><b>{escape(text)}</b></span>'
