"""What a server would bring: tokens per second, and the load up to which drafts pay.

A turn of B rows with K drafted tokens each takes K passes of the draft, one pass of the target
over B (K + 1) tokens, and the host (`batch_theory.throughput`).  Where its seconds come from is
an argument: `roofline` computes them from a data sheet, at best; your own measurement is another
way.

Left out: reading the prompts, requests that come in bursts, and that rows accept unlike numbers
(`batch_theory.expected_slowest`).  At best c is the ratio of the bytes, and long drafts of a small
model look good; started kernels bring it near the ratio of the layers.

Times are seconds, K is gamma.  `tokens` are those a round emits on average:
`theory.expected_tokens(alpha, k)`, or what was measured.
"""

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.classroom.memory_examples import Model, parameters
from course_utils.decoding.batch_theory import throughput
from course_utils.decoding.roofline import pass_time
from course_utils.decoding.theory import expected_tokens
from course_utils.engines.accelerators import Accelerator

LARGEST = 512  # rows in a batch that are tried
ROUNDING = 1e-12  # a draft that neither gains nor loses does not lose


def no_time(rows: int) -> float:
    return 0.0


def bytes_held(model: Model) -> float:
    """Bytes of all weights in memory, a separate embedding among them."""
    shape = model.shape
    embedding = 0 if shape.tie_word_embeddings else shape.vocab_size * shape.hidden_size
    return model.size + embedding * model.width


def attention_products(model: Model, context: int) -> float:
    """What the context adds to a token's products: a query with each key, a weight with each
    value."""
    shape = model.shape
    return 2 * shape.num_attention_heads * shape.head_dim * shape.num_hidden_layers * context


def cached_bytes(model: Model, context: int = 1) -> float:
    """Bytes that a row's cache keeps of its context: a key and a value per group and layer."""
    shape = model.shape
    each = 2 * shape.num_key_value_heads * shape.head_dim * model.cache_width
    return each * shape.num_hidden_layers * context


@dataclass(frozen=True)
class Costs:
    """Seconds of the parts of a turn."""

    target: Callable[[int, int], float]  # (rows, tokens of all rows) -> of one pass
    draft: Callable[[int], float]  # rows -> of one drafted token of each row
    host: Callable[[int], float] = no_time  # rows -> of what is neither
    most_rows: int = LARGEST  # as many as the memory holds, or as are known


def roofline(
    machine: Accelerator, target: Model, draft: Model | None = None, *, context: int = 0,
    draft_context: int | None = None,
) -> Costs:  # fmt: skip
    """Costs at best: a pass lasts as long as its bytes or its arithmetic, whichever is longer.

    Bytes are the weights that are read, once, and each row's cache; arithmetic is that of the
    weights of a token and of attention over the context, for each token.

    Args:
        draft: a model of its own; None for drafts that cost nothing, as prompt lookup nearly does.
        context: tokens in the cache of each row.
        draft_context: those that the draft holds and reads of them; None for all.

    Raises:
        ValueError: a number that cannot be, or weights that do not fit the memory.
    """
    if context < 0:
        raise ValueError(f"context is {context}; it cannot be negative")
    few = context if draft_context is None else draft_context
    if not 0 <= few <= context:
        raise ValueError(f"draft_context is {few}; give 0 to the context, {context}")
    models = [target] + ([draft] if draft else [])
    room = machine.memory - sum(map(bytes_held, models))
    a_row = cached_bytes(target, context) + (cached_bytes(draft, few) if draft else 0)
    most = LARGEST if a_row == 0 else int(min(LARGEST, room // a_row))
    if room < 0 or most < 1:
        names = " and ".join(model.name for model in models)
        raise ValueError(
            f"{names} with {context} tokens of context do not fit the "
            f"{machine.memory / 1e9:.0f} GB of {machine.name}: take a larger accelerator, "
            "a smaller model or a shorter context"
        )

    def seconds(model: Model, rows: int, tokens: int, context: int) -> float:
        size = model.size + rows * cached_bytes(model, context)
        products = parameters(model.shape) + attention_products(model, context)
        return pass_time(size, machine.bandwidth, products, tokens, machine.operations)

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
