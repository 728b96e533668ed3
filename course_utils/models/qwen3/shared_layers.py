"""A target that lets a drafter use its key-value cache, and read its hidden states.

In Draft & Verify (REFERENCES.md: zhang2023), LayerSkip (REFERENCES.md: elhoushi2024) and
Kangaroo (REFERENCES.md: liu2024) the draft is the target's own first layers.  What they
would cache for the committed text, the target has cached already.  So the drafter needs no
prefill and no memory; it needs to know which session is at work, and that is kept here.
A head (`head_models`) reads the target's hidden states in the same way.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import ref

from course_utils.decoding.contracts import LanguageModel, Rows, Session


class SharedTarget:
    """A LanguageModel: the one it is given, whose sessions can be asked for by their text.

    All but `start` is the model's own.

    Args:
        model: a `Qwen3` in any form, or another with `layers` whose sessions have a method
            `first(layers)`.
        aux_layers: numbers of layers after which its sessions keep the hidden states, in `states`.

    Raises:
        ValueError: a model that cannot run its first layers only, or has no such layer.
    """

    def __init__(self, model: LanguageModel, aux_layers: Sequence[int] = ()):
        layers: int | None = getattr(model, "layers", None)
        if layers is None:
            raise ValueError(
                f"a {type(model).__name__} cannot leave after some of its layers: share a Qwen3 "
                "(load_pair gives one), or draft with another drafter"
            )
        for layer in aux_layers:
            if not 1 <= layer <= layers:
                raise ValueError(f"there is no layer {layer} to tap: the model has {layers}")
        self.model, self.layers, self.aux_layers = model, layers, tuple(aux_layers)
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self._sessions: list[ref[SharedSession]] = []  # the newest last

    def __getattr__(self, name: str) -> Any:
        if name == "model":  # before it is there: while a copy is made
            raise AttributeError(name)
        return getattr(self.model, name)

    def start(self, prompt: Sequence[int]) -> "SharedSession":
        start: Any = self.model.start  # whatever has layers takes `aux_layers`
        session = start(prompt, self.aux_layers) if self.aux_layers else start(prompt)
        shared = SharedSession(session, prompt)
        self._sessions = [
            *(session for session in self._sessions if session() is not None),
            ref(shared),
        ]
        return shared

    def holding(self, text: Sequence[int], length: int) -> "SharedSession | None":
        """Return the newest session still in use that has processed `length` tokens of `text`."""
        return next((s for s in self.in_use() if s.holds(text, 0, length)), None)

    def in_use(self) -> Iterator["SharedSession"]:
        """The sessions that somebody still has, the newest first."""
        sessions = (session() for session in reversed(self._sessions))
        return (session for session in sessions if session is not None)


class SharedSession:
    """A session of the model, and the tokens it has processed; a Session."""

    def __init__(self, session: Session, prompt: Sequence[int]):
        self._session: Any = session
        self.tokens = list(prompt)

    def __getattr__(self, name: str) -> Any:
        if name == "_session":
            raise AttributeError(name)
        return getattr(self._session, name)

    @property
    def length(self) -> int:
        return self._session.length

    def extend(self, tokens: Sequence[int], *parents: Sequence[int]) -> Rows:
        rows = self._session.extend(tokens, *parents)
        self.tokens += tokens
        return rows

    def rollback(self, length: int) -> None:
        self._session.rollback(length)
        del self.tokens[length:]

    def keep(self, length: int, path: Sequence[int]) -> None:
        self._session.keep(length, path)
        self.tokens[length:] = [self.tokens[length + place] for place in path]

    def holds(self, text: Sequence[int], start: int, length: int) -> bool:
        """Has it processed `length` tokens, those from `start` on being the text's?"""
        return self.length == length and self.tokens[start:] == list(text[start:length])
