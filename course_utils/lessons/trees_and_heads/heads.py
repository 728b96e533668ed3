"""The heads that ship with the pair, and a target of two words.

A head that does not see the guess before its own knows the distribution of each word, but not of
the pairs: it draws from the product of the marginals.  At the second word
alpha = 1 - TV(joint, product).
"""

from collections.abc import Callable

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.models.qwen3.head_models import HeadModel
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.models.toys.tables import TableModel
from course_utils.models.trained_heads import HEADS, load_head
from course_utils.training.recipes import RECIPES
from course_utils.writing.writing import Pair

NAMES = ("medusa", "mtp", "eagle")
FIRST, SECOND = ("New", "Los"), ("York", "Angeles", "Orleans")
WORDS = ("The", *FIRST, *SECOND)
JOINT = np.array([[0.45, 0.0, 0.15], [0.0, 0.4, 0.0]])  # (first, second)


def cities(second: Callable[[int], np.ndarray]) -> TableModel:
    """Return a model of the text "The FIRST SECOND": each row depends on the word before.

    Args:
        second: index of the first word -> distribution (3,) of the second.
    """
    table = np.zeros((len(WORDS), len(WORDS)))
    table[0, 1:3] = JOINT.sum(axis=1)
    table[1:3, 3:] = second(0), second(1)
    table[3:, 0] = 1.0
    return TableModel(table)


def conditional(first: int) -> np.ndarray:
    """Return the target's distribution of the second word given the first."""
    return JOINT[first] / JOINT[first].sum()


def marginal(first: int) -> np.ndarray:
    """Return the distribution of the second word, whatever the first was."""
    return JOINT.sum(axis=0)


def distance(second: Callable[[int], np.ndarray]) -> float:
    """Return the TV between the joint distribution of both words and the proposed one."""
    product = JOINT.sum(axis=1)[:, None] * np.stack([second(first) for first in (0, 1)])
    return float(np.abs(JOINT - product).sum() / 2)


def shipped_heads(pair: Pair) -> tuple[SharedTarget, dict[str, LanguageModel]]:
    """Return the target with the layers that all heads read, and each head as a drafting model.

    Raises:
        FileNotFoundError: the heads are missing; the message says how to make them.
    """
    layers = sorted({tap for recipe in RECIPES.values() for tap in recipe.aux_layers})
    shared = SharedTarget(pair.target, tuple(layers))
    return shared, {name: HeadModel(shared, load_head(HEADS / name, shared)) for name in NAMES}
