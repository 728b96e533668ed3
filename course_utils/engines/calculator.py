"""The throughput of a server in tokens per second, and the load up to which drafts pay.

A turn of B rows with K drafted tokens each takes K passes of the draft and one pass of the target
over B (K + 1) tokens (`batch_theory.throughput`).  `TurnCosts` has its seconds: `roofline`
computes the best case from a data sheet; measured seconds work, too.

Left out: the host, the prompts' passes, bursts of requests, and the unequal acceptance of rows
(`batch_theory.expected_slowest`).  In the best case c is the ratio of the bytes, so long drafts of
a small model look good; with the time to start kernels, c is nearer to the ratio of the layers.

Times are seconds, K is gamma.  `tokens` are those a round emits on average:
`speedup.expected_tokens(alpha, k)`, or a measured number.
"""

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.theory.accelerators import Accelerator
from course_utils.theory.batches import throughput
from course_utils.theory.roofline import pass_time
from course_utils.theory.sizes import Model, parameters
from course_utils.theory.speedup import expected_tokens

LARGEST_BATCH = 512  # rows
ROUNDING = 1e-12  # a draft that breaks even does not lose


def weight_bytes(model: Model) -> float:
    """Return the bytes of all weights in memory, including a separate embedding."""
    shape = model.shape
    embedding = 0 if shape.tie_word_embeddings else shape.vocab_size * shape.hidden_size
    return model.size + embedding * model.width


def attention_products(model: Model, context: int) -> float:
    """Return the products per token that the context adds: queries with keys, weights with
    values."""
    shape = model.shape
    return 2 * shape.num_attention_heads * shape.head_dim * shape.num_hidden_layers * context


def cache_bytes(model: Model, context: int = 1) -> float:
    """Return the bytes of a row's cache: a key and a value per group, layer and token."""
    shape = model.shape
    each = 2 * shape.num_key_value_heads * shape.head_dim * model.cache_width
    return each * shape.num_hidden_layers * context


@dataclass(frozen=True)
class TurnCosts:
    """The seconds of the parts of a turn."""

    target: Callable[[int, int], float]  # (rows, tokens of all rows) -> a pass
    draft: Callable[[int], float]  # rows -> one drafted token of each row
    most_rows: int = LARGEST_BATCH  # the limit of the memory or of the measurement


def roofline(
    machine: Accelerator, target: Model, draft: Model | None = None, *, context: int = 0
) -> TurnCosts:
    """Return the best case: a pass takes the time of its bytes or its arithmetic, the longer one.

    The bytes are the weights, read once, and each row's cache; the arithmetic is, per token,
    that of the weights and of attention over the context.

    Args:
        draft: a draft model; None for drafts without cost, which prompt lookup comes close to.
        context: tokens in the cache of each row.

    Raises:
        ValueError: a negative context, or weights that do not fit into the memory.
    """
    if context < 0:
        raise ValueError(f"context is {context}; give at least 0")
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
    """Return tokens per second of all rows together; K = 0 is plain decoding, 1 token per round.

    Raises:
        ValueError: more rows than `most_rows`, or tokens outside 1 .. K + 1.
    """
    if not 1 <= rows <= costs.most_rows:
        raise ValueError(
            f"rows is {rows}; these costs are valid for 1 to {costs.most_rows}, limited by the "
            "memory for caches or by the measurement"
        )
    if not 1 <= tokens <= k + 1:
        raise ValueError(
            f"{tokens} tokens per round at K = {k}; a round emits 1 to K + 1. Convert an "
            "acceptance rate with theory.expected_tokens(alpha, k)"
        )
    return throughput(tokens, k, rows, costs.draft, lambda n: costs.target(rows, n))


def batch_speedup(costs: TurnCosts, rows: int, k: int, tokens: float) -> float:
    """Return the speedup over plain decoding of the same batch."""
    return tokens_per_second(costs, rows, k, tokens) / tokens_per_second(costs, rows, 0, 1.0)


def best_k(costs: TurnCosts, rows: int, alpha: float, largest: int = 16) -> int:
    """Return the K >= 0 with the most tokens per second (0: no draft), the smallest if equal."""
    speeds = [
        tokens_per_second(costs, rows, k, expected_tokens(alpha, k)) for k in range(largest + 1)
    ]
    return speeds.index(max(speeds))


def first_losing_batch(costs: TurnCosts, alpha: float, k: int) -> int | None:
    """Return the smallest batch that K drafted tokens slow down; None if there is none."""
    tokens, batches = expected_tokens(alpha, k), range(1, costs.most_rows + 1)
    losing = (n for n in batches if batch_speedup(costs, n, k, tokens) < 1 - ROUNDING)
    return next(losing, None)
