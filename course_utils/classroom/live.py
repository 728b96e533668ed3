"""A prompt goes in, two runs stream out side by side: the decoder at work, with a stop button.

`live_runs` computes what there is to see after each round, the scene `live` draws it; a click
comes as the trait `command`, what is to be seen goes out as `run_state` and `log`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Event, RLock, Thread
from time import sleep
from typing import Any, Generic, TypeVar

import traitlets

from course_utils.classroom.live_runs import (
    LiveView,
    MakeDrafter,
    Runs,
    Side,
    Sides,
    doing,
    ended,
    not_started,
    settings_of,
    stopped,
)
from course_utils.classroom.scene import Scene, as_json
from course_utils.classroom.tokens import Decode, Html
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling

RATE = 12  # times a second
PAPER = Html("<p>Live needs Python: run this lesson.</p>", "Live needs Python: run this lesson.")

Item = TypeVar("Item")


@dataclass(frozen=True)
class End:
    """No more items come: they ran out, `stop` was called, or one failed."""

    error: BaseException | None = None


class Worker(Generic[Item]):
    """Calls show(latest item or None, None) while items come, show(last item, End) after.

    Two daemon threads.  One takes the items, however long each takes, so that the
    kernel stays free; the other shows the latest one at most `RATE` times a second
    and the last one always.

    A widget may be written to from any thread: ipykernel sends from a thread of its
    own.  Both threads run in the context of the click that started them, so that their
    messages answer that click; without it they would answer whatever cell was run
    last, and JupyterLab's next click on Start would wait for that cell.

    `show` is called from a thread, holding `lock`: whoever else writes what `show`
    writes holds it, too.
    """

    def __init__(self, show: Callable[[Item | None, End | None], None]):
        self.busy = False
        self.lock = RLock()
        self._show = show
        self._stop = Event()

    @property
    def stopping(self) -> bool:
        """Was `stop` called on what is still under way?"""
        return self.busy and self._stop.is_set()

    def start(self, items: Callable[[], Iterable[Item]]) -> bool:
        """Begin to take `items()`; False if the items of an earlier start still come."""
        with self.lock:
            if self.busy:
                return False
            self.busy, self._stop = True, Event()
        inbox: SimpleQueue[Item | End] = SimpleQueue()
        for job in ((self._take, items, inbox, self._stop), (self._follow, inbox)):
            Thread(target=copy_context().run, args=job, daemon=True).start()
        return True

    def stop(self) -> bool:
        """End after the item under way; False if there is none."""
        with self.lock:
            self._stop.set()
            return self.busy

    @staticmethod
    def _take(
        items: Callable[[], Iterable[Item]], inbox: "SimpleQueue[Item | End]", stop: Event
    ) -> None:
        end = End()
        try:
            for item in items():
                inbox.put(item)
                if stop.is_set():
                    break
        except BaseException as error:  # whatever a model or a drafter raises is for the reader
            end = End(error=error)
        inbox.put(end)

    def _follow(self, inbox: "SimpleQueue[Item | End]") -> None:
        item, end = None, None
        while end is None:
            for new in _waiting(inbox):
                if isinstance(new, End):
                    end = new
                else:
                    item = new
            with self.lock:
                self.busy = end is None
                self._show(item, end)
            sleep(1 / RATE)


def _waiting(inbox: SimpleQueue) -> list:
    """Everything in the box, at least one thing: waits for it."""
    things = [inbox.get()]
    while not inbox.empty():
        things.append(inbox.get())
    return things


PROMPTS = {
    "code": 'class Stack:\n    """A stack of items."""\n\n    def __init__(self):\n',
    "a list of numbers": "SQUARES = [\n    0, 1, 4, 9, 16,\n    0, 1, 4, 9, 16,\n    0, 1, 4,",
    "prose in a docstring": 'def mean(values):\n    """Return the mean of the values.\n\n    ',
}
GIVEN = "this prompt"  # what the prompt that was handed in is called


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
    sampling: Sampling = Sampling(),
    max_new_tokens: int = 128,
    seed: int = 0,
) -> Scene:
    """Two decoders to play with; it starts nothing by itself.

    `drafters` maps a name to what makes a fresh drafter, or None for the target
    alone; the first one is chosen, and beside it "none" or the second.
    `sampling` gives the filters, `temperature` where its slider stands at first.  For a chat take
    both from `pair.chat_sampling`, and `pair.encode_chat` as `encode`.

    Raises:
        ValueError: no drafters, or a default below its slider.
    """
    if not drafters:
        raise ValueError('no drafter to choose: give at least {"none": lambda: None}')
    sliders = {
        "gamma": _slider("drafted per round, γ", gamma, 1, 8, 1),
        "temperature": _slider("temperature", temperature, 0.0, 2.0, 0.1),
        "max_new_tokens": _slider("new tokens at most", max_new_tokens, 1, 512, 1),
        "seed": _slider("seed", seed, 0, 99, 1),
    }
    data = {
        "prompt": prompt,
        "prompts": ({GIVEN: prompt} if prompt else {}) | PROMPTS,
        "drafters": list(drafters),
        "beside": "none" if "none" in drafters else list(drafters)[1 % len(drafters)],
        "sliders": sliders,
    }
    alt = "Live: a prompt goes in, the text streams out."
    runs = Runs(target, drafters, encode, decode, tuple(stop_tokens), sampling)
    return _Live(data, alt, runs)


