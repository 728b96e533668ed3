"""Figures of this lesson: acceptance by kind of text, and where a lookup found its draft."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from course_utils.classroom.palette import (
    ACCEPTED,
    INK,
    NEUTRAL,
    TINT,
    mix,
)
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.tokens import Html, block, marked


def acceptance_bars(
    acceptance: Mapping[str, Mapping[str, Mapping[str, tuple[float, int]]]],
) -> Picture:
    """setting -> drafter -> kind of text -> (alpha, guesses examined), a panel per setting."""
    figure, all_axes = panels(len(acceptance), height=3.9)
    for axes, (setting, drafters) in zip(all_axes, acceptance.items(), strict=True):
        kinds = list(next(iter(drafters.values())))
        width = 0.8 / len(kinds)
        for k, kind in enumerate(kinds):
            rates, examined = np.transpose([drafters[name][kind] for name in drafters])
            places = np.arange(len(drafters)) + (k - (len(kinds) - 1) / 2) * width
            # kinds of text are steps of the one colour of acceptance
            step = mix(ACCEPTED, "#FFFFFF", 0.8 * k / max(len(kinds) - 1, 1))
            axes.bar(
                places, rates, width, yerr=np.sqrt(rates * (1 - rates) / examined), capsize=3,
                color=step, edgecolor=ACCEPTED, ecolor=INK, label=kind,
            )  # fmt: skip
        axes.set_xticks(range(len(drafters)), list(drafters))
        axes.set_ylim(0, 1.05)
        axes.grid(axis="x", visible=False)
        axes.set_title(setting)
    all_axes[0].set_ylabel("α: accepted / examined")
    legend_below(figure, 3)
    entitle(figure, "The same drafter fares differently on each kind of text")
    return picture(
        figure,
        "Bars of alpha with standard errors for each drafter and kind of text: "
        + "; ".join(
            f"{setting}, {name}: " + ", ".join(f"{k} {a:.2f}" for k, (a, _) in kinds.items())
            for setting, drafters in acceptance.items()
            for name, kinds in drafters.items()
        ),
    )


def match_in_text(texts: Sequence[str], start: int, length: int, copied: int) -> Html:
    """Where a lookup found the ending of a text, and what it copies from there.

    `texts` are the pieces of the text, one a token; the match is
    `length` tokens from `start`, the copy the `copied` tokens after it.
    """
    end, ending = start + length, len(texts) - length
    shown = {i: _match(text) for i, text in enumerate(texts) if start <= i < end or i >= ending}
    shown |= {i: marked(texts[i], "draft") for i in range(end, min(end + copied, ending))}
    markup = "".join(shown.get(i, escape(text)) for i, text in enumerate(texts))
    legend = (
        f"{_match('ending')} how the text ends, and the same tokens earlier",
        f"{marked('draft', 'draft')} what followed them: the draft",
    )
    return block(
        markup,
        legend,
        f"ends in {''.join(texts[-length:])!r}, seen before; "
        f"copies {''.join(texts[end : end + copied])!r}",
    )


def _match(text: str) -> str:
    style = f"background:{NEUTRAL}{TINT};border-radius:3px;font-weight:bold"
    return f'<span style="{style}"><b>{escape(text)}</b></span>'
