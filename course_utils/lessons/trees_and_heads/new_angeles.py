"""A target that says New York or Los Angeles, and a draft that guesses both words at once.

A head that does not see the guess before its own can know the distribution of each word, not
which goes with which.  Its draft is a draw from the product of the marginals, and what that costs
is a distance: at the second word alpha = 1 - TV(joint, product).
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.decoding.contracts import Rows
from course_utils.models.toys.tables import SequenceSession
from course_utils.proofs.decoders import Decoder, Exam, tokens_per_round

FIRST, SECOND = ("New", "Los"), ("York", "Angeles", "Orleans")
WORDS = ("The", *FIRST, *SECOND)
JOINT = np.array([[0.45, 0.0, 0.15], [0.0, 0.4, 0.0]])  # (first, second)


class Words:
    """A LanguageModel of a text "The FIRST SECOND": rows from the two words before."""

    context, vocabulary_size = 1 << 20, len(WORDS)

    def __init__(self, second: Callable[[int], np.ndarray]):
        self._second = second  # index of the first word -> distribution (3,) of the second

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> Rows:
        row = np.zeros(len(WORDS))
        if tokens[-1] == 0:
            row[1:3] = JOINT.sum(axis=1)
        elif tokens[-1] < 3:
            row[3:] = self._second(tokens[-1] - 1)
        else:
            row[0] = 1.0
        return row


def conditional(first: int) -> np.ndarray:
    """What the target says: the second word given the first."""
    return JOINT[first] / JOINT[first].sum()


def marginal(first: int) -> np.ndarray:
    """The second word, whatever the first was."""
    return JOINT.sum(axis=0)


def half_seen(first: int) -> np.ndarray:
    """Between the two: a head that has learned a part of what hangs together."""
    return (marginal(first) + conditional(first)) / 2


DRAFTS = {
    "sees the first word": conditional,
    "sees half of it": half_seen,
    "both at once": marginal,
}


def distance(second: Callable[[int], np.ndarray]) -> float:
    """TV between the joint distribution of both words and what is proposed."""
    proposed = JOINT.sum(axis=1)[:, None] * np.stack([second(first) for first in (0, 1)])
    return float(np.abs(JOINT - proposed).sum() / 2)


def rows() -> list[dict[str, object]]:
    """A row for each draft: by the formula, and enumerated in the loop."""
    found = []
    for name, second in DRAFTS.items():
        paper = Exam(Words(conditional), Words(second), gamma=2, length=3, prompt=(0,))
        rounds = paper.first_rounds(Decoder())
        reached = sum(weight for weight, r in rounds if r.verdict.accepted >= 1)
        accepted = sum(weight for weight, r in rounds if r.verdict.accepted >= 2)
        invented = sum(
            weight for weight, r in rounds if JOINT[r.drafted[0] - 1, r.drafted[1] - 3] == 0
        )
        found.append(
            {
                "draft": name,
                "1 - TV(joint, proposed)": 1 - distance(second),
                "α at word 2, enumerated": accepted / reached,
                "proposes no city": invented,
                "tokens per round": tokens_per_round(rounds),
                "text, TV": f"{paper.distance(Decoder()):.0e}",
            }
        )
    return found
