"""Checks of this lesson: attention and its shapes, a cache's bytes, catching up."""

from collections.abc import Callable, Sequence
from math import nan
from types import SimpleNamespace

import numpy as np
import torch

from course_utils.classroom.exercise import Exercise, near
from course_utils.lessons.decoding_with_a_cache.players import Attention, by_hand, weights_of
from course_utils.refused import returned


def config(heads: int, groups: int, dimension: int, hidden: int, layers: int = 1):
    """The fields of a Qwen3Config that the exercises read."""
    return SimpleNamespace(
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=groups,
        head_dim=dimension,
        hidden_size=hidden,
        vocab_size=151936,
    )


def tensor_shapes(n: int, t: int, config: SimpleNamespace) -> dict[str, tuple[int, ...]]:
    """Return the shapes in a pass over n tokens, with t cached after it."""
    h, g = config.num_attention_heads, config.num_key_value_heads
    d = config.head_dim
    return {
        "hidden": (n, config.hidden_size),
        "queries": (h, n, d),
        "new keys": (g, n, d),
        "keys": (g, t, d),
        "scores": (h, n, t),
        "logits": (n, config.vocab_size),
    }


check_tensor_shapes = Exercise(
    "tensor_shapes",
    # n new tokens, t in the cache afterwards, the model: Qwen3-4B's, and one with d != hidden / h
    cases=[(5, 76, config(32, 8, 128, 2560)), (3, 10, config(4, 2, 64, 200))],
    solution=tensor_shapes,
    mistakes={
        "only the g key-value heads have keys; "
        "several query heads share one.": "(g, t, d) → (h, t, d)",
        "new tokens attend to cached ones, too: t columns.": "(h, n, t) → (h, n, n)",
        "*each* new token gets a row, not only the last one: "
        "each row judges a guess.": "(n, config.vocab_size) → (1, config.vocab_size)",
    },
    insight="Each of the n new tokens gets a row of logits: that is why one pass verifies "
    "several guesses.",
    parts=("hidden", "queries", "new keys", "keys", "scores", "logits"),
    describe_case=lambda n, t, c: (
        f"n = {n}, t = {t}, h = {c.num_attention_heads}, g = {c.num_key_value_heads}, "
        f"d = {c.head_dim}"
    ),
)


def _case(h: int, g: int, d: int, n: int, start: int, context: int, nans: int = 0) -> tuple:
    """The arguments of a call; slots past the valid ones are stale, the last `nans` are NaN."""
    random = torch.Generator().manual_seed(h + 10 * n + 100 * start)
    q = 2 * torch.randn(h, n, d, generator=random)  # sharp enough that each mistake shows
    k, v = torch.randn(2, g, n, d, generator=random)
    cache = torch.randn(2, g, context, d, generator=random)
    cache[:, :, context - nans :] = nan
    return q, k, v, cache, start


def _cache_weights_output(attention: Attention, q, k, v, cache, start) -> object:
    """Return (the cache, the weights of one head, the output)."""
    output = returned(attention(q, k, v, cache, start))
    return cache[:, :, : start + q.shape[1]], weights_of(attention, start, q.shape[1]), output


check_attention = Exercise(
    "attention",
    # stale slots; an empty cache and no free slot; one token with NaN after it; g = h
    cases=[
        _case(4, 2, 8, n=2, start=1, context=6),
        _case(6, 2, 4, n=4, start=0, context=4),
        _case(4, 2, 16, n=1, start=6, context=9, nans=2),
        _case(3, 3, 5, n=2, start=4, context=7),
    ],
    solution=by_hand,
    mistakes={
        "the scale is missing: divide the scores by the square root of d.": " / d**0.5 → ",
        "you divide the scores by d. Divide by its square root.": "d**0.5 → d",
        "the key-value heads are repeated in the wrong order. Query heads 0 ... h/g - 1 share "
        "key-value head 0: a a b b, not a b a b. That is "
        "repeat_interleave.": "0, :, :t].repeat_interleave(h // g, dim=0) → "
        "0, :, :t].repeat(h // g, 1, 1); "
        "1, :, :t].repeat_interleave(h // g, dim=0) → 1, :, :t].repeat(h // g, 1, 1)",
        "a new token sees its own slot, too: hide only the slots after it.": "<= → <",
        "slots after a token get weight: give them -inf before the softmax, not "
        "0.": 'float("-inf") → 0.0',
        "heads and tokens are mixed up: reshape keeps the order of the numbers. Make it (n, h, d) "
        "with transpose(0, 1) first.": ".transpose(0, 1) → ",
    },
    insight="With one new token there is nothing to mask. Verification processes several, so it "
    "needs the mask.",
    call=_cache_weights_output,
    parts=("the cache", "the weights of one head", "the output"),
    # up to the float32 rounding of sums in another order
    equal=near(1e-3, 1e-4),
    describe_case=lambda q, k, v, cache, start: (
        f"h = {q.shape[0]}, g = {len(k)}, d = {q.shape[2]}, start = {start}, n = {q.shape[1]},"
    ),
)


