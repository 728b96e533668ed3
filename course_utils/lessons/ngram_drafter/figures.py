"""Figures and tables of this lesson: drafters on kinds of text, and what a lookup found."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from course_utils.classroom.palette import ACCEPTED, INK, NEUTRAL, TINT, mix
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html, block, marked
from course_utils.decoding.metrics import Metrics

Runs = Mapping[tuple[str, str, str], Metrics]  # (setting, drafter, kind of text): how they went


def gains_table(runs: Runs, setting: str) -> Html:
    """What each drafter drafted, what was accepted of it, and what that saved, a line a run."""
    lines = [
        {
            "drafter": drafter,
            "text": kind,
            "drafted per round": f"{m.drafted / m.rounds:.2f}",
            "alpha": _share(m.accepted_per_examined),
            "accepted/drafted": _share(m.accepted_per_drafted),
            "tokens per round": f"{m.tokens_per_round:.2f}",
            "forwards per token": _share(m.target_forwards / m.tokens),
        }
        for (how, drafter, kind), m in runs.items()
        if how == setting
    ]
    return table(lines, f"{setting[0].upper()}{setting[1:]} decoding")


def cost_table(runs: Runs, alone: Metrics, setting: str, kind: str) -> Html:
    """c of each drafter, and the speedup if v = 1; `alone`: the target without a drafter.

    "one guess" is the speedup of a round with exactly one, at the same alpha and c.
    """
    forward, lines = alone.verify_seconds / alone.rounds, []
    for (how, drafter, text), m in runs.items():
        if (how, text) != (setting, kind):
            continue
        c = m.draft_seconds / max(m.drafted, 1) / forward
        speedup = m.tokens_per_round / (m.drafted / m.rounds * c + 1)
        alpha = m.accepted_per_examined or 0.0
        line = {"drafter": drafter, "tokens per round": m.tokens_per_round, "alpha": alpha, "c": c}
        lines.append(line | {"speedup if v = 1": speedup, "one guess": (1 + alpha) / (1 + c)})
    return table(lines, f"{setting[0].upper()}{setting[1:]} decoding of {kind}")


def _share(share: float | None) -> str | None:
    return None if share is None else f"{share:.3f}"


def acceptance_bars(runs: Runs) -> Picture:
    """alpha of each drafter on each kind of text, a panel for each setting."""
    settings, drafters, kinds = (list(dict.fromkeys(names)) for names in zip(*runs, strict=True))
    figure, all_axes = panels(len(settings), height=3.9)
    width = 0.8 / len(kinds)
    for axes, setting in zip(all_axes, settings, strict=True):
        for k, kind in enumerate(kinds):
            measured = [runs[setting, drafter, kind] for drafter in drafters]
            rates = np.array([m.accepted_per_examined or 0.0 for m in measured])
            examined = np.array([max(m.examined, 1) for m in measured])
            places = np.arange(len(drafters)) + (k - (len(kinds) - 1) / 2) * width
            # kinds of text are steps of the one colour of acceptance
            step = mix(ACCEPTED, "#FFFFFF", 0.8 * k / max(len(kinds) - 1, 1))
            axes.bar(
                places, rates, width, yerr=np.sqrt(rates * (1 - rates) / examined), capsize=3,
                color=step, edgecolor=ACCEPTED, ecolor=INK, label=kind,
            )  # fmt: skip
        axes.set_xticks(range(len(drafters)), [name.replace(" ", "\n") for name in drafters])
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
            f"{setting}, {drafter}: "
            + ", ".join(
                f"{kind} {runs[setting, drafter, kind].accepted_per_examined or 0:.2f}"
                for kind in kinds
            )
            for setting in settings
            for drafter in drafters
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
