"""The clock of this lesson: what a next token and a pass over k tokens take."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from statistics import median

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel
from course_utils.measuring.clocked import passes_in_turn
from course_utils.models.qwen3 import Qwen3

Milliseconds = float


def milliseconds(work: Callable, *arguments: object) -> Milliseconds:
    start = now()
    work(*arguments)
    return 1e3 * (now() - start)


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
    models: Mapping[str, LanguageModel], text: Sequence[int], rest: Sequence[int], repeats: int
) -> dict[str, dict[int, list[Milliseconds]]]:
    """{name: {k: times}} of passes over the first k = 1, 2, ... tokens of `rest` after `text`."""
    sessions = {name: model.start(text) for name, model in models.items()}
    taken = passes_in_turn(sessions, rest, repeats)
    return {
        name: {k: [1e3 * x for x in seconds] for k, seconds in each.items()}
        for name, each in taken.items()
    }
