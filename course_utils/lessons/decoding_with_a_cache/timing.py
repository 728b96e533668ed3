"""The clock of this lesson: what a next token and a pass over k tokens take."""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median

from course_utils.decoding.contracts import LanguageModel
from course_utils.measuring.pass_clock import passes_in_turn
from course_utils.measuring.turns import seconds_in_turns
from course_utils.models.qwen3.readable import Qwen3

Milliseconds = float


def next_token(
    model: Qwen3, tokens: Sequence[int], lengths: Sequence[int], repeats: int
) -> tuple[list[Milliseconds], list[Milliseconds]]:
    """(without a cache, with it) for each length: medians, both ways and all lengths in turn."""
    session = model.start(tokens[: max(lengths)])

    def work(length: int, kept: int, _: int) -> None:
        session.rollback(kept)
        model.logits(session.process(tokens[kept:length])[-1:])

    steps = {(n, cached): partial(work, n, cached * (n - 1)) for cached in (0, 1) for n in lengths}
    times = seconds_in_turns(steps, repeats, warm_up=0)
    return tuple([1e3 * median(times[n, cached]) for n in lengths] for cached in (0, 1))


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
