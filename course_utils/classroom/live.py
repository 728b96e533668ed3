"""One prompt, two runs that stream side by side, with a stop button.

The next round always belongs to the run that has used less time so far, by the sum of its own
rounds.  So the two never compete for cores and stay at the same age.  A click arrives as the
trait `command`; the scene *live* draws `run_state`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any

import traitlets

from course_utils.classroom.scene import Scene, as_json
from course_utils.classroom.tokens import Decode, Html
from course_utils.classroom.words import in_words
from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import Sampling
from course_utils.writing.text import stream_text

UPDATES_PER_SECOND = 12
PAPER = Html("<p>Live needs Python: run this lesson.</p>", "Live needs Python: run this lesson.")
PROMPTS = {
    "code": 'class Stack:\n    """A stack of items."""\n\n    def __init__(self):\n',
    "a list of numbers": "SQUARES = [\n    0, 1, 4, 9, 16,\n    0, 1, 4, 9, 16,\n    0, 1, 4,",
    "prose in a docstring": 'def mean(values):\n    """Return the mean of the values.\n\n    ',
}
NAMES = {"none": "plain decoding", "model": "draft model"}  # of drafters, as the page shows them
ENDS = {
    "length": "the requested length is reached",
    "stop_token": "the target ended the text",
    "context": "the target's context is full",
}


@dataclass
class Side:
    """One of the two runs: its settings, its text so far, and how it ended."""

    run: int  # counts the clicks on Start
    prompt: str
    drafter: str
    gamma: int
    temperature: float
    max_new_tokens: int
    seed: int
    pieces: list[tuple[str, str]] = field(default_factory=list)  # (text, kind)
    numbers: Counter = field(default_factory=Counter)  # sums over its own rounds
    ending: str = ""  # a sentence; "" until the run ends

    @property
    def name(self) -> str:
        return NAMES.get(self.drafter, self.drafter)

    def add(self, r: Round, texts: Sequence[str]) -> None:
        """Add the tokens and numbers of one more round."""
        m = summarise([r])
        self.numbers.update(
            tokens=m.tokens, calls=1, accepted=m.accepted, examined=m.examined, seconds=m.seconds
        )
        self.pieces += [(text, kind) for text, kind in zip(texts, r.kinds, strict=True) if text]


def comparison(sides: Sequence[Side]) -> str:
    """Compare the texts and speeds of the finished runs, in a sentence or two."""
    if len(sides) < 2 or not all(side.ending.startswith("Ended") for side in sides):
        return " ".join(f"{side.drafter}: {side.ending}" for side in sides)
    one, other = ("".join(text for text, _ in side.pieces) for side in sides)
    if one == other:
        texts = "Both texts are the same."
    elif sides[0].temperature > 0:
        texts = "Two samples of one distribution: above temperature 0 they may differ."
    else:
        texts = "The texts differ at temperature 0. Look for a numerical tie."
    speeds = [side.numbers["tokens"] / side.numbers["seconds"] for side in sides]
    (slow, slower), (fast, faster) = sorted(zip(speeds, sides, strict=True), key=lambda s: s[0])
    who = "" if slower.drafter == "none" else f"{faster.name}: "
    return f"{who}{fast / slow:.2f} times as fast as {slower.name}. {texts}"


def live(
    target: LanguageModel,
    drafters: Mapping[str, Callable[[], Drafter | None]],
    encode: Callable[[str], Sequence[int]],
    decode: Decode,
    *,
    prompt: str = "",
    stop_tokens: Sequence[int] = (),
    gamma: int = 4,
    temperature: float = 0.0,
    max_new_tokens: int = 128,
    seed: int = 0,
    models: str = "",
) -> Scene:
    """Return two decoders to play with; nothing starts by itself.

    `drafters` maps a name to a function that makes a new drafter, or None for the target
    alone.  The first one is selected on the left, "none" or the second one on the right.
    `models` says what the two models are.
    """
    sliders = {
        "gamma": ("drafted per round, γ", gamma, 1, 8, 1),
        "temperature": ("temperature", temperature, 0.0, 2.0, 0.1),
        "max_new_tokens": ("new tokens at most", max_new_tokens, 1, 512, 1),
        "seed": ("seed", seed, 0, 99, 1),
    }
    data = {
        "prompt": prompt,
        "prompts": ({"this prompt": prompt} if prompt else {}) | PROMPTS,
        "drafters": list(drafters),
        "names": NAMES,
        "models": models,
        "second": "none" if "none" in drafters else list(drafters)[1 % len(drafters)],
        "sliders": {
            name: {"label": label, "value": at, "min": low, "max": max(high, at), "step": step}
            for name, (label, at, low, high, step) in sliders.items()
        },
    }

    def rounds(side: Side, tokens: Sequence[int]) -> Iterator[Round]:
        return generate(
            target, tokens, drafters[side.drafter](), gamma=side.gamma, seed=side.seed,
            sampling=Sampling(side.temperature), max_new_tokens=side.max_new_tokens,
            stop_tokens=tuple(stop_tokens),
        )  # fmt: skip

    return _Live(data, rounds, encode, decode)


