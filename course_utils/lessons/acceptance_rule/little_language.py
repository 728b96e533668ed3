"""Ten words and two models of them, small enough to read: what follows each word.

The target and its draft know the same sentences ("the cat sat on the mat .") and
disagree on what is likely.  For a picture of rounds whose words mean something.
"""

import numpy as np

from course_utils.models.tables import TableModel

WORDS = ("the", "cat", "dog", "sat", "lay", "on", "mat", "sofa", "roof", ".")
# what may follow: its probability under the target, under the draft
_AFTER_A_NAME = {"sat": (0.7, 0.4), "lay": (0.3, 0.6)}
_AFTER_A_PLACE = {".": (0.8, 0.9), "on": (0.2, 0.1)}
FOLLOWS = {
    "the": {
        "cat": (0.35, 0.3), "dog": (0.15, 0.1), "mat": (0.25, 0.15), "sofa": (0.15, 0.1),
        "roof": (0.1, 0.35),
    },
    "cat": _AFTER_A_NAME,
    "dog": _AFTER_A_NAME,
    "sat": {"on": (1, 1)},
    "lay": {"on": (1, 1)},
    "on": {"the": (1, 1)},
    "mat": _AFTER_A_PLACE,
    "sofa": _AFTER_A_PLACE,
    "roof": _AFTER_A_PLACE,
    ".": {"the": (1, 1)},
}  # fmt: skip


def _model(place: int) -> TableModel:
    table = np.zeros((len(WORDS), len(WORDS)))
    for word, following in FOLLOWS.items():
        for other, chances in following.items():
            table[WORDS.index(word), WORDS.index(other)] = chances[place]
    return TableModel(table)


TARGET, DRAFT = _model(0), _model(1)
