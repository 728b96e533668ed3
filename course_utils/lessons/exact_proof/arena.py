"""The rule arena: choose a rule or a bug, see whether its law drifts from p.

What a decoder does to the law is computed elsewhere (`exam`) and handed
in as a function.  `look` says what to make of it, `charts` and `arena_html` draw
it, `arena` puts a menu and sliders around it, `arena_still` is its form on paper.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

import ipywidgets as widgets
import numpy as np

from course_utils.classroom.card import Card
from course_utils.classroom.chart import Chart, Still, pile
from course_utils.classroom.palette import ACCEPTED, REJECTED

EXACT = 1e-12  # a smaller distance is the rounding of a sum
START = "resample from p"


class Outcome(Protocol):
    """What is known of a decoder; laws are over `texts`, in their order."""

    name: str
    what: str  # what it does, or what is wrong with it
    lossless: bool  # by design
    gamma: int
    agreement: float  # how much of the target the draft knows, 0 to 1
    texts: Sequence[str]
    truth: Sequence[float]
    law: Sequence[float]
    drift: float  # TV of the two
    acceptance: float
    tokens: float  # a round
    right_acceptance: float  # the same two of the token-wise rule
    right_tokens: float


Examine = Callable[[str, int, float], Outcome]  # (name, gamma, agreement)


@dataclass(frozen=True)
class View:
    """What there is to see of an outcome."""

    outcome: Outcome
    status: str  # "lossless", "lossy", or "unseen": wrong, but not by this exam
    errors: tuple[float, ...]  # law - truth; 0 where it is rounding
    log_differs: bool  # does acceptance differ in its first three digits?


def look(outcome: Outcome) -> View:
    """The verdict on an outcome.

    Raises:
        ValueError: the laws are not over the same texts.
    """
    if not len(outcome.texts) == len(outcome.truth) == len(outcome.law) > 0:
        raise ValueError(
            f"{len(outcome.texts)} texts, {len(outcome.truth)} true probabilities and "
            f"{len(outcome.law)} of the decoder: give one of each for every text"
        )
    off = np.subtract(outcome.law, outcome.truth)
    exact = outcome.drift < EXACT
    return View(
        outcome,
        "lossy" if not exact else "lossless" if outcome.lossless else "unseen",
        tuple(np.where(abs(off) < EXACT, 0.0, off).tolist()),
        f"{outcome.acceptance:.3f}" != f"{outcome.right_acceptance:.3f}",
    )


def charts(view: View) -> tuple[Chart, Chart]:
    """The law in the outline of p, and below it what is too much and too little."""
    return _law(view), _errors(view)


def arena_html(view: View) -> str:
    """What the decoder does, both charts, the verdict in words."""
    outcome, (law, errors) = view.outcome, charts(view)
    return (
        f"<div><b>{escape(outcome.name)}</b>: {escape(outcome.what)}.</div>"
        f"{law.svg()}{errors.svg()}<div>{escape(verdict(view))}</div>"
    )


def arena(
    menu: Mapping[str, str], examine: Examine, start: str = START, gammas: Sequence[int] = (1, 2)
) -> Card:
    """A menu (what is read -> name) over what `examine` finds.

    Raises:
        ValueError: `start` is not on the menu.
    """
    if start not in menu.values():
        raise ValueError(f"{start!r} is not on the menu; choose {', '.join(menu.values())}")
    name = widgets.Dropdown(options=list(menu.items()), value=start, description="decoder")
    gamma = widgets.IntSlider(max(gammas), min(gammas), max(gammas), description="drafted a round")
    agreement = widgets.FloatSlider(
        0.5, min=0, max=1, step=0.25, description="draft knows", readout_format=".0%"
    )
    view = widgets.HTML()

    def redraw(_=None) -> None:
        view.value = arena_html(look(examine(name.value, gamma.value, agreement.value)))

    for control in (name, gamma, agreement):
        control.observe(redraw, "value")
    redraw()
    return Card([name, gamma, agreement, view])


def arena_still(
    examine: Examine, name: str = START, gamma: int = 2, agreement: float = 0.5
) -> Still:
    """The static twin: both charts of one setting."""
    return pile(charts(look(examine(name, gamma, agreement))))


def verdict(view: View) -> str:
    """Is it lossless, how is that known, and what would a log have shown?"""
    o = view.outcome
    if view.status == "lossless":
        return f"Lossless: every text has exactly the target's probability. {_speed(o)}"
    if view.status == "unseen":
        hint = (
            "Let the draft know less of the target."
            if o.agreement > 0.99
            else "Draft more than one token a round."
        )
        return (
            "Wrong, and not found out: at this setting every text has the target's "
            f"probability. {hint}"
        )
    log = (
        f"A log would show acceptance {o.acceptance:.3f}; the token-wise rule has "
        f"{o.right_acceptance:.3f}."
        if view.log_differs
        else f"A log would show nothing: acceptance {o.acceptance:.3f}, the token-wise rule's "
        "to three digits."
    )
    return (
        f"Not lossless: {percent(o.drift)} of the probability is at the wrong texts "
        f"(TV {o.drift:.2g}). {log}"
    )


def percent(share: float) -> str:
    """Two digits of a share, however small: 0.0000713 -> "0.0071 %"."""
    return f"{np.format_float_positional(100 * share, 2, fractional=False, trim='-')} %"


def _speed(o: Outcome) -> str:
    more = o.tokens - o.right_tokens
    if abs(more) < EXACT:
        return f"It emits {o.tokens:.2f} tokens a round, as the token-wise rule does."
    word = "more" if more > 0 else "less"
    return (
        f"It emits {o.tokens:.3f} tokens a round, {word} than the token-wise rule "
        f"({o.right_tokens:.3f})."
    )


def _law(view: View) -> Chart:
    o = view.outcome
    top = 1.1 * max(*o.law, *o.truth)
    chart = Chart(
        _title(view), _width(o), (0, top), x_ticks=[(i, t[-1]) for i, t in enumerate(o.texts)],
        y_label="probability", height=270, alt=f"{_title(view)}. {verdict(view)}",
    )  # fmt: skip
    for i, (said, right) in enumerate(zip(o.law, o.truth, strict=True)):
        chart.bar(i, min(said, right), ACCEPTED, width=0.62)
        if view.errors[i] > 0:
            chart.bar(i, said, REJECTED, base=right, width=0.62, dash="3 2")
        chart.bar(i, right, "none", width=0.88)
    for beginning, places in _groups(o.texts).items():
        chart.text(sum(places) / len(places), 0, f"{beginning}…", lift=-37)
    chart.legend(
        [
            ("as the target", ACCEPTED, "square"),
            ("said too often", REJECTED, "square"),
            ("p (empty: said too rarely)", "none", "square"),
        ]
    )
    return chart


def _errors(view: View) -> Chart:
    o, errors = view.outcome, view.errors
    largest = max(map(abs, errors)) or 0.01
    unit, scale = ("per cent", 100) if largest >= 0.001 else ("millionths", 1e6)
    span = 1.15 * scale * largest
    label = (
        f"first round: acceptance {o.acceptance:.3f} (token-wise {o.right_acceptance:.3f}), "
        f"{o.tokens:.3f} tokens (token-wise {o.right_tokens:.3f})"
    )
    chart = Chart(
        _errors_title(view), _width(o), (-span, span), x_ticks=[(0, "")], x_label=label,
        y_label=unit, height=190, alt=f"{_errors_title(view)}. In the {label}.",
    )  # fmt: skip
    for i, error in enumerate(errors):
        if error:
            colour, dash = (REJECTED, "3 2") if error > 0 else ("none", "")
            chart.bar(i, scale * error, colour, width=0.62, dash=dash)
    chart.line([(_width(o)[0], 0), (_width(o)[1], 0)], "currentColor", width=1.2)
    return chart


def _errors_title(view: View) -> str:
    texts, errors = view.outcome.texts, view.errors
    if not any(errors):
        return "Law − p: zero for every text"
    most, least = texts[errors.index(max(errors))], texts[errors.index(min(errors))]
    return f"Law − p: {most} comes too often, {least} too rarely"


def _width(outcome: Outcome) -> tuple[float, float]:
    return -0.7, len(outcome.texts) - 0.3


def _title(view: View) -> str:
    name, drift = view.outcome.name, view.outcome.drift
    return {
        "lossless": f"{name}: every text is as likely as it should be",
        "unseen": f"{name}: this setting does not show what is wrong",
        "lossy": f"{name}: {percent(drift)} of the probability is at wrong texts",
    }[view.status]


def _groups(texts: Sequence[str]) -> dict[str, list[int]]:
    """Places of the texts that begin alike: AAA, AAB, ... -> {"AA": [0, 1, 2], ...}"""
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        groups.setdefault(text[:-1], []).append(place)
    return groups
