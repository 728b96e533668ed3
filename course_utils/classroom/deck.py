"""A talk: one slide a screen, in the order of a plan, with its questions and a timer.

`stage/scenes/deck.mjs` draws it.  What a slide shows is words, a question to the room, or a
scene.  Scenes are built when they are first asked for, in a thread of their own: the first
slide is there before any model is loaded.
"""

from collections.abc import Callable, Iterable, Sequence
from contextvars import copy_context
from dataclasses import asdict, dataclass
from threading import RLock, Thread

import traitlets
from ipywidgets import widget_serialization

from course_utils.classroom.scene import Scene
from course_utils.classroom.words import in_words

SCENE, QUESTION, WORDS = "scene", "question", "words"


@dataclass(frozen=True)
class Line:
    """Something said.

    Attributes:
        look: "line", "numbered", "large", "note", "code", "tokens", "formula", and for its colour
            "formula accepted", "formula correction" or "formula target".
        at: the step from which it is shown; tokens: (text, kind) of each, in place of a text.
    """

    text: str = ""
    look: str = "line"
    at: int = 0
    tokens: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Board:
    """A table whose columns are shown from a step on; cells of the first column are tokens."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    at: tuple[int, ...]  # of each column


@dataclass(frozen=True)
class Slide:
    """One screen of a talk.

    Attributes:
        key: its name, unique in the deck; kind: "scene", "question" or "words".
        minutes: as planned; 0 for what is kept in reserve.
        ask: the question that is put to the room before the scene moves.
        say: what the presenter does there; it stands in the plan, not on the slide.
        loads: what has to be loaded before it can be drawn.
    """

    key: str
    kind: str
    title: str
    minutes: int = 0
    ask: str = ""
    say: str = ""
    loads: str = ""
    lines: tuple[Line, ...] = ()
    board: Board | None = None


class Deck(Scene):
    """The slides; `make(key)` gives the scene of one that is no words."""

    wanted = traitlets.List(traitlets.Unicode()).tag(sync=True)  # keys, as they are asked for
    built = traitlets.Dict().tag(sync=True, **widget_serialization)  # key: its scene
    failed = traitlets.Dict().tag(sync=True)  # key: what went wrong, in words

    def __init__(self, title: str, slides: Sequence[Slide], make: Callable[[str], Scene]):
        self._make, self._keys = make, {s.key for s in slides if s.kind != WORDS}
        self._lock = RLock()  # one at a time: a race is timed while nothing else is built
        super().__init__("deck", deck_data(title, slides), title)
        self.observe(self._asked, "wanted")

    def build(self, keys: Iterable[str]) -> None:
        """Build what is not built yet; what goes wrong is said on the slide."""
        for key in keys:
            with self._lock:
                if key not in self._keys or key in self.built or key in self.failed:
                    continue
                try:
                    self.built = {**self.built, key: self._make(key)}
                except Exception as error:  # whatever a model raises is for the presenter
                    self.failed = {**self.failed, key: in_words(error)}

    def _asked(self, change: dict) -> None:
        new = [key for key in change["new"] if key not in change["old"]]
        # in the context of the message, or what is built would answer another one
        Thread(target=copy_context().run, args=(self.build, new), daemon=True).start()


def deck_data(title: str, slides: Sequence[Slide]) -> dict[str, object]:
    """What the deck draws."""
    return {"title": title, "slides": [asdict(slide) for slide in slides]}
