"""The playground: change two distributions, watch what they share and what the rule emits.

`playground_state` computes, `playground_charts` draws; `playground` puts sliders, fields
and buttons around it.
"""

from collections.abc import Sequence
from html import escape

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.chart import Still, pile
from course_utils.lessons.acceptance_rule.playground_charts import charts, playground_html
from course_utils.lessons.acceptance_rule.playground_state import (
    PRESETS,
    Distribution,
    distribution,
    emit,
    nothing_yet,
    playground_view,
    preset,
    typed,
)

WORDS = ("mat", "sofa", "roof", "floor", "moon")  # the lesson's, with its p and q
P = (0.45, 0.25, 0.15, 0.10, 0.05)
Q = (0.25, 0.10, 0.40, 0.15, 0.10)
A_TICK = 20  # samples drawn at each tick of Play
PRINTED = 1000  # samples of the printed form: the frequencies are near p, and not equal to it
HINT = "The sliders are weights: p and q are each made to sum to one."


def playground(
    words: Sequence[str] = WORDS, p: Sequence[float] = P, q: Sequence[float] = Q, seed: int = 0
) -> Card:
    """Two distributions over `words` to change; p and q are weights, made to sum to one.

    On paper they stand as given, after `PRINTED` samples.

    Raises:
        ValueError: not one weight per word, not 2 to 6 words, or no weight above 0.
    """
    start = distribution(p, "p"), distribution(q, "q")
    nothing = nothing_yet(len(start[0]))
    playground_view(words, *start, nothing)  # before any widget is made
    printed = playground_view(words, *start, emit(*start, nothing, PRINTED, seed))
    return _Playground(tuple(words), start, seed, pile(charts(printed))).card


class _Playground:
    """The controls, the p and q they last agreed on, and the samples drawn from those."""

    def __init__(
        self,
        words: tuple[str, ...],
        start: tuple[Distribution, Distribution],
        seed: int,
        still: Still,
    ):
        self._words, self._start, self._seed = words, start, seed
        self._now, self._tally = start, nothing_yet(len(words))
        self._moving = False  # are the sliders being set by the program?
        self._sliders = [
            [self._slider(f"{name}({word})", value) for word, value in zip(words, row, strict=True)]
            for name, row in zip("pq", start, strict=True)
        ]
        self._fields = [self._field(place) for place in (0, 1)]
        self._message, self._view = widgets.HTML(HINT), widgets.HTML()
        columns = [
            widgets.VBox([*sliders, field], layout={"width": "50%"})
            for sliders, field in zip(self._sliders, self._fields, strict=True)
        ]
        self.card = Card(
            [
                _row([_button(name, lambda _, name=name: self._choose(name)) for name in PRESETS]),
                widgets.HBox(columns),
                self._message,
                _row(self._draw_buttons()),
                self._view,
            ],
            still,
        )
        self._draw()

    def _slider(self, label: str, value: float) -> widgets.FloatSlider:
        slider = widgets.FloatSlider(
            value, min=0, max=1, step=0.01, description=label, readout=False,
            style={"description_width": "6em"}, layout={"width": "95%"},
        )  # fmt: skip
        slider.observe(self._slid, "value")
        return slider

    def _field(self, place: int) -> widgets.Text:
        field = widgets.Text(
            description=f"type {'pq'[place]}",
            placeholder=" ".join(f"{x:.2f}" for x in self._start[place]),
            continuous_update=False,
            style={"description_width": "6em"},
            layout={"width": "95%"},
        )
        field.observe(lambda _: self._typed(field, place), "value")
        return field

    def _draw_buttons(self) -> list[widgets.Widget]:
        play = widgets.Play(min=0, max=10**6, interval=150, show_repeat=False, description="play")
        play.observe(lambda event: self._sample(A_TICK if event["new"] else 0), "value")
        amounts = [
            _button(f"draw {count}", lambda _, count=count: self._sample(count))
            for count in (1, 10, 100, 1000)
        ]
        return [*amounts, play, _button("reset", lambda _: self._restart())]

    def _slid(self, event: dict) -> None:
        if not self._moving:
            rows = [[slider.value for slider in row] for row in self._sliders]
            self._attempt(
                lambda: (distribution(rows[0], "p"), distribution(rows[1], "q")), event["owner"]
            )

    def _typed(self, field: widgets.Text, place: int) -> None:
        if not self._moving and field.value.strip():
            self._attempt(lambda: self._with(place, field.value), field)

    def _with(self, place: int, text: str) -> tuple[Distribution, Distribution]:
        """The distributions now, but for the one that was typed: 0 is p, 1 is q."""
        distributions = list(self._now)
        distributions[place] = typed(text, self._words, "pq"[place])
        return tuple(distributions)

    def _choose(self, name: str) -> None:
        self._attempt(lambda: preset(name, self._start, self._now))

    def _attempt(self, distributions, source: widgets.Widget | None = None) -> None:
        """Take over what `distributions` returns, or say why not and keep what was."""
        try:
            self._now = distributions()
        except ValueError as problem:
            why = escape(str(problem))
            self._message.value = f"<b>{why}.</b> The charts below stay as they were."
            return
        self._message.value = HINT
        self._follow(source)
        self._restart()

    def _follow(self, source: widgets.Widget | None) -> None:
        """Bring the controls other than `source` in line with the distributions."""
        self._moving = True
        if not isinstance(source, widgets.FloatSlider):
            for row, values in zip(self._sliders, self._now, strict=True):
                for slider, value in zip(row, values, strict=True):
                    slider.value = value
        for field in self._fields:
            if field is not source:
                field.value = ""
        self._moving = False

    def _restart(self) -> None:
        self._tally = nothing_yet(len(self._words))
        self._draw()

    def _sample(self, count: int) -> None:
        self._tally = emit(*self._now, self._tally, count, self._seed)
        self._draw()

    def _draw(self) -> None:
        self._view.value = playground_html(playground_view(self._words, *self._now, self._tally))


def _row(children: Sequence[widgets.Widget]) -> widgets.Box:
    return widgets.Box(children, layout={"flex_flow": "row wrap"})


def _button(label: str, action) -> widgets.Button:
    button = widgets.Button(description=label, layout={"width": "auto"})
    button.on_click(action)
    return button
