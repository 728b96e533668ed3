"""What the same bits cost: a pass as it is and in fixed shapes, operation by operation."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from course_utils.decoding.clock import now
from course_utils.measuring.turns import in_turns, seconds_in_turns
from course_utils.models.qwen3 import Qwen3
from course_utils.models.same_bits import same_bits

TURNS = 40
Passes = Mapping[tuple[str, int], Mapping[str, float]]  # (model, rows): {part: seconds}
WHOLE, PRODUCTS, HEAD, ATTENTION = "whole pass", "products of the layers", "head", "attention"


def seconds(steps: Mapping[str, Callable[[], object]], turns: int = TURNS) -> dict[str, float]:
    """The least of each step, all in turns: other work on the machine only adds."""
    taken = seconds_in_turns({n: lambda _, s=s: s() for n, s in steps.items()}, turns, warm_up=0)
    return {name: min(them) for name, them in taken.items()}


def passes(models: Mapping[str, Qwen3], ids: Sequence[int], rows: Sequence[int]) -> Passes:
    """Seconds of a pass over so many rows behind `ids`, and of its parts; the least, in turns."""
    parts: dict = {(name, n): defaultdict(list) for name in models for n in rows}
    steps = {}
    for name, model in models.items():
        clocks: dict[str, float] = defaultdict(float)
        session = _clocked(model, clocks).start(ids)
        for n in rows:
            steps[name, n] = lambda _, s=session, n=n, c=clocks: _pass(s, ids[:n], c)
    for key, _, found, whole in in_turns(steps, TURNS, "passes"):
        for part, took in (found | {WHOLE: whole}).items():
            parts[key][part].append(took)
    return {key: {part: min(t) for part, t in found.items()} for key, found in parts.items()}


def by_layer(found: Passes) -> list[dict[str, object]]:
    """Lines of a table: a part each, milliseconds of each model and number of rows."""
    return [
        {"part": part}
        | {f"{name}, {n} row{'s' * (n > 1)}": 1e3 * took[part] for (name, n), took in found.items()}
        for part in (PRODUCTS, ATTENTION, HEAD, WHOLE)
    ]


def _pass(session, tokens: Sequence[int], clocks: dict[str, float]) -> dict[str, float]:
    clocks.clear()
    length = session.length
    session.extend(tokens)
    session.rollback(length)  # an integer moves, which costs nothing
    return dict(clocks)


def _clocked(model: Qwen3, clocks: dict[str, float]) -> Qwen3:
    """`model`, which adds up what its products and its attention take."""

    def timed(operation: Callable, *given: object, part: str = PRODUCTS):
        begin = now()
        out = operation(*given)
        clocks[HEAD if given[-1] is model.lm_head else part] += now() - begin
        return out

    attend = partial(timed, model.attend, part=ATTENTION)
    return same_bits(model, partial(timed, model.linear), attend)
