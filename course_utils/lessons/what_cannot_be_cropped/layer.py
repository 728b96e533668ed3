"""A language model whose memory is one matrix, and a session that keeps a matrix per position.

    S <- g S + k v^T,  o = S^T q        (a gate g, a key k, a value v and a query q per token)

This is linear attention with a gate (REFERENCES.md: katharopoulos2020, yang2025delta).  Left out:
the delta rule's correction, the convolution before it, many heads, many layers.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

SIZE = 8  # of keys and of values
Advance = Callable[..., tuple[np.ndarray, np.ndarray]]


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
    """A session: a state per position of the last window, of which a rejection picks one."""

    def __init__(self, model: "Gated"):
        self.model, self.state = model, model.empty()
        self.length = self.held = 0
        self.states = np.empty((0, *self.state.shape))

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        """(n, vocabulary)"""
        rows, self.states = self.model.read_all(self.state, tokens)
        self.held, self.length = self.length, self.length + len(tokens)
        self.state = self.states[-1]
        return rows

    def rollback(self, length: int) -> None:
        """To a place in the last window, behind its first token."""
        self.state, self.length = self.states[length - self.held - 1], length


class Gated:
    """Random weights, float64; `passes` and `positions` count what was read.

    Args:
        session: makes a session of this model, `session(model)`.
        advance: what the layer does with a window.
    """

    def __init__(
        self,
        vocabulary_size: int,
        seed: int = 0,
        session: Callable[["Gated"], Any] = EveryState,
        advance: Advance = advance,
    ):
        rng = np.random.default_rng(seed)
        self.vocabulary_size, self.context = vocabulary_size, 1 << 20
        self._session, self._advance = session, advance
        self._gates = rng.uniform(0.7, 1, vocabulary_size)
        self._parts = rng.normal(0, SIZE**-0.25, (3, vocabulary_size, SIZE))
        self._head = rng.normal(0, 0.7, (SIZE, vocabulary_size))
        self.passes = self.positions = 0

    def empty(self) -> np.ndarray:
        """The state before the first token."""
        return np.zeros((SIZE, SIZE))

    def window(self, tokens: Sequence[int]) -> tuple[np.ndarray, ...]:
        """Gates, keys, values and queries of the tokens."""
        return self._gates[list(tokens)], *self._parts[:, list(tokens)]

    def read_all(self, state: np.ndarray, tokens: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """One pass: logits (n, vocabulary), and the state after each token.

        Raises:
            ValueError: no tokens.
        """
        if len(tokens) == 0:
            raise ValueError("a pass reads at least one token")
        self.passes += 1
        self.positions += len(tokens)
        outputs, states = self._advance(state, *self.window(tokens))
        return outputs @ self._head, states

    def read(self, state: np.ndarray, tokens: Sequence[int]) -> np.ndarray:
        """One pass: logits (n, vocabulary).  `state` itself becomes the one after the last."""
        rows, states = self.read_all(state, tokens)
        state[:] = states[-1]
        return rows

    def start(self, prompt: Sequence[int]) -> Any:
        session = self._session(self)
        if prompt:
            session.extend(list(prompt))
        return session


def backwards(state, gates, keys, values):
    """The states before the last token, the last two, and so on, by inversion: (n, K, V)."""
    states = []
    for gate, key, value in zip(gates[::-1], keys[::-1], values[::-1], strict=True):
        state = (state - np.outer(key, value)) / gate
        states.append(state)
    return np.array(states)


def inversion_errors(gate: float, steps: int, texts: int = 20) -> np.ndarray:
    """(steps,): how far off, relative to the state, in float32; the median of random texts."""
    found = []
    for seed in range(texts):
        rng = np.random.default_rng(seed)
        keys, values = rng.normal(0, SIZE**-0.5, (2, 2 * steps, SIZE)).astype(np.float32)
        gates = np.full(2 * steps, gate, np.float32)
        state = np.zeros((SIZE, SIZE), np.float32)
        _, states = advance(state, gates, keys, values, keys)
        back = backwards(states[-1], gates[steps:], keys[steps:], values[steps:])
        true = states[::-1][1 : steps + 1]
        found.append(np.linalg.norm(back - true, axis=(1, 2)) / np.linalg.norm(true, axis=(1, 2)))
    return np.median(found, axis=0)
