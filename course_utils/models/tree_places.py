"""Where the tokens of a tree stand, and what each of them sees: for a pass of a transformer.

In the cache the nodes of a tree lie one behind the other, in slots.  What makes a tree of
them is the mask, and that siblings have one position: the text's length plus their depth
(REFERENCES.md: specinfer2024, tree attention).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from course_utils.decoding.trees import ancestors, depths


def tree_places(length: int, new: int, parents: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Positions (new,) and a mask (new, length + new), True where a new token sees a slot.

    Args:
        length: slots in use before the pass.
        new: tokens of the pass, in the slots after those.
        parents: of the tree that the last slots then are; earlier ones hold the text.
    """
    total = length + new
    base = total - len(parents)  # the text ends here
    depths, ancestors = _family(tuple(parents))
    slots = np.arange(length, total)
    positions = np.where(slots < base, slots, base + depths[np.maximum(slots - base, 0)])
    seen = np.arange(total) <= slots[:, None]
    own = max(0, base - length)  # so many of the new tokens are text
    seen[own:, base:] = ancestors[own + length - base :]
    return positions, seen


@lru_cache(maxsize=64)  # a shape that was fixed before comes again each round
def _family(parents: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(depths(parents), int), ancestors(parents)
