"""A prompt goes in, tokens stream out in colours: the decoder at work, with a stop button.

`live_view.follow` computes what there is to see after each round, `live_html` draws it,
`live` puts the controls around it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import ipywidgets as widgets

from course_utils.classroom.card import NOT_RUN, Card
from course_utils.classroom.live_view import (
    TYPED,
    LiveView,
    follow,
    head_html,
    live_html,
    message,
)
from course_utils.classroom.tokens import Decode, Html, coloured
from course_utils.classroom.words import in_words, message_of
from course_utils.classroom.worker import End, Worker
from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.sampling import Sampling

Run = Callable[[], Iterator[LiveView]]
MakeDrafter = Callable[[Sampling], Drafter | None]
ENDS = {
    "length": "the length asked for is reached",
    "stop_token": "the target ended the text",
    "context": "the target's context is full",
}


def live(
    target: LanguageModel,
    drafters: Mapping[str, MakeDrafter],
    encode: Callable[[str], Sequence[int]],
    decode: Decode,
    *,
    prompt: str = "",
    stop_tokens: Sequence[int] = (),
    gamma: int = 4,
    temperature: float = 0.0,
    max_new_tokens: int = 128,
    seed: int = 0,
    still: Sequence[Round] = (),
) -> Card:
    """A decoder to play with; it starts nothing by itself.

    `drafters` maps a name to what makes a fresh drafter for a Sampling, or None for the
    target alone; the first one is chosen.  `still` are the rounds of a run that is over,
    of the same prompt: they are printed where no kernel runs.

    Raises:
        ValueError: no drafters, or a default below its slider.
    """
    if not drafters:
        raise ValueError('no drafter to choose: give at least {"none": lambda sampling: None}')
    controls = _Controls(prompt, list(drafters), gamma, temperature, max_new_tokens, seed)

    def as_set() -> tuple[str, Run]:
        """The prompt and the run that the controls ask for now."""
        text, make = controls.prompt.value, drafters[controls.drafter.value]
        sampling, options = Sampling(controls.temperature.value), controls.options()

        def run() -> Iterator[LiveView]:
            tokens, drafter = encode(text), make(sampling)
            rounds = generate(
                target, tokens, drafter, sampling=sampling, stop_tokens=stop_tokens, **options
            )
            yield from follow(rounds, decode, text)

        return text, run

    shell = _Shell(as_set)
    buttons = widgets.HBox([shell.start, shell.stop])
    printed = _printed(list(still), decode, prompt) if still else NOT_RUN
    return Card([controls.prompt, controls.settings, buttons, shell.view], printed)


def _printed(rounds: Sequence[Round], decode: Decode, prompt: str) -> Html:
    """The text of a run that is over, with its metrics."""
    metrics, block = summarise(rounds), coloured(rounds, decode, prompt)
    head = head_html(metrics, _outcome(metrics))
    return Html(head + block.html, f"{message(metrics)}\n{block.text}")


class _Controls:
    """What the next run is to be."""

    def __init__(self, prompt, drafters, gamma, temperature, max_new_tokens, seed):
        # it is sent at every key, so that a click on Start finds it here
        self.prompt = widgets.Textarea(
            prompt, description="prompt", rows=4, layout={"width": "auto"}
        )
        self.prompt.add_class(TYPED)
        self.drafter = widgets.Dropdown(options=drafters, description="drafter")
        self.temperature = _slider(widgets.FloatSlider, "temperature", temperature, 0.0, 2.0)
        self._gamma = _slider(widgets.IntSlider, "guesses per round, γ", gamma, 1, 8)
        self._limit = _slider(widgets.IntSlider, "new tokens at most", max_new_tokens, 1, 512)
        self._seed = _slider(widgets.IntSlider, "seed", seed, 0, 99)
        shown = [self.drafter, self._gamma, self.temperature, self._limit, self._seed]
        self.settings = widgets.Box(shown, layout={"flex_flow": "row wrap"})

    def options(self) -> dict[str, int]:
        """Keywords for `generate`."""
        limit = self._limit.value
        return {"gamma": self._gamma.value, "max_new_tokens": limit, "seed": self._seed.value}


class _Shell:
    """Start, stop and the view; written to by clicks and by the worker's thread."""

    def __init__(self, as_set: Callable[[], tuple[str, Run]]):
        self.start = widgets.Button(description="▶ Start")
        self.stop = widgets.Button(description="■ Stop")
        self.view = widgets.HTML()
        self._as_set = as_set
        self._worker: Worker[LiveView] = Worker(self._show)
        self._shown = self._before = LiveView("")
        self._end: End | None = None
        self._draw("")
        self.start.on_click(self._start)
        self.stop.on_click(self._stop)

    def _start(self, _: widgets.Button) -> None:
        with self._worker.lock:
            prompt, run = self._as_set()
            if self._worker.start(run):
                self._before, self._shown = self._shown, LiveView(prompt)
                self._draw("")
            else:
                self._draw("To start anew, stop this run first.")

    def _stop(self, _: widgets.Button) -> None:
        with self._worker.lock:
            running = self._worker.stop()
            self._draw("" if running else "Nothing is running, so there is nothing to stop.")

    def _show(self, view: LiveView | None, end: End | None) -> None:
        if view:
            self._shown, self._end = view, end
            self._draw("" if end else self._notice)
        else:  # a run that failed before its first round leaves the one before
            self._shown = self._before
            self._draw(f"The new run did not start: {_why(end)}")

    def _draw(self, notice: str) -> None:
        self._notice = notice
        busy, stopping = self._worker.busy, self._worker.stopping
        self.start.disabled, self.stop.disabled = busy, stopping or not busy
        state = _doing(self._shown, stopping) if busy else _ending(self._shown, self._end)
        self.view.value = live_html(self._shown, f"{state} {notice}")


def _doing(view: LiveView, stopping: bool) -> str:
    if stopping:
        return "Stopping after the round under way …"
    return "Decoding …" if view.metrics else "Reading the prompt …"


def _ending(view: LiveView, end: End | None) -> str:
    if end is None:
        return "Press Start."
    return f"An error ended the run: {_why(end)}" if end.error else _outcome(view.metrics)


def _why(end: End) -> str:
    return (isinstance(end.error, ValueError) and message_of(end.error)) or in_words(end.error)


def _outcome(metrics: Metrics) -> str:
    reason = metrics.stop_reason
    return f"Ended: {ENDS[reason]}." if reason else "Stopped before its end."


def _slider(kind: type, name: str, value: float, low: float, high: float) -> widgets.Widget:
    if value < low:
        raise ValueError(f"{name} is {value}; the slider begins at {low}")
    return kind(value, min=low, max=max(high, value), description=name)
