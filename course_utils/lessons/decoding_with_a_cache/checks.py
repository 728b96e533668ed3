"""Checks of this lesson: attention and its shapes, a cache's bytes, catching up, k tokens' cost."""

from collections.abc import Callable, Sequence
from math import nan
from statistics import median
from types import SimpleNamespace

import numpy as np
import torch

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.decoding_with_a_cache.attention import Attention, by_hand

# ------------------------------------------------------------------ shapes

TENSORS = ("hidden", "queries", "new keys", "keys", "scores", "logits")


def config(heads: int, groups: int, dimension: int, hidden: int, layers: int = 1):
    """What the exercises read of a Qwen3Config."""
    return SimpleNamespace(
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=groups,
        head_dim=dimension,
        hidden_size=hidden,
        vocab_size=151936,
    )


def _shapes(n: int, t: int, config: SimpleNamespace) -> dict[str, tuple[int, ...]]:
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
    solution=_shapes,
    mistakes={
        "the cached tokens are not processed again, so n rows.": (
            ("(n, config.hidden_size)", "(t, config.hidden_size)")
        ),
        "only new tokens ask; the cached ones have been answered.": ("(h, n, d)", "(h, t, d)"),
        "g counts key-value heads. There are h query heads.": ("(h, n, d)", "(g, n, d)"),
        "in Qwen3 the head dimension is config.head_dim; it is not hidden_size / heads.": (
            ("(h, n, d)", "(h, n, config.hidden_size // h)")
        ),
        "h counts query heads. Only the g key-value heads have keys.": ("(g, n, d)", "(h, n, d)"),
        "only the new tokens' keys are computed; the rest is cached.": ("(g, n, d)", "(g, t, d)"),
        "only the g key-value heads have keys; several query heads share one.": (
            ("(g, t, d)", "(h, t, d)")
        ),
        "the queries meet the cached keys, too, t in all.": ("(g, t, d)", "(g, n, d)"),
        "t counts the new tokens already: it is what the cache holds afterwards.": (
            ("(g, t, d)", "(g, t + n, d)")
        ),
        "a new token also looks at the cached ones, so t columns.": ("(h, n, t)", "(h, n, n)"),
        "only new tokens ask, so n rows.": ("(h, n, t)", "(h, t, t)"),
        "every query head has scores of its own, so h, not g.": ("(h, n, t)", "(g, n, t)"),
        "every query head has scores of its own: an axis of h is missing.": ("(h, n, t)", "(n, t)"),
        "*each* new token gets a row. Without them nothing could be verified at once.": (
            ("(n, config.vocab_size)", "(config.vocab_size,)")
        ),
        "*each* new token gets a row, not the last one alone: a row judges a guess.": (
            ("(n, config.vocab_size)", "(1, config.vocab_size)")
        ),
        "the cached tokens are not asked again, so n rows.": (
            ("(n, config.vocab_size)", "(t, config.vocab_size)")
        ),
    },
    insight="Each of the n new tokens gets a row of logits: that is why one pass verifies "
    "several guesses.",
    parts=TENSORS,
    describe_case=lambda n, t, c: f"n = {n} and t = {t}",
)

# ------------------------------------------------------------------ attention with a cache


def _case(h: int, g: int, d: int, n: int, start: int, context: int, never: int = 0) -> tuple:
    """Arguments of a call; behind the valid slots lie stale entries, NaN in the last `never`."""
    random = torch.Generator().manual_seed(h + 10 * n + 100 * start)
    q = 2 * torch.randn(h, n, d, generator=random)  # sharp enough that each mistake shows
    k, v = torch.randn(2, g, n, d, generator=random)
    cache = torch.randn(2, g, context, d, generator=random)
    cache[:, :, context - never :] = nan
    return q, k, v, cache, start


def _cache_and_output(attention: Attention, q, k, v, cache, start) -> object:
    """(the cache, the output); a stub's answer as it is."""
    output = attention(q, k, v, cache, start)
    blank = output is None or output is ...
    return output if blank else (cache[:, :, : start + q.shape[1]], output)


def _same_up_to_rounding(given: object, right: object) -> bool:
    """Up to the rounding of float32 in sums of another order."""
    return np.shape(given) == np.shape(right) and np.allclose(given, right, 1e-3, 1e-4, True)


def _sizes_in_words(q, k, v, cache, start) -> str:
    h, n, d = q.shape
    return f"h = {h}, g = {len(k)}, d = {d}, start = {start} and n = {n} new tokens"


