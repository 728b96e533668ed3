"""A target whose key-value cache and hidden states a drafter can use.

In Draft & Verify (REFERENCES.md: zhang2023), LayerSkip (REFERENCES.md: elhoushi2024) and
Kangaroo (REFERENCES.md: liu2024) the draft is the target's own first layers.  For the committed
text, the target has already cached their keys and values.  So the drafter needs no prefill and no
memory, but it must find the session of its text; `SharedTarget` keeps track of them.
A head (`head_models`) reads the target's hidden states in the same way.
"""

from collections.abc import Sequence
from typing import Any
from weakref import ref

from course_utils.decoding.contracts import LanguageModel, Rows, Session


class SharedTarget:
    """The LanguageModel `model`, whose sessions can be found by their text.

    Everything except `start` is the model's own.

    Args:
        model: a `Qwen3` in any form, or another model with `layers` whose sessions have a method
            `first(layers)`.
        aux_layers: numbers of layers after which its sessions store the hidden states, `states`.

    Raises:
        ValueError: a model that cannot run only its first layers, or has no such layer.
    """

    def __init__(self, model: LanguageModel, aux_layers: Sequence[int] = ()):
        layers: int | None = getattr(model, "layers", None)
        if layers is None:
            raise ValueError(
                f"a {type(model).__name__} cannot run only its first layers: share a Qwen3 from "
                "load_pair, or use another drafter"
            )
        for layer in aux_layers:
            if not 1 <= layer <= layers:
                raise ValueError(f"there is no layer {layer} to tap: the model has {layers}")
        self.model, self.layers, self.aux_layers = model, layers, tuple(aux_layers)
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self._sessions: list[ref[SharedSession]] = []  # the newest last

    def __getattr__(self, name: str) -> Any:
        if name == "model":  # not set yet while a copy is being made
            raise AttributeError(name)
        return getattr(self.model, name)

    @property
    def shared(self) -> "SharedTarget":
        """The target that decodes with it, as of a head's model."""
        return self

    def start(self, prompt: Sequence[int]) -> "SharedSession":
        start: Any = self.model.start  # models with layers take `aux_layers`
        session = start(prompt, self.aux_layers) if self.aux_layers else start(prompt)
        shared = SharedSession(session, prompt)
        self._sessions = [
            *(session for session in self._sessions if session() is not None),
            ref(shared),
        ]
        return shared

    def find(self, text: Sequence[int]) -> "SharedSession | None":
        """Return the session still in use that has processed the most of `text` and nothing else,
        the newest of several."""
        sessions = [session for newest in reversed(self._sessions) if (session := newest())]
        fitting = [s for s in sessions if s.tokens == list(text[: s.length])]
        return max(fitting, key=lambda session: session.length, default=None)


class SharedSession:
    """A session of the model with the tokens it has processed; a Session."""

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
