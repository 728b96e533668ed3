"""Rows of which some are soon done: a run of the trained pair in which much is seen in few turns.

Whatever pair is shipped, `short_rows` tries seeds until a run is `worth_watching`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import Round
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.lessons.batched_speculation.lanes import (
    continuous_lanes,
    rounds_by_row,
    static_lanes,
)

if TYPE_CHECKING:
    from course_utils.pairs import Pair

SLOTS, GAMMA, TOKENS = 4, 4, 28  # tokens of a row at most
ROOM = 128  # tokens that a row's cache can hold
LONGEST = 22  # turns of a static batch that a room looks at
TRIED = 20  # seeds; one in four or so is worth watching
BEGINNINGS = (
    'html = "<b>" + name +',
    "def add(a, b):\n    return",
    "class Stack:\n    def push(self, item):\n        self.",
    "def area(self):\n        return self.",
    "import os\nimport sys\n",
    "for name in names:\n    print(",
    "def test_empty(self):\n        self.assert",
    'if __name__ == "__main__":\n   ',
)
Run = list[tuple[int, Round]]


def short_rows(pair: "Pair", seed: int = 0) -> tuple[Run, list[list[int]]]:
    """(the rounds of a run with `SLOTS` slots, its prompts as tokens).

    Of the first seed from `seed` on that is `worth_watching`, or of `seed` itself if none of
    `TRIED` is.
    """
    prompts = [pair.encode(text) for text in BEGINNINGS]
    runs = (continued(pair, prompts, one) for one in range(seed, seed + TRIED))
    return next(filter(worth_watching, runs), None) or continued(pair, prompts, seed), prompts


def continued(pair: "Pair", prompts: Sequence[Sequence[int]], seed: int) -> Run:
    """Each prompt continued by `TOKENS` tokens at most; a blank line ends a row, too."""
    from course_utils.models.qwen3.batched import Batched  # torch, which a room loads when it must

    sampling = Sampling(temperature=0.7)
    tokens = range(pair.target.vocabulary_size)
    blank = [token for token in tokens if "\n\n" in pair.decode([token])]
    run = generate_batch(
        Batched(pair.target, ROOM), prompts, BatchSampled(Batched(pair.draft, ROOM)),
        slots=SLOTS, gamma=GAMMA, sampling=sampling, max_new_tokens=TOKENS,
        stop_tokens=[*pair.stop_tokens, *blank], seed=seed,
    )  # fmt: skip
    return list(run)


def worth_watching(run: Run) -> bool:
    """Is much seen in few turns?

    Within three turns a draft is accepted to its end and another not at all, and a static
    batch takes at least a quarter more turns, but no more than `LONGEST`.
    """
    rounds = rounds_by_row(run, SLOTS)
    many = list(map(len, rounds))
    static, continuous = (len(plan(many, SLOTS)) for plan in (static_lanes, continuous_lanes))
    first = [r for of_row in rounds[:SLOTS] for r in of_row[:3] if r.drafted]
    whole = any(r.kinds[-1] == "bonus" for r in first)
    none = any(not r.accepted for r in first)
    return whole and none and 1.25 * continuous <= static <= LONGEST