check_attention = Exercise(
    "attention",
    # stale entries; nothing cached and no slot left; one token and NaN behind; as many g as h
    cases=[
        _case(4, 2, 8, n=3, start=5, context=12),
        _case(6, 2, 4, n=4, start=0, context=4),
        _case(4, 2, 16, n=1, start=6, context=9, never=2),
        _case(3, 3, 5, n=2, start=4, context=7),
    ],
    solution=by_hand,
    mistakes={
        "the new keys and values are not in it. Write them into the slots start ... start + n - 1: "
        "the next pass needs them.": ("cache[0, :, start:t], cache[1, :, start:t] = k, v", "pass"),
        "you write at slot 0, over the beginning of the text. The new tokens go into the slots "
        "start ... start + n - 1.": (
            ("cache[0, :, start:t], cache[1, :, start:t]", "cache[0, :, :n], cache[1, :, :n]")
        ),
        "the new keys are there, the new values are not. cache[0] holds keys, cache[1] values.": (
            (", cache[1, :, start:t] = k, v", " = k")
        ),
        "the new values are there, the new keys are not. cache[0] holds keys, cache[1] values.": (
            ("cache[0, :, start:t], cache[1, :, start:t] = k, v", "cache[1, :, start:t] = v")
        ),
        "you write one slot too early. The first new token goes into slot start.": (
            "cache[0, :, start:t], cache[1, :, start:t]",
            "cache[0, :, start - 1 : t - 1], cache[1, :, start - 1 : t - 1]",
        ),
        "you write one slot too late. The first new token goes into slot start.": (
            "cache[0, :, start:t], cache[1, :, start:t]",
            "cache[0, :, start + 1 : t + 1], cache[1, :, start + 1 : t + 1]",
        ),
        "keys and values are swapped: cache[0] holds keys, cache[1] values.": ("= k, v", "= v, k"),
        "you write into the last slots of the cache. The text goes on at slot start.": (
            ("cache[0, :, start:t], cache[1, :, start:t]", "cache[0, :, -n:], cache[1, :, -n:]")
        ),
        "it is still zero. The cache is right, so step 1 is done: go on with step 2.": (
            ("weights @", "0 * weights @")
        ),
        "new tokens see later new tokens: the mask is missing.": (
            ("scores.masked_fill(~seen, -inf)", "scores")
        ),
        "your staircase starts at slot 0. New token i stands at position start + i: it sees all "
        "cached tokens, too.": ("torch.arange(start, t)", "torch.arange(n)"),
        "new tokens see one another only. They look at the cached tokens, too.": (
            ("~seen", "~seen | (torch.arange(t) < start)")
        ),
        "the cached tokens are seen, earlier new ones are not: a token sees all before it.": (
            ("<=", "=="),
            ("~seen", "~seen & (torch.arange(t) >= start)"),
        ),
        "a new token cannot see itself. Is it < where <= is needed?": ("<=", "<"),
        "a new token sees the token after it: the mask is one slot too wide.": ("<=", "- 1 <="),
        "the last new token sees a slot behind the text. It sees up to start + i, no further.": (
            ("cache[:, :, :t]", "cache"),
            ("arange(t)", "arange(cache.shape[2]) - 1"),
        ),
        "the mask is the wrong way round: you hide what may be seen.": ("<=", ">"),
        "the mask is the wrong way round: a new token sees itself and what comes after it. It may "
        "see itself and what came before.": ("<=", ">="),
        "you look at the slots before start only. The new tokens are in the text, too: read the "
        "slots 0 ... start + n - 1.": (
            ("cache[:, :, :t]", "cache[:, :, :start]"),
            ("arange(t)", "arange(start)"),
        ),
        "a hidden score is 0. That is a score like any other: make it -inf before the softmax.": (
            ("-inf", "0.0")
        ),
        "you hide after the softmax, so the weights of a row no longer sum to 1. Make the scores "
        "-inf before it.": (".masked_fill(~seen, -inf).softmax(dim=-1)", ".softmax(dim=-1) * seen"),
        "-inf belongs into the scores. You put it into the weights, after the softmax.": (
            ".masked_fill(~seen, -inf).softmax(dim=-1)",
            ".softmax(dim=-1).masked_fill(~seen, -inf)",
        ),
        "the scale is missing: divide the scores by the square root of d.": (" / d**0.5", ""),
        "you multiply by the square root of d. Divide by it.": ("/ d**0.5", "* d**0.5"),
        "you divide by d. It is the square root of d.": ("d**0.5", "d"),
        "you scale by the number of heads. It is the square root of d, the length of a query.": (
            ("d**0.5", "h**0.5")
        ),
        "you scale by h * d. Each head has its own scores: the square root of d.": (
            ("d**0.5", "(h * d) ** 0.5")
        ),
        "the softmax runs over the new tokens. Each row of scores, over the slots, sums to 1.": (
            ("dim=-1", "dim=-2")
        ),
        "the softmax runs over the heads. Each row of scores, over the slots, sums to 1.": (
            ("dim=-1", "dim=0")
        ),
        "there is no softmax: the scores themselves are no weights.": (
            ("-inf).softmax(dim=-1)", "0.0)")
        ),
        "the key-value heads are repeated in the wrong order. Query heads 0 ... h/g - 1 share "
        "key-value head 0: a a b b, not a b a b. That is repeat_interleave.": (
            ("repeat_interleave(h // len(k), dim=1)", "repeat(1, h // len(k), 1, 1)")
        ),
        "you look at every slot of the cache: the future, and what is no part of the text "
        "besides.": (
            ("cache[:, :, :t]", "cache"),
            ("scores.masked_fill(~seen, -inf)", "scores"),
        ),
        "your staircase stands at the end of the cache. The new tokens stand at start, and what "
        "lies behind them is no part of the text.": (
            ("cache[:, :, :t]", "cache"),
            ("arange(t)", "arange(t - cache.shape[2], t)"),
        ),
        "slots behind the text get the weight 0, but they may hold NaN, and 0 * NaN is NaN. "
        "Cut the cache off at start + n first.": (
            ("cache[:, :, :t]", "cache"),
            ("arange(t)", "arange(cache.shape[2])"),
        ),
        "you read the cache before the new keys and values are in it. Write first.": (
            ("    cache[0", "    old, cache[0"),
            ("= k, v", "= cache.clone(), k, v"),
            ("cache[:, :, :t]", "old[:, :, :t]"),
        ),
        "these are the weights. Mix the values with them: weights @ values.": (
            ("(weights @ values).transpose(0, 1).reshape(n, h * d)", "weights")
        ),
        "you mix the keys. The keys decide how much, the values are what is mixed.": (
            ("@ values", "@ keys")
        ),
        "the heads are still an axis of their own. Return (n, h * d): for each token its heads "
        "side by side.": (".transpose(0, 1).reshape(n, h * d)", ""),
        "heads and tokens are mixed up: reshape keeps the order of the numbers. Make it (n, h, d) "
        "with transpose(0, 1) first.": (".transpose(0, 1)", ""),
        "each token has its numbers, but in the wrong order: head 0 first, all d of it.": (
            (".transpose(0, 1)", ".permute(1, 2, 0)")
        ),
    },
    insight="With one new token nothing has to be hidden: only a pass over several needs the "
    "mask, and verification is such a pass.",
    call=_cache_and_output,
    parts=("the cache", "the output"),
    equal=_same_up_to_rounding,
    describe_case=_sizes_in_words,
)

