"""Chains of EAGLE's head and blocks on the clock, at each gamma, and what their rounds cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.trees_and_heads.reckoning import PLAIN, Budget, compared


@dataclass(frozen=True)
class Clocked:
    """Costs in rounds of plain decoding; lists hold gamma = 1, 2, ...

    A line through what EAGLE's drafts cost has the slope c; where it begins is what any draft of a
    head costs, and that is counted in v.
    """

    c: float  # one more guess of EAGLE's head
    b: float  # the block's pass
    v: np.ndarray  # v[gamma], all else in a round; v[0] = 1
    draft: dict[str, list[float]]  # of a whole round
    tokens: dict[str, list[float]]  # per round
    speedup: dict[str, list[float]]  # measured


def clocked(
    target: LanguageModel, models: Mapping[str, LanguageModel], known: Sequence[Sequence[int]],
    timed: Sequence[Sequence[int]], longest: int, new_tokens: int,
) -> Clocked:  # fmt: skip
    """Every gamma up to `longest`, all in turn: costs on the texts `known`, speed on `timed`.

    Args:
        models: "eagle" and "block", which draft for `target`.
    """
    makes = {PLAIN: lambda: None}
    for gamma in range(1, longest + 1):
        for name, model in models.items():
            makes[f"{name}, block of {gamma}"] = lambda model=model: Sampled(model, Sampling())
    rows: dict[tuple[str, int], Budget] = {}
    for budget in compared(target, makes, known, timed, Sampling(), new_tokens):
        name, gamma = budget.name.split(", block of ")
        rows[name, int(gamma)] = budget
    gammas = range(1, longest + 1)

    def column(what, name: str) -> list[float]:
        return [what(rows[name, gamma]) for gamma in gammas]

    draft = {name: column(lambda b: b.draft / b.plain, name) for name in models}
    rest = np.mean([column(lambda b: (b.verify + b.host) / b.plain, name) for name in models], 0)
    c, begun = np.polyfit(gammas, draft["eagle"], 1)
    return Clocked(
        float(c),
        float(np.median(draft["block"]) - begun),
        np.array([1.0, *(rest + begun)]),
        draft,
        {name: column(lambda b: b.tokens, name) for name in models},
        {name: column(lambda b: b.measured, name) for name in models},
    )
