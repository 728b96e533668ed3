"""A language model whose memory is one matrix, a session that stores a matrix per position, and
a drafter that knows the text.

    S <- g S + k v^T,  o = S^T q        (a gate g, a key k, a value v and a query q per token)

This is linear attention with a gate (REFERENCES.md: katharopoulos2020, yang2025delta).  Left out:
the delta rule's correction, the convolution before it, many heads, many layers.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_utils.decoding.contracts import NO_DRAFT, Draft

SIZE = 8  # of keys and values
VOCABULARY = 64


def advance(state, gates, keys, values, queries):
    """state (K, V), n gates, keys (n, K), values (n, V), queries (n, K)
    -> (outputs (n, V), the state after each token (n, K, V))"""
    outputs, states = [], []
    for gate, key, value, query in zip(gates, keys, values, queries, strict=True):
        state = gate * state + np.outer(key, value)
        outputs.append(state.T @ query)
        states.append(state)
    return np.array(outputs), np.array(states)


class EveryState:
    """A session that stores the state after each token of the last window, to roll back to."""

    def __init__(self, model: "Gated"):
        self.model, self.state = model, model.empty()
        self.length = self.window_start = 0
        self.states = np.empty((0, *self.state.shape))

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        """Read the tokens and return their rows (n, vocabulary)."""
        rows, self.states = self.model.read_all(self.state, tokens)
        self.window_start, self.length = self.length, self.length + len(tokens)
        self.state = self.states[-1]
        return rows

    def rollback(self, length: int) -> None:
        """Go back to `length` tokens, at least one of them in the last window."""
        self.state, self.length = self.states[length - self.window_start - 1], length


class Gated:
    """A model with random float64 weights, which counts its `passes` and `positions`.

    Args:
        session: builds a session of this model, `session(model)`.
        advance: applies the layer to a window.
    """

    def __init__(
        self, vocabulary_size: int = VOCABULARY,
        session: Callable[["Gated"], Any] = EveryState, advance: Callable = advance,
    ):  # fmt: skip
        rng = np.random.default_rng(0)
        self.vocabulary_size, self.context = vocabulary_size, 1 << 20
        self._session, self._advance = session, advance
        self._gates = rng.uniform(0.7, 1, vocabulary_size)
        self._inputs = rng.normal(0, SIZE**-0.25, (3, vocabulary_size, SIZE))
        self._head = rng.normal(0, 0.7, (SIZE, vocabulary_size))
        self.passes = self.positions = 0

    def empty(self) -> np.ndarray:
        """Return the state before the first token."""
        return np.zeros((SIZE, SIZE))

    def read_all(self, state: np.ndarray, tokens: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Run a pass: return logits (n, vocabulary) and the state after each token."""
        tokens = list(tokens)
        self.passes += 1
        self.positions += len(tokens)
        outputs, states = self._advance(state, self._gates[tokens], *self._inputs[:, tokens])
        return outputs @ self._head, states

    def read(self, state: np.ndarray, tokens: Sequence[int]) -> np.ndarray:
        """Run a pass: return logits (n, vocabulary) and update `state` in place."""
        rows, states = self.read_all(state, tokens)
        state[:] = states[-1]
        return rows

    def start(self, prompt: Sequence[int]) -> Any:
        session = self._session(self)
        if prompt:
            session.extend(list(prompt))
        return session


class Oracle:
    """A drafter that knows the text; a guess is right with probability `alpha`, if not skipped."""

    def __init__(self, text: Sequence[int], alpha: float, skip: float = 0.0):
        self._text, self._alpha, self._skip = text, alpha, skip
        self._random = np.random.default_rng(0)

    def propose(self, tokens, gamma, noise) -> Draft:
        if self._random.random() < self._skip:
            return NO_DRAFT
        truth = np.array(self._text[len(tokens) : len(tokens) + gamma])
        wrong = self._random.random(len(truth)) >= self._alpha
        return Draft(tuple(((truth + wrong) % VOCABULARY).tolist()), None)
