"""A run, one round at a time, with buttons: what was drafted, p, q, the uniform, the verdict."""

from collections.abc import Sequence

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.round_html import round_html
from course_utils.classroom.round_view import by_uniforms, round_view
from course_utils.classroom.style import SIZE
from course_utils.classroom.tokens import Decode, Html
from course_utils.decoding.contracts import Round

PRINTED = 4  # rounds of the printed form: enough for a page


def stepper(rounds: Sequence[Round], decode: Decode, details: bool = True) -> Card:
    """Previous, next, play and a slider (click it, then ← →); on paper the first rounds.

    Args:
        details: the residual and the caches as well, for who has met them.

    Raises:
        ValueError: no rounds.
    """
    if not rounds:
        raise ValueError("there is no round to show: hand over the rounds of a run, as a list")
    rounds, last = list(rounds), len(rounds) - 1
    slider = widgets.IntSlider(0, 0, last, description="round", readout=False)
    slider.style.description_width = "initial"
    play = widgets.Play(value=0, min=0, max=last, interval=1200)
    view, uniforms = (
        widgets.HTML(),
        by_uniforms(rounds),
    )  # once: with a large vocabulary it takes time
    buttons = [_button("◀ previous", slider, -1), _button("next ▶", slider, 1)]
    widgets.link((play, "value"), (slider, "value"))

    def drawn(index: int) -> str:
        return round_html(round_view(rounds, index, decode, uniforms), details)

    def draw(_: object = None) -> None:
        view.value = drawn(slider.value)

    slider.observe(draw, "value")
    draw()
    printed = "<hr>".join(map(drawn, range(min(PRINTED, len(rounds)))))
    still = Html(f'<div style="font-size:{SIZE}">{printed}</div>', _in_words(rounds, decode))
    return Card([widgets.HBox([*buttons, play, slider]), view], still)


def _in_words(rounds: Sequence[Round], decode: Decode) -> str:
    return "\n".join(
        f"round {number}: drafted {decode(list(r.drafted))!r}, emitted {decode(list(r.emitted))!r}"
        for number, r in enumerate(rounds[:PRINTED], start=1)
    )


def _button(label: str, slider: widgets.IntSlider, step: int) -> widgets.Button:
    button = widgets.Button(description=label)
    button.on_click(lambda _: _move(slider, step))
    return button


def _move(slider: widgets.IntSlider, step: int) -> None:
    slider.value = min(max(slider.value + step, slider.min), slider.max)
