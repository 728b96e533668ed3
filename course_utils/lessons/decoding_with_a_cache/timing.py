"""The clock of this lesson: what a next token, a pass over k tokens and a rollback take."""

from collections.abc import Callable, Sequence
from itertools import product
from statistics import median
from time import perf_counter

from course_utils.models.qwen3 import Qwen3

Milliseconds = float


def milliseconds(work: Callable, *arguments: object) -> Milliseconds:
    start = perf_counter()
    work(*arguments)
    return 1e3 * (perf_counter() - start)


def next_token(
    model: Qwen3, tokens: Sequence[int], lengths: Sequence[int], repeats: int
) -> tuple[list[Milliseconds], list[Milliseconds]]:
    """(without a cache, with it) for each length: medians, both ways and all lengths in turn."""
    session = model.start(tokens[: max(lengths)])

    def work(length: int, kept: int) -> None:
        session.rollback(kept)
        model.logits(session.process(tokens[kept:length])[-1:])

    times = {(length, kept): [] for kept in (0, 1) for length in lengths}
    for _, (length, cached) in product(range(repeats), times):
        times[length, cached].append(milliseconds(work, length, cached * (length - 1)))
    return tuple([median(times[length, kept]) for length in lengths] for kept in (0, 1))


def passes(
    models: dict[str, Qwen3], text: Sequence[int], rest: Sequence[int], repeats: int
) -> dict[str, dict[int, list[Milliseconds]]]:
    """{name: {k: times}} of passes over the first k = 1, 2, ... tokens of `rest` after `text`.

    All cases in turn, so that a hiccup of the machine hits all of them; two rounds warm up.
    """
    sessions = {name: model.start(text) for name, model in models.items()}
    times = {name: {k: [] for k in range(1, len(rest) + 1)} for name in models}
    for turn, (name, k) in product(range(-2, repeats), product(models, range(1, len(rest) + 1))):
        taken = milliseconds(sessions[name].extend, rest[:k])
        sessions[name].rollback(len(text))
        if turn >= 0:
            times[name][k].append(taken)
    return times


def after_longer_texts(
    model: Qwen3, tokens: Sequence[int], lengths: Sequence[int], repeats: int
) -> tuple[list[Milliseconds], list[float]]:
    """(milliseconds of a pass over five tokens, microseconds of the rollback), medians."""
    sessions = {length: model.start(tokens[:length]) for length in lengths}
    times = {length: ([], []) for length in lengths}
    for _, length in product(range(repeats), lengths):
        verify, forget = times[length]
        verify.append(milliseconds(sessions[length].extend, tokens[:5]))
        forget.append(1000 * milliseconds(sessions[length].rollback, length))
    return tuple([median(times[length][i]) for length in lengths] for i in (0, 1))
