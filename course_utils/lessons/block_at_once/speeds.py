"""Chains of EAGLE's head and blocks on the clock, at each gamma, and what their rounds cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.turns import part_seconds, rounds_in_turns


@dataclass(frozen=True)
class TimedModel:
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
) -> TimedModel:  # fmt: skip
    """Every gamma up to `longest`, all in turn: costs on the texts `known`, speed on `timed`.

    Args:
        models: "eagle" and "block", which draft for `target`.
    """
    gammas = range(1, longest + 1)
    ways = [(None, 1), *((name, gamma) for gamma in gammas for name in models)]

    def run(way: tuple[str | None, int], text: Sequence[int], seed: int) -> list[Round]:
        drafter = Sampled(models[way[0]]) if way[0] else None
        how = {"gamma": way[1], "max_new_tokens": new_tokens, "seed": seed}
        return list(generate(target, text, drafter, **how))[1:]  # the first reads the prompt

    runs = rounds_in_turns(ways, run, known, timed, "texts")
    plain, plain_timed = map(part_seconds, runs[None, 1])

    def each(what: Callable[[list[Round], list[Round]], float]) -> dict[str, list[float]]:
        return {name: [float(what(*runs[name, gamma])) for gamma in gammas] for name in models}

    draft = each(lambda first, _: part_seconds(first, "draft") / plain)
    rest = each(lambda first, _: part_seconds(first, "verify", "host") / plain)
    tokens = each(lambda _, second: np.mean([len(r.emitted) for r in second]))
    cost = each(lambda _, second: part_seconds(second) / plain_timed)
    c, begun = np.polyfit(gammas, draft["eagle"], 1)
    return TimedModel(
        float(c),
        float(np.median(draft["block"]) - begun),
        np.array([1.0, *(np.mean([*rest.values()], 0) + begun)]),
        draft,
        tokens,
        {name: np.divide(tokens[name], cost[name]).tolist() for name in models},
    )