def cache_bytes(config: SimpleNamespace, bytes_per_number: int) -> int:
    """Return the bytes of key-value cache per token."""
    heads = config.num_key_value_heads
    numbers = 2 * config.num_hidden_layers * heads * config.head_dim
    return numbers * bytes_per_number


_QWEN3_4B, _OTHER = config(32, 8, 128, 2560, layers=36), config(4, 2, 64, 200, layers=3)

check_cache_bytes = Exercise(
    "cache_bytes",
    cases=[(model, number) for model in (_QWEN3_4B, _OTHER) for number in (2, 4)],
    solution=cache_bytes,
    mistakes={
        "That is half of it: keys *and* values are stored.": "2 *  → ",
        "You counted the query heads. Only the key-value heads are cached: that is what "
        "grouped-query attention saves.": "config.num_key_value_heads → config.num_attention_heads",
        "That is one layer. Every layer has its own cache.": "config.num_hidden_layers *  → ",
        "In Qwen3 the head dimension is a setting of its own, config.head_dim; it is not "
        "hidden_size / "
        "heads.": "config.head_dim → (config.hidden_size // config.num_attention_heads)",
        "Those are numbers, not bytes: multiply by bytes_per_number.": " * bytes_per_number → ",
    },
    insight="Qwen3-4B in bfloat16 takes 144 KiB of cache per token.",
    describe_case=lambda c, number: (
        f"{c.num_hidden_layers} layers, {c.num_key_value_heads} key-value heads of {c.head_dim} "
        f"numbers and {number} bytes per number"
    ),
)


class SessionLog:
    """A session without a model that logs the number of tokens fed in each pass.

    A token's row is its position, the token itself, and the sum of the text up to it.
    """

    def __init__(self, tokens: Sequence[int]):
        self.tokens, self.fed = list(tokens), []

    @property
    def length(self) -> int:
        return len(self.tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        if not tokens:
            raise ValueError("no tokens to process: extend needs at least one")
        before = self.length
        self.tokens += tokens
        self.fed.append(len(tokens))
        ends = range(before + 1, self.length + 1)
        return np.array([[end, self.tokens[end - 1], sum(self.tokens[:end])] for end in ends])

    def rollback(self, length: int) -> None:
        self.tokens = self.tokens[:length]


def caught_up(session: SessionLog, processed: list[int], text: list[int]) -> np.ndarray:
    """Make `session` hold `text`; return the row of logits after it."""
    most = min(len(processed), len(text) - 1)
    shared = 0
    while shared < most and processed[shared] == text[shared]:
        shared += 1
    session.rollback(shared)
    return session.extend(text[shared:])[-1]


def _fed_and_row(attempt: Callable, processed: list[int], text: list[int]) -> object:
    """Return (the session's tokens, the number fed in each pass, the row)."""
    session = SessionLog(processed)
    row = returned(attempt(session, processed, text))
    return session.tokens, session.fed, row


check_caught_up = Exercise(
    "caught_up",
    # some rejected; equal tokens after the first difference; all accepted and a bonus;
    # an empty session; more than the text; all rejected; exactly the text
    cases=[
        ([1, 2, 3, 4, 5, 6], [1, 2, 3, 9]),
        ([1, 2, 3, 4, 5, 6], [1, 2, 9, 4, 7, 8, 5]),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7]),
        ([], [4, 8, 6]),
        ([1, 2, 3, 4, 5], [1, 2, 3]),
        ([7, 1, 2, 8], [7, 5]),
        ([3, 4], [3, 4]),
    ],
    solution=caught_up,
    mistakes={
        "you keep len(text) - 1 tokens, whichever they are. Some may be rejected, and some may not "
        "be there yet.": "rollback(shared) → rollback(len(text) - 1); text[shared:] → text[-1:]",
        "you compare lengths only. A session as long as the text may hold other "
        "tokens.": " and processed[shared] == text[shared] → ",
        "if it already holds the whole text, you feed nothing and get no row: drop the last token "
        "and feed it again.": "len(text) - 1 → len(text)",
        "the text is right, but you processed all of it again. "
        "Keep what both share.": "min(len(processed), len(text) - 1) → 0",
    },
    insight="One rule for all cases: keep what the session and the text share. That covers a "
    "rejection, a bonus and a new text.",
    call=_fed_and_row,
    parts=("the session", "the number of tokens fed in each pass", "the row"),
    describe_case=lambda processed, text: f"a session that holds {processed} and the text {text}",
)
