"""Checks of this lesson: attention and its shapes, a cache's bytes, catching up, k tokens' cost."""

from collections.abc import Callable, Sequence
from math import nan
from statistics import median
from types import SimpleNamespace

import numpy as np
import torch

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.decoding_with_a_cache.attention import Attention, by_hand, weights_of

# ------------------------------------------------------------------ shapes


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


def tensor_shapes(n: int, t: int, config: SimpleNamespace) -> dict[str, tuple[int, ...]]:
    """Shapes in a pass of n new tokens, t in the cache afterwards."""
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
        "only the g key-value heads have keys; several query heads share one.": (
            ("(g, t, d)", "(h, t, d)")
        ),
        "a new token also looks at the cached ones, so t columns.": ("(h, n, t)", "(h, n, n)"),
        "*each* new token gets a row, not the last one alone: a row judges a guess.": (
            ("(n, config.vocab_size)", "(1, config.vocab_size)")
        ),
    },
    insight="Each of the n new tokens gets a row of logits: that is why one pass verifies "
    "several guesses.",
    parts=("hidden", "queries", "new keys", "keys", "scores", "logits"),
    describe_case=lambda n, t, c: (
        f"n = {n}, t = {t}, h = {c.num_attention_heads}, g = {c.num_key_value_heads}, "
        f"d = {c.head_dim}"
    ),
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


def _cache_weights_output(attention: Attention, q, k, v, cache, start) -> object:
    """(the cache, the weights of one head, the output); a stub's answer as it is."""
    output = attention(q, k, v, cache, start)
    if output is None or output is ...:
        return output
    return cache[:, :, : start + q.shape[1]], weights_of(attention, start, q.shape[1]), output


def _near(given: object, right: object) -> bool:
    """Up to the rounding of float32 in sums of another order."""
    return np.shape(given) == np.shape(right) and np.allclose(given, right, 1e-3, 1e-4, True)


def _symptom(given: np.ndarray, q, k, v, cache, start) -> str | None:
    """What a wrong cache, wrong weights or a wrong output show of their cause."""
    (h, n, d), t = q.shape, start + q.shape[1]
    cache, weights = cache.clone(), weights_of(cached=start, new=n).double().numpy()
    output = by_hand(q, k, v, cache, start).numpy()
    if np.ndim(given) == 4:
        right = np.isclose(given, cache[:, :, :t]).all((1, 3))  # keys and values, by slot
        wrong = [("keys", "values")[i] for i in np.flatnonzero(~right.all(1))]
        return (
            f"the {' and '.join(wrong)} of slots {np.flatnonzero(~right.all(0))} are wrong: those "
            "of new token i belong in slot start + i of `cache` itself, and no others change."
        )
    if np.shape(given) == weights.shape:
        i = next(i for i in range(n) if not _near(given[i], weights[i]))
        at, row = start + i, given[i].astype(float)
        later = [j for j in range(at + 1, len(row)) if abs(row[j]) > 1e-6]
        lacking = [j for j in range(at + 1) if abs(row[j]) < 1e-6]
        causes = {
            "A softmax over -inf alone is NaN: each row needs a slot it sees.": np.isnan(row).any(),
            "Weights are never negative: is it the values that you mix?": row.min() < -1e-6,
            f"Slots {later} come after it: give them -inf before the softmax.": later,
            f"Slots {lacking} are in its text and get nothing.": lacking,
            f"Yours add up to {row.sum():.2f}, not to 1.": abs(row.sum() - 1) > 1e-4,
        }
        cause = next((words for words, applies in causes.items() if applies), "")
        return (
            f"new token {i}, at position {at}, gives slots 0, 1, ... the weights "
            f"{weights[i].round(2).tolist()}, not {row.round(2).tolist()}. {cause}"
        ).rstrip()
    if np.shape(given) != output.shape:
        return None
    if np.isnan(given).any():
        return "NaN comes back: slots from start + n on may hold it, and 0 * NaN is NaN. Drop them."
    right = np.isclose(given, output, 1e-3, 1e-4).reshape(n, h, d).all(2)
    i = int(right.all(1).argmin())
    return f"heads {np.flatnonzero(~right[i])} of 0 to {h - 1} are wrong for new token {i}."


check_attention = Exercise(
    "attention",
    # stale entries; nothing cached and no slot left; one token and NaN behind; as many g as h
    cases=[
        _case(4, 2, 8, n=2, start=1, context=6),
        _case(6, 2, 4, n=4, start=0, context=4),
        _case(4, 2, 16, n=1, start=6, context=9, never=2),
        _case(3, 3, 5, n=2, start=4, context=7),
    ],
    solution=by_hand,
    mistakes={
        "the scale is missing: divide the scores by the square root of d.": (" / d**0.5", ""),
        "you divide the scores by d. Divide by its square root.": ("d**0.5", "d"),
        "the key-value heads are repeated in the wrong order. Query heads 0 ... h/g - 1 share "
        "key-value head 0: a a b b, not a b a b. That is repeat_interleave.": (
            ("0, :, :t].repeat_interleave(h // g, dim=0)", "0, :, :t].repeat(h // g, 1, 1)"),
            ("1, :, :t].repeat_interleave(h // g, dim=0)", "1, :, :t].repeat(h // g, 1, 1)"),
        ),
        "heads and tokens are mixed up: reshape keeps the order of the numbers. Make it (n, h, d) "
        "with transpose(0, 1) first.": (".transpose(0, 1)", ""),
    },
    insight="With one new token nothing has to be hidden: only a pass over several needs the "
    "mask, and verification is such a pass.",
    call=_cache_weights_output,
    parts=("the cache", "the weights of one head", "the output"),
    equal=_near,
    explain=_symptom,
    describe_case=lambda q, k, v, cache, start: (
        f"h = {q.shape[0]}, g = {len(k)}, d = {q.shape[2]}, start = {start}, n = {q.shape[1]},"
    ),
)

