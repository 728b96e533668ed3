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
        model: its `layers` say how many it has, and its sessions have a method
            `first(layers)`, as those of a `Qwen3` in any form have.
        aux_layers: numbers of layers after which its sessions keep the hidden states, in `states`.

    Raises:
        ValueError: a model that cannot run its first layers only, or has fewer than tapped.
    """

    def __init__(self, model: LanguageModel, aux_layers: Sequence[int] = ()):
        if not hasattr(model, "layers"):
            raise ValueError(
                f"a {type(model).__name__} cannot leave after some of its layers: share a Qwen3 "
                "(load_pair gives one), or draft with another drafter"
            )
        unknown = [tap for tap in aux_layers if not 1 <= tap <= model.layers]
        if unknown:
            raise ValueError(f"there is no layer {unknown[0]} to tap: the model has {model.layers}")
        self.model, self.aux_layers = model, tuple(aux_layers)
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self._sessions: list[ref[SharedSession]] = []  # the newest last

    def __getattr__(self, name: str) -> Any:
        if name == "model":  # before it is there: while a copy is made
            raise AttributeError(name)
        return getattr(self.model, name)

    def start(self, prompt: Sequence[int]) -> "SharedSession":
        aux_layers = (self.aux_layers,) if self.aux_layers else ()
        session = SharedSession(self.model.start(prompt, *aux_layers), prompt)
        self._sessions = [kept for kept in self._sessions if kept() is not None]
        self._sessions.append(ref(session))
        return session

    def holding(self, text: Sequence[int], length: int) -> "SharedSession | None":
        """The newest session still in use that has processed `length` tokens of `text`."""
        return next((s for s in self.in_use() if s.holds(text, 0, length)), None)

    def in_use(self) -> Iterator["SharedSession"]:
        """The sessions that somebody still has, the newest first."""
        sessions = (kept() for kept in reversed(self._sessions))
        return (session for session in sessions if session is not None)


class SharedSession:
    """A session of the model, and the tokens it has processed; a Session."""

    def __init__(self, session: Session, prompt: Sequence[int]):
        self._session = session
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