# ------------------------------------------------------------------ a cache's bytes


def _bytes(config: SimpleNamespace, bytes_a_number: int) -> int:
    heads = config.num_key_value_heads
    numbers = 2 * config.num_hidden_layers * heads * config.head_dim
    return numbers * bytes_a_number


_QWEN3_4B, _OTHER = config(32, 8, 128, 2560, layers=36), config(4, 2, 64, 200, layers=3)

check_cache_bytes = Exercise(
    "cache_bytes",
    cases=[(model, number) for model in (_QWEN3_4B, _OTHER) for number in (2, 4)],
    solution=_bytes,
    mistakes={
        "Half of it: keys *and* values are kept.": ("2 * ", ""),
        "You counted the query heads. Only the key-value heads are cached: that is what "
        "grouped-query attention saves.": (
            "config.num_key_value_heads",
            "config.num_attention_heads",
        ),
        "That is one layer. Every layer has its own cache.": ("config.num_hidden_layers * ", ""),
        "In Qwen3 the head dimension is a setting of its own, config.head_dim; it is not "
        "hidden_size / heads.": (
            ("config.head_dim", "(config.hidden_size // config.num_attention_heads)")
        ),
        "hidden_size is the width of x. What is cached are keys and values, of the key-value heads "
        "alone.": ("heads * config.head_dim", "config.hidden_size"),
        "That is one head. Every key-value head has its own keys and values.": (("heads * ", "")),
        "Those are numbers, not bytes: multiply by bytes_a_number.": (" * bytes_a_number", ""),
    },
    insight="Qwen3-4B in bfloat16 takes 144 KiB of cache per token.",
    describe_case=lambda c, number: (
        f"{c.num_hidden_layers} layers, {c.num_key_value_heads} key-value heads of {c.head_dim} "
        f"numbers and {number} bytes per number"
    ),
)

