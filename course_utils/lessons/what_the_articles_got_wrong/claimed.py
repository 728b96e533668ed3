"""The articles' figures beside the course's formulas and the published shapes of Qwen3."""

from collections.abc import Callable, Sequence
from functools import cache

import torch

from course_utils.decoding.theory import (
    acceptance_metrics,
    expected_tokens,
    optimal_gamma,
    speedup,
    speedup_limit,
)
from course_utils.lessons.what_the_articles_got_wrong.pieces import (
    CLAIMED,
    CONTINUATION,
    fewest,
    pieces,
    ranks_in,
)
from course_utils.lessons.what_the_articles_got_wrong.rows import Line
from course_utils.models.loading.memory import Need, memory_needed, qwen3_config

TRIED = range(1, 20)  # the lengths among which article 003 looks for the best
PRINTED_ALPHAS, PRINTED_COSTS, PRINTED_GAMMA = (0.6, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3), 5
CONTEXT = 4096  # tokens of a cache


def printed_speedup(alpha: float, gamma: int, c: float) -> float:
    """Article 003's formula restated, for alpha < 1: gamma + 1 tokens for every round.

    >>> round(printed_speedup(0.7, 19, 0.1), 1)
    7.5
    """
    return (gamma + 1) / (1 + (gamma + 1 - expected_tokens(alpha, gamma)) * c)


def printed_best(alpha: float, c: float) -> int:
    """The length that article 003's search returns."""
    return max(TRIED, key=lambda gamma: printed_speedup(alpha, gamma, c))


def best_count(alpha: float, c: float, largest: int) -> int:
    """Guesses per round, 0 to `largest`, with the highest speedup."""
    return max(range(largest + 1), key=lambda gamma: speedup(alpha, gamma, c))


def printed_table(best: Callable[[float, float, int], int] = best_count) -> list[dict[str, float]]:
    """The cells of article 003's table, each beside what is true of it and what is possible.

    Args:
        best: as `best_count`.
    """
    return [
        {
            "alpha": alpha,
            "c": c,
            "claimed": printed_speedup(alpha, PRINTED_GAMMA, c),
            "true": speedup(alpha, PRINTED_GAMMA, c),
            "best": speedup(alpha, best(alpha, c, TRIED[-1]), c),
        }
        for c in PRINTED_COSTS
        for alpha in PRINTED_ALPHAS
    ]


def lines() -> list[Line]:
    """The verdicts that need no model."""
    return [
        tokens_of_the_text(), memory_of_qwen3(), optimal_rate(), faster_draft(),
        from_rate_to_speedup(), more_memory(), search_for_the_best(), table_of_speedups(),
        whole_batch(), earlier_checkpoint(),
    ]  # fmt: skip


def tokens_of_the_text() -> Line:
    ranks = ranks_in()
    cut, least = len(pieces(CONTINUATION, ranks)), fewest(CONTINUATION.encode(), ranks)
    said = f"Qwen cuts it into {cut}; no way of cutting needs fewer than {least}."
    return Line(
        "000", f"Both runs made {CLAIMED} new tokens, and printed this text.",
        [cut == CLAIMED, least <= CLAIMED], said,
    )  # fmt: skip


def memory_of_qwen3() -> Line:
    small, large = _needs(CONTEXT)
    said = (
        f"Weights {large.weights / 1e9:.1f} and {small.weights / 1e9:.1f} GB; with a cache of "
        f"{CONTEXT} tokens {large.total / 1e9:.1f} and {small.total / 1e9:.1f}."
    )
    holds = [8 <= large.total / 1e9 <= 10, 1 <= small.total / 1e9 <= 2]
    return Line("000", "In half precision Qwen3-4B takes 8–10 GB, 0.6B 1–2 GB.", holds, said)


def optimal_rate(alphas: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9)) -> Line:
    """The rate is accepted over drafted; the article's run counts corrections as accepted, too."""
    c = _ratios()["weights"]
    rates, with_corrections = [], []
    for alpha in alphas:
        gamma, _ = optimal_gamma(alpha, c)
        rates.append(acceptance_metrics(alpha, gamma)["accepted / drafted"])
        with_corrections.append(rates[-1] + (1 - alpha**gamma) / gamma)
    zones = [(min(all_of_them), max(all_of_them)) for all_of_them in (rates, with_corrections)]
    (least, most), (least_with, most_with) = zones
    said = (
        f"Accepted / drafted at the best γ is {least:.3f} to {most:.3f} for α from {alphas[0]} to "
        f"{alphas[-1]} at c = {c:.2f}; with corrections, as the article counts, "
        f"{least_with:.3f} to {most_with:.3f}. No one value is the best."
    )
    holds = [high - low < 0.05 for low, high in zones]
    return Line("000", "An acceptance of 66.67 % is the best zone.", holds, said)


