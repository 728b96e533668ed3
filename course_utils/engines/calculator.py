"""What a server would bring: tokens per second, and the load up to which drafts pay.

A turn of B rows with K drafted tokens each takes K passes of the draft and one pass of the target
over B (K + 1) tokens (`batch_theory.throughput`).  Its seconds come from `TurnCosts`: `roofline`
computes them from a data sheet, at best; measured ones do as well.

Left out: the host, the prompts' passes, bursts of requests, and that rows accept unequal numbers
(`batch_theory.expected_slowest`).  At best c is the ratio of the bytes, and long drafts of a small
model look good; starting the kernels brings it near the ratio of the layers.

Times are seconds, K is gamma.  `tokens` are those a round emits on average:
`theory.expected_tokens(alpha, k)`, or a measured number.
"""

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.classroom.memory_examples import Model, parameters
from course_utils.decoding.batch_theory import throughput
from course_utils.decoding.roofline import pass_time
from course_utils.decoding.theory import expected_tokens
from course_utils.engines.accelerators import Accelerator

LARGEST_BATCH = 512  # rows
ROUNDING = 1e-12  # a draft that neither gains nor loses does not lose


def weight_bytes(model: Model) -> float:
    """Bytes of all weights in memory, a separate embedding among them."""
    shape = model.shape
    embedding = 0 if shape.tie_word_embeddings else shape.vocab_size * shape.hidden_size
    return model.size + embedding * model.width


def attention_products(model: Model, context: int) -> float:
    """What the context adds to a token's products: a query with each key, a weight with each
    value."""
    shape = model.shape
    return 2 * shape.num_attention_heads * shape.head_dim * shape.num_hidden_layers * context


def cache_bytes(model: Model, context: int = 1) -> float:
    """Bytes of a row's cache: a key and a value per group, layer and token of context."""
    shape = model.shape
    each = 2 * shape.num_key_value_heads * shape.head_dim * model.cache_width
    return each * shape.num_hidden_layers * context


@dataclass(frozen=True)
class TurnCosts:
    """Seconds of the parts of a turn."""

    target: Callable[[int, int], float]  # (rows, tokens of all rows) -> a pass
    draft: Callable[[int], float]  # rows -> one drafted token of each row
    most_rows: int = LARGEST_BATCH  # as many as the memory holds, or as were measured


def roofline(
    machine: Accelerator, target: Model, draft: Model | None = None, *, context: int = 0
) -> TurnCosts:
    """Costs at best: a pass lasts as long as its bytes or its arithmetic, whichever is longer.

    Bytes are the weights that are read, once, and each row's cache; arithmetic is that of the
    weights of a token and of attention over the context, for each token.

    Args:
        draft: a model of its own; None for drafts that cost nothing, as prompt lookup nearly does.
        context: tokens in the cache of each row.

    Raises:
        ValueError: a negative context, or weights that do not fit the memory.
    """
    if context < 0:
        raise ValueError(f"context is {context}; it cannot be negative")
    models = [target] + ([draft] if draft else [])
    room = machine.memory - sum(map(weight_bytes, models))
    row = sum(cache_bytes(model, context) for model in models)
    most = int(min(LARGEST_BATCH, room // row)) if row else LARGEST_BATCH
    if room < 0 or most < 1:
        names = " and ".join(model.name for model in models)
        raise ValueError(
            f"{names} with {context} tokens of context do not fit the "
            f"{machine.memory / 1e9:.0f} GB of {machine.name}: take a larger one"
        )

    def seconds(model: Model, rows: int, tokens: int) -> float:
        size = model.size + rows * cache_bytes(model, context)
        products = parameters(model.shape) + attention_products(model, context)
        return pass_time(size, machine.bandwidth, products, tokens, machine.operations)

    return TurnCosts(
        target=lambda rows, tokens: seconds(target, rows, tokens),
        draft=lambda rows: seconds(draft, rows, rows) if draft else 0.0,
        most_rows=most,
    )


def tokens_per_second(costs: TurnCosts, rows: int, k: int, tokens: float) -> float:
    """Tokens per second of all rows together; K = 0 is plain decoding, with 1 token per round.

    Raises:
        ValueError: more rows than there is room for, or tokens outside 1 .. K + 1.
    """
    if not 1 <= rows <= costs.most_rows:
        raise ValueError(
            f"{rows} rows in a batch; these costs hold for 1 to {costs.most_rows}, by the memory "
            "that is left for caches or by what was measured"
        )
    if not 1 <= tokens <= k + 1:
        raise ValueError(
            f"{tokens} tokens per round at K = {k}; a round emits 1 to K + 1. Is it an acceptance "
            "rate? theory.expected_tokens(alpha, k) makes tokens per round of it"
        )
    return throughput(tokens, k, rows, costs.draft, lambda n: costs.target(rows, n))


def batch_speedup(costs: TurnCosts, rows: int, k: int, tokens: float) -> float:
    """The speedup over plain decoding of the same batch."""
    return tokens_per_second(costs, rows, k, tokens) / tokens_per_second(costs, rows, 0, 1.0)


def best_k(costs: TurnCosts, rows: int, alpha: float, largest: int = 16) -> int:
    """The K with the most tokens per second, from 0 (no draft) on; of equals the smallest."""
    speeds = [
        tokens_per_second(costs, rows, k, expected_tokens(alpha, k)) for k in range(largest + 1)
    ]
    return speeds.index(max(speeds))


def first_losing_batch(costs: TurnCosts, alpha: float, k: int) -> int | None:
    """The smallest batch that K drafted tokens make slower; None if none is that has room."""
    tokens, batches = expected_tokens(alpha, k), range(1, costs.most_rows + 1)
    losing = (n for n in batches if batch_speedup(costs, n, k, tokens) < 1 - ROUNDING)
    return next(losing, None)
