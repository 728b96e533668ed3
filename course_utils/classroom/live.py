"""A prompt goes in, tokens stream out in colours: the decoder at work, with a stop button.

`so_far.follow` computes what there is to see after each round, `so_far_html` draws
it, `live` puts the controls around it, `finished` is its form on paper.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.live_view import (
    TYPED,
    SoFar,
    follow,
    head_html,
    message,
    so_far_html,
)
from course_utils.classroom.tokens import Decode, Html, coloured
from course_utils.classroom.words import in_words, message_of
from course_utils.classroom.worker import End, Worker
from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.sampling import Sampling

Run = Callable[[], Iterator[SoFar]]
ENDS = {
    "length": "the length asked for is reached",
    "stop_token": "the target ended the text",
    "context": "the target's context is full",
}


def live(
    target: LanguageModel,
    drafters: Mapping[str, Callable[[Sampling], Drafter | None]],
    encode: Callable[[str], Sequence[int]],
    decode: Decode,
    *,
    prompt: str = "",
    stop_tokens: Sequence[int] = (),
    gamma: int = 4,
    temperature: float = 0.0,
    max_new_tokens: int = 128,
    seed: int = 0,
) -> Card:
    """A decoder to play with; it starts nothing by itself.

    `drafters` maps a name to what makes a fresh drafter for a Sampling, or None
    for the target alone; the first one is chosen.

    Raises:
        ValueError: no drafters, or a default below its slider.
    """
    if not drafters:
        raise ValueError('no drafter to choose: give at least {"none": lambda sampling: None}')
    # it is sent at every key, so that a click on Start finds it here
    text = widgets.Textarea(prompt, description="prompt", rows=4, layout={"width": "auto"})
    text.add_class(TYPED)
    drafter = widgets.Dropdown(options=list(drafters), description="drafter")
    length = _slider(widgets.IntSlider, "guesses a round, γ", gamma, 1, 8)
    heat = _slider(widgets.FloatSlider, "temperature", temperature, 0.0, 2.0)
    limit = _slider(widgets.IntSlider, "new tokens at most", max_new_tokens, 1, 512)
    coins = _slider(widgets.IntSlider, "seed", seed, 0, 99)

    def run(prompt: str, name: str, sampling: Sampling, options: dict) -> Iterator[SoFar]:
        tokens, chosen = encode(prompt), drafters[name](sampling)
        rounds = generate(
            target, tokens, chosen, sampling=sampling, stop_tokens=stop_tokens, **options
        )
        yield from follow(rounds, decode, prompt)

    def as_set() -> tuple[str, Run]:
        """The prompt and the run that the controls ask for now."""
        options = {"gamma": length.value, "max_new_tokens": limit.value, "seed": coins.value}
        sampling = Sampling(temperature=heat.value)
        return text.value, partial(run, text.value, drafter.value, sampling, options)

    shell = _Shell(as_set)
    settings = widgets.Box([drafter, length, heat, limit, coins], layout={"flex_flow": "row wrap"})
    buttons = widgets.HBox([shell.start, shell.stop])
    return Card([text, settings, buttons, shell.view])


def finished(rounds: Iterable[Round], decode: Decode, prompt: str = "") -> Html:
    """The static twin: the text of a run that is over, with its metrics.

    Raises:
        ValueError: no rounds.
    """
    rounds = list(rounds)
    metrics, block = summarise(rounds), coloured(rounds, decode, prompt)
    head = head_html(metrics, _outcome(metrics))
    return Html(head + block.html, f"{message(metrics)}\n{block.text}")


class _Shell:
    """Start, stop and the view; written to by clicks and by the worker's thread."""

    def __init__(self, as_set: Callable[[], tuple[str, Run]]):
        self.start = widgets.Button(description="▶ Start")
        self.stop = widgets.Button(description="■ Stop")
        self.view = widgets.HTML()
        self._as_set = as_set
        self._worker: Worker[SoFar] = Worker(self._show)
        self._so_far = self._before = SoFar("")
        self._end: End | None = None
        self._draw("")
        self.start.on_click(self._start)
        self.stop.on_click(self._stop)

    def _start(self, _: widgets.Button) -> None:
        with self._worker.lock:
            prompt, run = self._as_set()
            if self._worker.start(run):
                self._before, self._so_far = self._so_far, SoFar(prompt)
                self._draw("")
            else:
                self._draw("To start anew, stop this run first.")

    def _stop(self, _: widgets.Button) -> None:
        with self._worker.lock:
            running = self._worker.stop()
            self._draw("" if running else "Nothing is running, so there is nothing to stop.")

    def _show(self, so_far: SoFar | None, end: End | None) -> None:
        if so_far:
            self._so_far, self._end = so_far, end
            self._draw("" if end else self._notice)
        else:  # a run that failed before its first round leaves the one before
            self._so_far = self._before
            self._draw(f"The new run did not start: {_why(end)}")

    def _draw(self, notice: str) -> None:
        self._notice = notice
        busy, stopping = self._worker.busy, self._worker.stopping
        self.start.disabled, self.stop.disabled = busy, stopping or not busy
        state = _doing(self._so_far, stopping) if busy else _ending(self._so_far, self._end)
        self.view.value = so_far_html(self._so_far, f"{state} {notice}")


def _doing(so_far: SoFar, stopping: bool) -> str:
    if stopping:
        return "Stopping after the round under way …"
    return "Decoding …" if so_far.metrics else "Reading the prompt …"


def _ending(so_far: SoFar, end: End | None) -> str:
    if end is None:
        return "Press Start."
    return f"An error ended the run: {_why(end)}" if end.error else _outcome(so_far.metrics)


def _why(end: End) -> str:
    return (isinstance(end.error, ValueError) and message_of(end.error)) or in_words(end.error)


def _outcome(metrics: Metrics) -> str:
    reason = metrics.stop_reason
    return f"Over: {ENDS[reason]}." if reason else "Stopped before its end."


def _slider(kind: type, name: str, value: float, low: float, high: float) -> widgets.Widget:
    if value < low:
        raise ValueError(f"{name} is {value}; the slider begins at {low}")
    return kind(value, min=low, max=max(high, value), description=name)