# ------------------------------------------------------------------ catching up with a text


class Notes:
    """A session that notes what it holds and how many tokens it was fed.

    The row after a token tells its place, the token itself, and all that stands before it.
    """

    def __init__(self, tokens: Sequence[int]):
        self.tokens, self.fed = list(tokens), 0

    @property
    def length(self) -> int:
        return len(self.tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        if not tokens:
            raise ValueError("nothing to process: a row comes only for a token that is fed")
        before = self.length
        self.tokens += tokens
        self.fed += len(tokens)
        ends = range(before + 1, self.length + 1)
        return np.array([[end, self.tokens[end - 1], sum(self.tokens[:end])] for end in ends])

    def rollback(self, length: int) -> None:
        self.tokens = self.tokens[:length]


def _caught_up(session: Notes, processed: list[int], text: list[int]) -> np.ndarray:
    most = min(len(processed), len(text) - 1)
    kept = 0
    while kept < most and processed[kept] == text[kept]:
        kept += 1
    session.rollback(kept)
    return session.extend(text[kept:])[-1]


def _fed_and_row(attempt: Callable, processed: list[int], text: list[int]) -> object:
    """(what the session holds, how many tokens it was fed, the row); a stub's answer as it is."""
    session = Notes(processed)
    row = attempt(session, processed, text)
    return row if row is None or row is ... else (session.tokens, session.fed, row)


def _held_in_words(processed: list[int], text: list[int]) -> str:
    return f"a session that holds {processed} and the text {text}"


check_caught_up = Exercise(
    "caught_up",
    # some rejected; a token that both have behind the first difference; all accepted and a
    # bonus; nothing yet; all of the text and more; all rejected; all of the text
    cases=[
        ([1, 2, 3, 4, 5, 6], [1, 2, 3, 9]),
        ([1, 2, 3, 4, 5, 6], [1, 2, 9, 4, 7, 8, 5]),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7]),
        ([], [4, 8, 6]),
        ([1, 2, 3, 4, 5], [1, 2, 3]),
        ([7, 1, 2, 8], [7, 5]),
        ([3, 4], [3, 4]),
    ],
    solution=_caught_up,
    mistakes={
        "rejected tokens are still in it: roll back to where it and the text part.": (
            lambda session, processed, text: session.extend(text[-1:])[-1]
        ),
        "you feed what lies past its old length, but roll nothing back.": (
            lambda session, processed, text: session.extend(text[len(processed) :])[-1]
        ),
        "you keep len(text) - 1 tokens, whichever they are. Some may be rejected, and some may not "
        "be there yet.": (
            ("rollback(kept)", "rollback(len(text) - 1)"),
            ("text[kept:]", "text[-1:]"),
        ),
        "you feed the right tokens, behind rejected ones: roll back first.": (
            ("    session.rollback(kept)\n", "")
        ),
        "you compare lengths only. A session can be as long as the text and hold other tokens.": (
            (" and processed[kept] == text[kept]", "")
        ),
        "you keep tokens behind the first difference. Nothing may stay there, even where the two "
        "agree again: those entries have looked at a rejected token.": (
            ("while kept < most and processed[kept] == text[kept]", "for i in range(most)"),
            ("kept += 1", "kept += processed[i] == text[i]"),
        ),
        "a token is missing: more than the newest one may be new to it.": (
            ("text[kept:]", "text[-1:]")
        ),
        "you feed from its old length on. After the rollback it is shorter.": (
            ("text[kept:]", "text[len(processed) :]")
        ),
        "where it holds the whole text already, you feed nothing and no row comes back: leave "
        "out the last token and feed it again.": ("len(text) - 1", "len(text)"),
        "the text is right, and you processed all of it again. Keep what both share.": (
            ("min(len(processed), len(text) - 1)", "0")
        ),
        "you roll back one token too many and process it again.": (
            ("    session", "    kept = max(0, kept - 1)\n    session")
        ),
        "you return all rows. Only the one after the last token is asked.": (
            ("[kept:])[-1]", "[kept:])")
        ),
        "you return the row after the first token that was fed. The last one tells what follows "
        "the text.": ("[kept:])[-1]", "[kept:])[0]"),
    },
    insight="No case was told apart: what the session and the text share settles a rejection, a "
    "bonus and a new text alike.",
    call=_fed_and_row,
    parts=("the session", "the number of tokens fed", "the row"),
    describe_case=_held_in_words,
)

