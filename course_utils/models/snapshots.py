"""The way back for a cache with a running state: a copy from before the window, and replay.

A state holds the whole text in a few matrices, so there is nothing to cut off.  Whoever comes
back to a copy reads again what was accepted since: one more pass in a round with a rejection.
"""

from collections import deque
from copy import deepcopy

from transformers import DynamicCache

KEPT = 16  # copies: a draft reads its guesses one by one, and goes back by several


class Snapshots:
    """Copies of the layers of `cache`, each with the number of tokens that it holds."""

    def __init__(self, cache: DynamicCache):
        self._cache = cache
        self._taken: deque[tuple[int, list]] = deque(maxlen=KEPT)

    def take(self, length: int) -> None:
        """Keep the layers as they are, with `length` tokens."""
        self._taken.append((length, [_copied(layer) for layer in self._cache.layers]))

    def restore(self, length: int) -> int:
        """Put back the latest copy of at most `length` tokens, and say how many it holds; 0 if
        there is none: then the cache is of no use.  The other copies are forgotten."""
        fitting = [copy for copy in self._taken if copy[0] <= length]
        self._taken.clear()
        if not fitting:
            return 0
        held, self._cache.layers = fitting[-1]
        return held


def _copied(layer: object) -> object:
    """A state is overwritten in place; keys and values are not, so both may share them."""
    lasting = [getattr(layer, name, None) for name in ("keys", "values")]
    return deepcopy(layer, {id(tensor): tensor for tensor in lasting if tensor is not None})