def faster_draft() -> Line:
    ratios = {name: 1 / c for name, c in _ratios().items()}
    said = (
        f"Qwen3-0.6B for 4B: {ratios['weights']:.1f} times if reading weights is all, "
        f"{ratios['layers']:.1f} if starting layers is."
    )
    return Line(
        "001", "The draft is 5 to 10 times as fast as the target.",
        [5 <= ratio <= 10 for ratio in ratios.values()], said,
    )  # fmt: skip


def from_rate_to_speedup(alphas: Sequence[float] = (0.8, 0.85, 0.9, 0.95)) -> Line:
    gamma, costs = 8, (0.1, 0.2)
    speeds = {c: [speedup(alpha, gamma, c) for alpha in alphas] for c in costs}
    said = ", ".join(f"{min(s):.2f} to {max(s):.2f} with c = {c}" for c, s in speeds.items())
    return Line(
        "001", "Above 80 % accepted, 2 to 3 times as fast.",
        [2 <= s <= 3 for of_c in speeds.values() for s in of_c],
        f"For α from {alphas[0]} to {alphas[-1]} at its k = {gamma}: {said}.",
    )  # fmt: skip


def more_memory() -> Line:
    k = 8
    small, large = _needs(k)
    holds = [large.cache > 0, small.weights > 0]
    said = (
        f"The cache of {k} guesses: {large.cache / 1e6:.1f} MB, {large.cache / large.weights:.3%} "
        f"of the weights of Qwen3-4B. The draft itself: {small.weights / large.weights:.0%}."
    )
    return Line("001, 004", "Verifying in parallel, and two models, need more memory.", holds, said)


def search_for_the_best() -> Line:
    grid = [(a / 10, c) for a in range(1, 9) for c in (0.05, 0.1, 0.2)]
    found = {printed_best(alpha, c) for alpha, c in grid}
    at = 0.7, 0.1
    promised = printed_speedup(at[0], printed_best(*at), at[1])
    best = best_count(*at, TRIED[-1])
    said = (
        f"It returns {' or '.join(map(str, sorted(found)))}, the largest it tries, at all "
        f"{len(grid)} points with α ≤ 0.8, c ≤ 0.2. At {at[0]} and {at[1]} it "
        f"promises {promised:.1f} times; best is γ = {best}, {speedup(at[0], best, at[1]):.2f}."
    )
    holds = [printed_best(*point) == best_count(*point, TRIED[-1]) for point in grid]
    return Line("003", "Its search finds the best number of guesses.", holds, said)


def table_of_speedups() -> Line:
    factors = [cell["claimed"] / cell["true"] for cell in printed_table()]
    said = f"All {len(factors)} are too high, by a factor of {min(factors):.1f} to "
    holds = [abs(factor - 1) < 0.05 for factor in factors]
    return Line("003", "Its table of speedups, 4 by 3.", holds, f"{said}{max(factors):.1f}.")


def whole_batch(rows: Sequence[int] = (2, 8)) -> Line:
    alpha, gamma = 0.8, 5
    alone = expected_tokens(alpha, gamma) - 1
    together = {n: expected_tokens(alpha**n, gamma) - 1 for n in rows}
    said = ", ".join(f"{accepted:.2f} in a batch of {n}" for n, accepted in together.items())
    return Line(
        "003", "A batch may stop where any of its rows rejects.",
        [accepted == alone for accepted in together.values()],
        f"Accepted per row and round, at α = {alpha}: {alone:.2f} alone, {said}.",
    )  # fmt: skip


def earlier_checkpoint(gammas: Sequence[int] = (1, 4, 8)) -> Line:
    best = [speedup_limit(gamma, 1.0) for gamma in gammas]
    said = f"It is as large as the target, c = 1: even never wrong, {max(best):.2f} times."
    return Line("004", "An earlier checkpoint can be the draft.", [s > 1 for s in best], said)


@cache
def _needs(context: int) -> list[Need]:
    """Of Qwen3-0.6B and Qwen3-4B in half precision."""
    configs = (qwen3_config(f"Qwen/Qwen3-{size}") for size in ("0.6B", "4B"))
    return [memory_needed(config, torch.float16, context) for config in configs]


def _ratios() -> dict[str, float]:
    """c of Qwen3-0.6B for 4B, if a pass costs what its weights or what its layers cost."""
    small, large = _needs(1)
    layers = [qwen3_config(f"Qwen/Qwen3-{size}").num_hidden_layers for size in ("0.6B", "4B")]
    return {"weights": small.weights / large.weights, "layers": layers[0] / layers[1]}