class _Live(Scene):
    """Start, stop and what is seen; written to by clicks and by the worker's thread."""

    command = traitlets.Dict().tag(sync=True)  # a click: {"do": "start", "stop" or "clear", ...}
    run_state = traitlets.Dict().tag(sync=True)
    log = traitlets.List().tag(sync=True)  # a row for each run that is over

    def __init__(self, data: Mapping[str, Any], alt: str, runs: Runs):
        self._runs = runs
        self._worker: Worker[Sides] = Worker(self._show)
        self._shown = self._before = (Side(0, None, LiveView("")),)
        self._count, self._notice = 0, ""
        self._logged: set[tuple[int, int]] = set()
        super().__init__("live", data, alt, PAPER)
        self._draw("")
        self.observe(self._clicked, "command")

    def _clicked(self, change: Mapping[str, Any]) -> None:
        command = change["new"]
        does = {"start": self._start, "stop": self._stop, "clear": self._clear}
        with self._worker.lock:
            does.get(command.get("do"), lambda _: None)(command)

    def _start(self, command: Mapping[str, Any]) -> None:
        if self._worker.busy:
            self._draw("To start anew, stop this run first.")
            return
        try:
            settings, prompt = settings_of(command), str(command["prompt"])
        except (KeyError, TypeError, ValueError) as error:
            self._draw(not_started(error))
            return
        self._count += 1
        waiting = tuple(Side(self._count, setting, LiveView(prompt)) for setting in settings)
        self._before, self._shown = self._shown, waiting
        self._worker.start(partial(self._runs.sides, waiting, self._before))
        self._draw("")

    def _stop(self, _: Mapping[str, Any]) -> None:
        running = self._worker.stop()
        self._draw("" if running else "Nothing is running, so there is nothing to stop.")

    def _clear(self, _: Mapping[str, Any]) -> None:
        self.log = []

    def _show(self, sides: Sides | None, end: End | None) -> None:
        if sides is None:  # a start that failed leaves what was there
            self._shown = self._before
            self._draw(not_started(end.error))
            return
        self._shown = stopped(sides, self._before) if end else sides
        self._record()
        self._draw("" if end else self._notice)

    def _record(self) -> None:
        """Rows for the runs that came to their end since the last time."""
        rows = []
        for i, side in enumerate(self._shown):
            over = side.run == self._count and side.ending and side.view.metrics
            if over and (side.run, i) not in self._logged:
                self._logged.add((side.run, i))
                row = side.json()
                del row["said"]
                rows.append(as_json(row))
        if rows:
            self.log = [*self.log, *rows]

    def _draw(self, notice: str) -> None:
        self._notice = notice
        state = {
            "busy": self._worker.busy,
            "stopping": self._worker.stopping,
            "status": f"{self._status()} {notice}".strip(),
            "sides": [side.json() for side in self._shown],
        }
        self.run_state = as_json(state)

    def _status(self) -> str:
        if self._worker.stopping:
            return "Stopping after the round under way …"
        return doing(self._shown) if self._worker.busy else ended(self._shown)


def _slider(name: str, value: float, low: float, high: float, step: float) -> dict[str, Any]:
    if value < low:
        raise ValueError(f"{name} is {value}; the slider begins at {low}")
    return {"label": name, "value": value, "min": low, "max": max(high, value), "step": step}