# ------------------------------------------------------------------ v(k)


def _timed(*milliseconds: float) -> dict[int, list[float]]:
    """Three equal passes over k = 1, 2, ... tokens."""
    return {k: [ms] * 3 for k, ms in enumerate(milliseconds, start=1)}


# a hiccup at k = 5 and a lucky pass at 6 and 7
_UNSTEADY = {5: [2.6, 0.62, 0.62], 6: [0.7, 0.63, 0.71], 7: [0.8, 0.8, 0.63]}


def _guesses_within(times: dict, limit: float) -> int:
    typical = {k: median(each) for k, each in times.items()}
    v = {k: typical[k] / typical[1] for k in typical}
    return max(k for k in v if v[k] < limit) - 1


def _costs_in_words(times: dict, limit: float) -> str:
    if len(times) < 5:
        return f"times = {times} and a limit of {limit}"
    v = ", ".join(f"{median(ms) / median(times[1]):.2f}" for ms in times.values())
    return f"v(1), v(2), ... = {v} and a limit of {limit}"


check_guesses_within = Exercise(
    "guesses_within",
    # (milliseconds by k, limit in passes of one token)
    cases=[
        (_timed(0.5, 0.52, 0.55, 0.59, 0.62, 0.7, 0.8, 0.85, 0.9) | _UNSTEADY, 1.3),
        (_timed(0.5, 0.52, 0.66, 0.62, 0.7), 1.3),  # dips behind k = 3
        (_timed(0.5, 0.7, 1.0, 1.2), 2.0),  # the third costs exactly the limit
        (_timed(5, 9.5, 21), 1.3),  # no guess fits
        (_timed(0.5, 0.45, 0.7, 1.0), 1.5),  # two tokens take less than one
        (_timed(1, 1.2) | {3: [1.4, 1.4, 1.65], 4: [1.7, 1.6, 1.2]}, 1.5),
        ({1: [1.4, 1.0, 1.1], 2: [1.2] * 3, 3: [1.1, 1.55, 2.0], 4: [2.0] * 3}, 1.5),
    ],
    solution=_guesses_within,
    mistakes={
        "One too many: a pass over k tokens holds the last committed token and k - 1 guesses.": (
            (" - 1", "")
        ),
        "A pass that costs exactly the limit does not cost less than the limit.": (
            ("< limit", "<= limit")
        ),
        "You average, so a single hiccup of the machine decides. Take the median.": (
            ("median(each)", "sum(each) / len(each)")
        ),
        "You take the luckiest pass of each k. Take the median.": ("median", "min"),
        "You take the slowest pass of each k. Take the median.": ("median", "max"),
        "You take the first pass of each k. Take the median.": ("median(each)", "each[0]"),
        "You take the last pass of each k. Take the median.": ("median(each)", "each[-1]"),
        "The number in the middle of the list is the median only if the list is sorted.": (
            ("median(each)", "each[len(each) // 2]")
        ),
        "T(1) is the median of its passes as well. You divide by the first of them.": (
            ("/ typical[1]", "/ times[1][0]")
        ),
        "v(k) is the median T(k) over the median T(1). You divide first, pass by pass.": (
            ("median(each)", "median(a / b for a, b in zip(each, times[1]))")
        ),
        "You divide by the fastest T. The unit is T(1), even where two tokens take less.": (
            ("/ typical[1]", "/ min(typical.values())")
        ),
        "You turned v over: it is T(k) / T(1).": (
            ("typical[k] / typical[1]", "typical[1] / typical[k]")
        ),
        "You divide by k as well. The limit is for the whole pass, not for each of its tokens.": (
            ("/ typical[1]", "/ typical[1] / k")
        ),
        "You stop at the first k over the limit. Measured costs can dip: look at every k.": (
            ("v[k] < limit", "all(v[j] < limit for j in range(1, k + 1))")
        ),
        "You compare milliseconds with the limit. Divide by T(1) first: v has no unit.": (
            (" / typical[1]", "")
        ),
        "You always compare with 1.3, but the limit is an argument.": ("< limit", "< 1.3"),
    },
    insight="The last committed token is in every pass, so a pass over k tokens verifies k - 1 "
    "guesses.",
    describe_case=_costs_in_words,
)
