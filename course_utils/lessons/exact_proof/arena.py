"""The rule arena: choose a rule or a bug, see whether its distribution drifts from p.

`exam` finds out what a decoder does, `arena_view` says what to make of it, `arena_charts`
draws it; `arena` puts a menu and sliders around it.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.chart import pile
from course_utils.lessons.exact_proof.arena_charts import charts
from course_utils.lessons.exact_proof.arena_view import ArenaView, arena_view, verdict
from course_utils.lessons.exact_proof.exam import GAMMAS, MENU, Outcome, examine

START = "resample from p"
Examine = Callable[[str, int, float], Outcome]  # (name, gamma, agreement)


def arena_html(view: ArenaView) -> str:
    """What the decoder does, both charts, the verdict in words."""
    outcome, (distribution, errors) = view.outcome, charts(view)
    return (
        f"<div><b>{escape(outcome.name)}</b>: {escape(outcome.what)}.</div>"
        f"{distribution.svg()}{errors.svg()}<div>{escape(verdict(view))}</div>"
    )


def arena(
    menu: Mapping[str, str] = MENU,
    examine: Examine = examine,
    start: str = START,
    gammas: Sequence[int] = GAMMAS,
) -> Card:
    """A menu (what is read -> name) over what `examine` finds; on paper stands the start.

    Raises:
        ValueError: `start` is not on the menu.
    """
    if start not in menu.values():
        raise ValueError(f"{start!r} is not on the menu; choose {', '.join(menu.values())}")
    name = widgets.Dropdown(options=list(menu.items()), value=start, description="decoder")
    gamma = widgets.IntSlider(
        max(gammas), min(gammas), max(gammas), description="drafted per round"
    )
    agreement = widgets.FloatSlider(
        0.5, min=0, max=1, step=0.25, description="draft knows", readout_format=".0%"
    )
    view = widgets.HTML()

    def seen() -> ArenaView:
        return arena_view(examine(name.value, gamma.value, agreement.value))

    def redraw(_=None) -> None:
        view.value = arena_html(seen())

    for control in (name, gamma, agreement):
        control.observe(redraw, "value")
    redraw()
    return Card([name, gamma, agreement, view], pile(charts(seen())))
