"""A talk: one slide per screen, with questions to the room and a timer.

`stage/scenes/deck.mjs` draws it.  A slide shows words, a question to the room, or a scene.
Scenes are built on first request, in their own thread, so the first slide appears before any
model is loaded.
"""

from collections.abc import Callable, Iterable, Sequence
from contextvars import copy_context
from dataclasses import asdict, dataclass
from threading import RLock, Thread

import traitlets
from ipywidgets import widget_serialization

from course_utils.classroom.quiz import Question, Quiz
from course_utils.classroom.scene import Scene
from course_utils.classroom.words import in_words


@dataclass(frozen=True)
class Line:
    """A line of a slide.

    Attributes:
        look: "line", "numbered", "large", "note", "code" or "tokens".
        at: the step at which it appears; tokens: (text, kind) of each, in place of a text.
    """

    text: str = ""
    look: str = "line"
    at: int = 0
    tokens: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Board:
    """A table whose columns appear step by step; cells of the first column are tokens."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    at: tuple[int, ...]  # of each column


@dataclass(frozen=True)
class Slide:
    """One screen of a talk: a scene, a question to the room, or lines and a board.

    Attributes:
        key: its name, unique in the deck.
        minutes: planned; 0 for slides in reserve.
        ask: the question to the room before the scene moves.
        say: what the presenter does; it is in the plan, not on the slide.
        make: returns its scene; called with what is loaded, if `loads` names it.
        loads: what must be loaded before it can be drawn.
    """

    key: str
    title: str
    minutes: int = 0
    ask: str = ""
    say: str = ""
    make: Callable[..., Scene] | None = None
    loads: str = ""
    question: Question | None = None
    lines: tuple[Line, ...] = ()
    board: Board | None = None

    @property
    def kind(self) -> str:
        return "question" if self.question else "scene" if self.make else "words"

    def build(self, load: Callable[[], object]) -> Scene:
        """Return its scene; `load` is called only if the slide loads something."""
        if self.question:
            return Quiz(self.question)
        assert self.make, f"{self.key} has no scene"
        return self.make(load()) if self.loads else self.make()


class Deck(Scene):
    """The slides; `load()` returns what some of their scenes need, as the trained pair."""

    wanted = traitlets.List(traitlets.Unicode()).tag(sync=True)  # keys, in the order of request
    built = traitlets.Dict().tag(sync=True, **widget_serialization)  # key: its scene
    failed = traitlets.Dict().tag(sync=True)  # key: what went wrong, in words

    def __init__(self, title: str, slides: Sequence[Slide], load: Callable[[], object]):
        self._load = load
        self._slides = {slide.key: slide for slide in slides if slide.kind != "words"}
        self._lock = RLock()  # one at a time: a race is timed while nothing else is built
        super().__init__("deck", deck_data(title, slides), title)
        self.observe(self._build_wanted, "wanted")

    def build(self, keys: Iterable[str]) -> None:
        """Build what is not built yet; the slide shows any error."""
        for key in keys:
            with self._lock:
                if key not in self._slides or key in self.built or key in self.failed:
                    continue
                try:
                    self.built = {**self.built, key: self._slides[key].build(self._load)}
                except Exception as error:  # the presenter sees whatever a model raises
                    self.failed = {**self.failed, key: in_words(error)}

    def _build_wanted(self, change: dict) -> None:
        new = [key for key in change["new"] if key not in change["old"]]
        # in the context of the message, so that widgets belong to the right cell
        Thread(target=copy_context().run, args=(self.build, new), daemon=True).start()


def deck_data(title: str, slides: Sequence[Slide]) -> dict[str, object]:
    """Return the data that the deck draws."""
    planned = [asdict(slide) | {"kind": slide.kind} for slide in slides]
    for slide in planned:
        del slide["make"], slide["question"]
    return {"title": title, "slides": planned}