class _Live(Scene):
    """Start, stop and the state on screen; clicks and the thread of the runs update it."""

    command = traitlets.Dict().tag(sync=True)  # a click: {"do": "start" or "stop", ...}
    run_state = traitlets.Dict().tag(sync=True)

    def __init__(self, data: Mapping[str, Any], rounds: Callable, encode: Callable, decode: Decode):
        self._rounds, self._encode, self._decode = rounds, encode, decode
        self._sides: list[Side] = []
        self._count, self._busy, self._stop = 0, False, Event()
        self._lock = RLock()
        super().__init__("live", data, "Live: type a prompt and watch two runs stream.", PAPER)
        self._draw("Press Start.")
        self.observe(self._clicked, "command")

    def _clicked(self, change: Mapping[str, Any]) -> None:
        with self._lock:  # the run may end meanwhile
            if change["new"]["do"] == "stop" and self._busy:
                self._stop.set()
                self._draw("Stopping after the current round …")
            elif change["new"]["do"] == "start" and not self._busy:
                self._start(change["new"])

    def _start(self, command: Mapping[str, Any]) -> None:
        try:
            chosen = {name: command[name] for name in ("prompt", *self.data["sliders"])}
            names = [name for name in command["drafters"] if name is not None]
            sides = [Side(self._count + 1, drafter=name, **chosen) for name in names]
            tokens = self._encode(command["prompt"])
        except Exception as error:  # the reader sees whatever a tokenizer raises
            self._draw(f"The new run did not start: {in_words(error)}")
            return
        self._sides, self._busy, self._stop = sides, True, Event()
        self._count += 1
        self._draw("Decoding: the two runs alternate, each timed by its own clock …")
        # in the context of the click: otherwise its messages would belong to the last cell run, and
        # in JupyterLab the next click on Start would wait for that cell
        job = (self._run, sides, tokens)
        Thread(target=copy_context().run, args=job, daemon=True).start()

    def _run(self, sides: Sequence[Side], tokens: Sequence[int]) -> None:
        under_way = {
            i: stream_text(self._rounds(side, tokens), self._decode, before=tokens)
            for i, side in enumerate(sides)
        }
        drawn = monotonic()
        while under_way and not self._stop.is_set():
            i = min(under_way, key=lambda i: sides[i].numbers["seconds"])
            try:
                r, texts = next(under_way[i])
                sides[i].add(r, texts)
                ending = f"Ended: {ENDS[r.stop_reason]}." if r.stop_reason else ""
            except Exception as error:  # the reader sees whatever a model or drafter raises
                ending = f"An error ended the run: {in_words(error)}"
            if ending:
                sides[i].ending = ending
                del under_way[i]
            if monotonic() - drawn > 1 / UPDATES_PER_SECOND:
                self._draw()
                drawn = monotonic()
        for i in under_way:
            sides[i].ending = "Stopped early."
        with self._lock:
            self._busy = False
            self._draw(comparison(sides))

    def _draw(self, status: str = "") -> None:
        """Show the runs, with another sentence if there is one."""
        with self._lock:
            state = {
                "busy": self._busy,
                "stopping": self._busy and self._stop.is_set(),
                "status": status or self.run_state["status"],
                "sides": [vars(side) for side in self._sides],
            }
            self.run_state = as_json(state)
