"""What a server would bring: tokens per second, and the load up to which drafts pay.

A turn of B rows with K drafted tokens each takes K passes of the draft, one pass of the target
over B (K + 1) tokens, and the host (`batch_theory.throughput`).  Where its seconds come from is
an argument: `roofline` computes them from a data sheet, at best; your own measurement is another
way.

Left out: reading the prompts, requests that come in bursts, and that rows accept unlike numbers
(`batch_theory.waiting`).  At best, without `layer_latency`, c is the ratio of the bytes, and long
drafts of a small model look good; started kernels bring it near the ratio of the layers.

Times are seconds, K is gamma.  `tokens` are those a round emits on average:
`theory.expected_tokens(alpha, k)`, or what was measured.
"""

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.classroom.memory_examples import Model
from course_utils.decoding.batch_theory import throughput
from course_utils.decoding.roofline import pass_time
from course_utils.decoding.theory import expected_tokens
from course_utils.engines.accelerators import Accelerator
from course_utils.engines.architectures import (
    attention_products,
    bytes_held,
    bytes_read,
    cached_bytes,
    products,
)

LARGEST = 512  # rows in a batch that are tried
ROUNDING = 1e-12  # a draft that neither gains nor loses does not lose


def no_time(rows: int) -> float:
    return 0.0


@dataclass(frozen=True)
class Costs:
    """Seconds of the parts of a turn."""

    target: Callable[[int, int], float]  # (rows, tokens of all rows) -> of one pass
    draft: Callable[[int], float]  # rows -> of one drafted token of each row
    host: Callable[[int], float] = no_time  # rows -> of what is neither
    most_rows: int = LARGEST  # as many as the memory holds, or as are known


def roofline(
    machine: Accelerator, target: Model, draft: Model | None = None, *, context: int = 0,
    draft_context: int | None = None, devices: int = 1, layer_latency: float = 0.0,
    all_reduce: float = 0.0,
) -> Costs:  # fmt: skip
    """Costs at best: a pass lasts as long as its bytes or its arithmetic, whichever is longer.

    Bytes are the weights that are read, once, and each row's cache; arithmetic is that of the
    weights of a token and of attention over the context, for each token.  On top of that comes
    a least time per layer, so that c tends to the ratio of the layers where it is all that
    counts; at 0 there is none.

    Args:
        draft: a model of its own; None for drafts that cost nothing, as prompt lookup nearly does.
        context: tokens in the cache of each row.
        draft_context: those that the draft holds and reads of them; None for all.
        devices: that share every matrix (tensor parallelism), draft and target alike; a cache is
            shared as far as there are groups of heads.
        layer_latency: seconds that a layer takes at least, for starting its kernels and the rest;
            `accelerators.LAYER_LATENCY` is what a published table says.
        all_reduce: seconds per layer in which several devices add up what each has computed.

    Raises:
        ValueError: a number that cannot be, or weights that do not fit the memory.
    """
    if context < 0:
        raise ValueError(f"context is {context}; it cannot be negative")
    if devices < 1:
        raise ValueError(f"devices is {devices}; at least 1 holds the model")
    if not (layer_latency >= 0 and all_reduce >= 0):
        raise ValueError(f"a layer takes {layer_latency} and {all_reduce} s more; give 0 or more")
    few = context if draft_context is None else draft_context
    if not 0 <= few <= context:
        raise ValueError(f"draft_context is {few}; give 0 to the context, {context}")
    models = [target] + ([draft] if draft else [])
    room = devices * machine.memory - sum(map(bytes_held, models))
    a_row = cached_bytes(target, context) + (cached_bytes(draft, few) if draft else 0)
    most = LARGEST if a_row == 0 else int(min(LARGEST, room // a_row))
    if room < 0 or most < 1:
        names = " and ".join(model.name for model in models)
        raise ValueError(
            f"{names} with {context} tokens of context do not fit the "
            f"{devices * machine.memory / 1e9:.0f} GB of {machine.name}: take a larger accelerator "
            "or several, a smaller model or a shorter context"
        )

    def seconds(model: Model, rows: int, tokens: int, context: int) -> float:
        shared = min(devices, model.shape.num_key_value_heads)
        size = bytes_read(model, tokens) / devices + rows * cached_bytes(model, context) / shared
        multiplied = (products(model) + attention_products(model, context)) / devices
        at_best = pass_time(size, machine.bandwidth, multiplied, tokens, machine.operations)
        each = layer_latency + (all_reduce if devices > 1 else 0)
        return at_best + model.shape.num_hidden_layers * each

    return Costs(
        target=lambda rows, tokens: seconds(target, rows, tokens, context),
        draft=(lambda rows: seconds(draft, rows, rows, few)) if draft else no_time,
        most_rows=most,
    )


def tokens_per_second(costs: Costs, rows: int, k: int, tokens: float) -> float:
    """Of all rows together; K = 0 is plain decoding, with 1 token per round.

    Raises:
        ValueError: more rows than there is room for, a K below 0, or tokens outside 1 .. K + 1.
    """
    _check(costs, rows, k)
    if not 1 <= tokens <= k + 1:
        raise ValueError(
            f"{tokens} tokens per round at K = {k}; a round emits 1 to K + 1. Is it an acceptance "
            "rate? theory.expected_tokens(alpha, k) makes tokens per round of it"
        )
    return throughput(tokens, k, rows, costs.draft, lambda n: costs.target(rows, n), costs.host)


def seconds_per_token(costs: Costs, rows: int, k: int, tokens: float) -> float:
    """TPOT, what a reader waits for a token of one row, on average."""
    return rows / tokens_per_second(costs, rows, k, tokens)


def speedup(costs: Costs, rows: int, k: int, tokens: float) -> float:
    """Over plain decoding of the same batch."""
    return tokens_per_second(costs, rows, k, tokens) / tokens_per_second(costs, rows, 0, 1.0)


def best_k(costs: Costs, rows: int, alpha: float, largest: int = 16) -> int:
    """The K from 0, which drafts nothing, with the most tokens per second; of equals the least."""
    speeds = [
        tokens_per_second(costs, rows, k, expected_tokens(alpha, k)) for k in range(largest + 1)
    ]
    return speeds.index(max(speeds))


def off_from(costs: Costs, alpha: float, k: int) -> int | None:
    """The smallest batch that K drafted tokens make slower; None if none that has room is."""
    for rows in range(1, costs.most_rows + 1):
        if speedup(costs, rows, k, expected_tokens(alpha, k)) < 1 - ROUNDING:
            return rows
    return None


def _check(costs: Costs, rows: int, k: int) -> None:
    if not 1 <= rows <= costs.most_rows:
        raise ValueError(
            f"{rows} rows in a batch; these costs hold for 1 to {costs.most_rows}, by the memory "
            "that is left for caches or by what was measured"
        )
    if k < 0 or int(k) != k:
        raise ValueError(f"K is {k}; draft a whole number of tokens, or 0 for plain decoding")
