"""Which K at which load, and from when on none: from load tests, or from sizes alone.

From load tests each load has its own cost line (`published.CostLine`), fitted to its times and held
against each K that is left out in turn.  The K that is advised was measured; the line says
whether another one is worth a test.  From sizes alone (`calculator.roofline`) everything is
computed, and the best K is searched.

What a better draft would be worth is computed at the alpha under which rounds are as long as
those that were measured, plus `BETTER`: independent acceptances, as in `theory`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from course_utils.decoding.theory import expected_tokens
from course_utils.engines.calculator import (
    Costs,
    best_k,
    seconds_per_token,
    speedup,
    tokens_per_second,
)
from course_utils.engines.load_tests import LoadTest
from course_utils.engines.published import CostLine, Table, fit

BETTER = 0.05  # alpha is raised by it
TRUSTED = 0.1  # a line that misses by more is shown, and nothing follows from it
LONGEST = 16  # tokens in a draft that `calculator.best_k` tries


@dataclass(frozen=True)
class Advice:
    """What to do at one load."""

    clients: int
    k: int  # 0: without a draft
    tokens: float  # per round
    seconds: float  # per token of one request
    speed: float  # tokens per second of all together
    plain: float  # the same without a draft
    speedup: float  # of the time per token, over plain decoding at this load
    alpha: float  # the one under which rounds are as long as measured, or the one given
    better: float | None  # speedup with alpha + BETTER and its own best K
    speedups: Mapping[int, float]  # by K: measured, or computed
    line: CostLine | None = None
    missed: float | None = None  # the line's largest error at a K that was left out
    line_k: int | None = None  # the K that the line would take, between those measured


def from_load_tests(tests: Sequence[LoadTest]) -> list[Advice]:
    """One line for each load, the smallest first.

    Raises:
        ValueError: a load without a test at K = 0 or with nothing else, or two tests of one K.
    """
    if not tests:
        raise ValueError("no load test was given")
    loads: dict[int, dict[int, LoadTest]] = {}
    for test in tests:
        of_load = loads.setdefault(test.clients, {})
        if test.k in of_load:
            raise ValueError(
                f"{of_load[test.k].name} and {test.name} are both K = {test.k} with "
                f"{test.clients} clients: give one of them"
            )
        of_load[test.k] = test
    return [_measured(clients, loads[clients]) for clients in sorted(loads)]


def _measured(clients: int, by_k: dict[int, LoadTest]) -> Advice:
    plain, drafted = by_k.get(0), {k: by_k[k] for k in sorted(by_k) if k}
    if plain is None or not drafted:
        has, lacks = ("a draft", "K = 0") if plain is None else ("K = 0", "a draft")
        raise ValueError(
            f"with {clients} clients there are tests with {has} and none with {lacks}: a speedup "
            "needs both at the same load"
        )
    speedups = {0: 1.0} | {k: plain.seconds / test.seconds for k, test in drafted.items()}
    k = max(speedups, key=speedups.__getitem__)
    alpha = acceptance({k: test.tokens for k, test in drafted.items()})
    line, missed = _line(clients, plain, drafted)
    best = better = None
    if line and (missed or 0) <= TRUSTED:
        lengths = range(min(drafted), max(drafted) + 1)
        best, raised = (_best(line, min(1.0, a), lengths) for a in (alpha, alpha + BETTER))
        better = speedups[k] * raised[1] / best[1]
    return Advice(
        clients, k, by_k[k].tokens, by_k[k].seconds, by_k[k].speed, plain.speed, speedups[k], alpha,
        better, speedups, line, missed, best and best[0],
    )  # fmt: skip


def _line(
    clients: int, plain: LoadTest, drafted: dict[int, LoadTest]
) -> tuple[CostLine | None, float | None]:
    """The cost line of one load, and its largest error at a K that was left out."""
    if len(drafted) < 2:
        return None, None
    table = Table(
        f"{clients} clients", "", "", plain.seconds * 1e3, tuple(drafted),
        tuple(test.tokens for test in drafted.values()),
        tuple(test.seconds * 1e3 for test in drafted.values()),
    )  # fmt: skip
    others = [[k for k in drafted if k != out] for out in drafted]
    missed = max(fit(table, rest).missed for rest in others) if len(drafted) > 2 else None
    return fit(table).line, missed


def _best(line: CostLine, alpha: float, lengths: range) -> tuple[int, float]:
    """K, 0 among them, and the speedup that the line expects."""
    expected = {0: 1.0} | {k: line.speedup(k, expected_tokens(alpha, k)) for k in lengths}
    k = max(expected, key=expected.__getitem__)
    return k, expected[k]


def acceptance(tokens: Mapping[int, float]) -> float:
    """The alpha whose rounds are as long as those of all these K together, {K: tokens per round}.

    >>> round(acceptance({2: 1 + 0.6 + 0.36}), 12)
    0.6
    """
    from scipy.optimize import brentq  # on use: it takes longer to import than all else

    total = sum(tokens.values())
    return brentq(lambda a: sum(expected_tokens(a, k) for k in tokens) - total, 0, 1)


def from_sizes(costs: Costs, alpha: float, loads: Sequence[int]) -> list[Advice]:
    """The same, computed; loads that do not fit the memory are left out.

    Raises:
        ValueError: an alpha outside [0, 1], or no load that fits.
    """
    fit = [n for n in sorted({*loads}) if n <= costs.most_rows]
    if not fit:
        raise ValueError(f"the memory has room for {costs.most_rows} requests: ask for fewer")
    return [_computed(costs, alpha, n) for n in fit]


def _computed(costs: Costs, alpha: float, rows: int) -> Advice:
    def gain(alpha: float, k: int) -> float:
        return speedup(costs, rows, k, expected_tokens(alpha, k))

    k, better = (best_k(costs, rows, min(1.0, a)) for a in (alpha, alpha + BETTER))
    tokens, plain = expected_tokens(alpha, k), tokens_per_second(costs, rows, 0, 1.0)
    return Advice(
        rows, k, tokens, seconds_per_token(costs, rows, k, tokens),
        tokens_per_second(costs, rows, k, tokens), plain, gain(alpha, k), alpha,
        gain(min(1.0, alpha + BETTER), better),
        {k: gain(alpha, k) for k in range(LONGEST + 1)},
    )  # fmt: skip


def switch_off(costs: Costs, alpha: float) -> int | None:
    """The smallest batch from which on no K pays, of those that fit; None if the largest gains.

    Below it a mixture of experts may lose, too, and gain in a larger batch.
    """
    paying = (n for n in range(costs.most_rows, 0, -1) if best_k(costs, n, alpha))
    off = next(paying, 0) + 1
    return off if off <= costs.most_rows else None


def schedule(advice: Sequence[Advice]) -> list[list[int]]:
    """[[from, to, K], ...] as vLLM's `num_speculative_tokens_per_batch_size` takes it.

    Between two loads that were looked at the K of the larger one holds, which is the careful one.
    REFERENCES.md: vllm-dynamic.
    """
    ranges: list[list[int]] = []
    for one in advice:
        start = ranges[-1][1] + 1 if ranges else 1
        if ranges and ranges[-1][2] == one.k:
            ranges[-1][1] = one.clients
        else:
            ranges.append([start, one.clients, one.k])
    return ranges