# ------------------------------------------------------------------ a cache's bytes


def cache_bytes(config: SimpleNamespace, bytes_a_number: int) -> int:
    """Bytes of key-value cache per token."""
    heads = config.num_key_value_heads
    numbers = 2 * config.num_hidden_layers * heads * config.head_dim
    return numbers * bytes_a_number


_QWEN3_4B, _OTHER = config(32, 8, 128, 2560, layers=36), config(4, 2, 64, 200, layers=3)

check_cache_bytes = Exercise(
    "cache_bytes",
    cases=[(model, number) for model in (_QWEN3_4B, _OTHER) for number in (2, 4)],
    solution=cache_bytes,
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
    """A session that notes what it holds and how many tokens each pass was fed.

    The row after a token tells its place, the token itself, and all that stands before it.
    """

    def __init__(self, tokens: Sequence[int]):
        self.tokens, self.fed = list(tokens), []

    @property
    def length(self) -> int:
        return len(self.tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        if not tokens:
            raise ValueError("nothing to process: a row comes only for a token that is fed")
        before = self.length
        self.tokens += tokens
        self.fed.append(len(tokens))
        ends = range(before + 1, self.length + 1)
        return np.array([[end, self.tokens[end - 1], sum(self.tokens[:end])] for end in ends])

    def rollback(self, length: int) -> None:
        self.tokens = self.tokens[:length]


def caught_up(session: Notes, processed: list[int], text: list[int]) -> np.ndarray:
    """Make `session` hold `text`; the row of logits after its last token."""
    most = min(len(processed), len(text) - 1)
    shared = 0
    while shared < most and processed[shared] == text[shared]:
        shared += 1
    session.rollback(shared)
    return session.extend(text[shared:])[-1]


def _fed_and_row(attempt: Callable, processed: list[int], text: list[int]) -> object:
    """(what the session holds, the tokens fed in each pass, the row); a stub's answer as it is."""
    session = Notes(processed)
    row = attempt(session, processed, text)
    return row if row is None or row is ... else (session.tokens, session.fed, row)


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
    solution=caught_up,
    mistakes={
        "you keep len(text) - 1 tokens, whichever they are. Some may be rejected, and some may not "
        "be there yet.": (
            ("rollback(shared)", "rollback(len(text) - 1)"),
            ("text[shared:]", "text[-1:]"),
        ),
        "you compare lengths only. A session can be as long as the text and hold other tokens.": (
            (" and processed[shared] == text[shared]", "")
        ),
        "where it holds the whole text already, you feed nothing and no row comes back: leave "
        "out the last token and feed it again.": ("len(text) - 1", "len(text)"),
        "the text is right, and you processed all of it again. Keep what both share.": (
            ("min(len(processed), len(text) - 1)", "0")
        ),
    },
    insight="One rule for all cases: keep what the session and the text share. That covers a "
    "rejection, a bonus and a new text.",
    call=_fed_and_row,
    parts=("the session", "the number of tokens fed in each pass", "the row"),
    describe_case=lambda processed, text: f"a session that holds {processed} and the text {text}",
)

# ------------------------------------------------------------------ v(k)


def _timed(*milliseconds: float) -> dict[int, list[float]]:
    """Three equal passes over k = 1, 2, ... tokens."""
    return {k: [ms] * 3 for k, ms in enumerate(milliseconds, start=1)}


# a hiccup at k = 5 and a lucky pass at 6 and 7
_UNSTEADY = {5: [2.6, 0.62, 0.62], 6: [0.7, 0.63, 0.71], 7: [0.8, 0.8, 0.63]}


def guesses_within(times: dict, limit: float) -> int:
    """The most guesses for which a pass costs less than `limit`."""
    typical = {k: median(each) for k, each in times.items()}
    v = {k: typical[k] / typical[1] for k in typical}
    return max(k for k in v if v[k] < limit) - 1


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
    solution=guesses_within,
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
        "You stop at the first k over the limit. Measured costs can dip: look at every k.": (
            ("v[k] < limit", "all(v[j] < limit for j in range(1, k + 1))")
        ),
        "You compare milliseconds with the limit. Divide by T(1) first: v has no unit.": (
            (" / typical[1]", "")
        ),
    },
    insight="The last committed token is in every pass, so a pass over k tokens verifies k - 1 "
    "guesses.",
    describe_case=lambda times, limit: (
        "medians T(1), T(2), ... = "
        f"{', '.join(f'{median(ms):.3g}' for ms in times.values())} ms and a limit of {limit}"
    ),
)
