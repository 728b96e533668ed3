"""Checks of this lesson's forward pass: the shapes of its tensors, and what k tokens cost."""

from collections.abc import Callable
from operator import le, lt
from statistics import fmean, median
from types import SimpleNamespace

from course_utils.classroom.exercise import Exercise

# --- shapes -----------------------------------------------------------------------

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


def _shapes(n: int, t: int, c: SimpleNamespace) -> dict[str, tuple[int, ...]]:
    h, g, d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
    shapes = (n, c.hidden_size), (h, n, d), (g, n, d), (g, t, d), (h, n, t), (n, c.vocab_size)
    return dict(zip(TENSORS, shapes, strict=True))


def _with(name: str, wrong: Callable[..., tuple]) -> Callable:
    """A student who gets one shape wrong: wrong(n, t, h, g, d, config)."""

    def shapes(n: int, t: int, c: SimpleNamespace) -> dict[str, tuple[int, ...]]:
        sizes = n, t, c.num_attention_heads, c.num_key_value_heads, c.head_dim, c
        return _shapes(n, t, c) | {name: wrong(*sizes)}

    return shapes


check_tensor_shapes = Exercise(
    "tensor_shapes",
    # n new tokens, t in the cache afterwards, the model: Qwen3-4B's, and one with d != hidden / h
    cases=[(5, 76, config(32, 8, 128, 2560)), (3, 10, config(4, 2, 64, 200))],
    right=_shapes,
    mistakes={
        "the cached tokens are not processed again, so n rows.": (
            _with("hidden", lambda n, t, h, g, d, c: (t, c.hidden_size))
        ),
        "only new tokens ask; the cached ones have been answered.": (
            _with("queries", lambda n, t, h, g, d, c: (h, t, d))
        ),
        "g counts key-value heads. There are h query heads.": (
            _with("queries", lambda n, t, h, g, d, c: (g, n, d))
        ),
        "in Qwen3 the head dimension is config.head_dim; it is not hidden_size / heads.": (
            _with("queries", lambda n, t, h, g, d, c: (h, n, c.hidden_size // h))
        ),
        "h counts query heads. Only the g key-value heads have keys.": (
            _with("new keys", lambda n, t, h, g, d, c: (h, n, d))
        ),
        "only the new tokens' keys are computed; the rest is cached.": (
            _with("new keys", lambda n, t, h, g, d, c: (g, t, d))
        ),
        "only the g key-value heads have keys; several query heads share one.": (
            _with("keys", lambda n, t, h, g, d, c: (h, t, d))
        ),
        "the queries meet the cached keys, too, t in all.": (
            _with("keys", lambda n, t, h, g, d, c: (g, n, d))
        ),
        "t counts the new tokens already: it is what the cache holds afterwards.": (
            _with("keys", lambda n, t, h, g, d, c: (g, t + n, d))
        ),
        "a new token also looks at the cached ones, so t columns.": (
            _with("scores", lambda n, t, h, g, d, c: (h, n, n))
        ),
        "only new tokens ask, so n rows.": (_with("scores", lambda n, t, h, g, d, c: (h, t, t))),
        "every query head has scores of its own, so h, not g.": (
            _with("scores", lambda n, t, h, g, d, c: (g, n, t))
        ),
        "every query head has scores of its own: an axis of h is missing.": (
            _with("scores", lambda n, t, h, g, d, c: (n, t))
        ),
        "*each* new token gets a row. Without them nothing could be verified at once.": (
            _with("logits", lambda n, t, h, g, d, c: (c.vocab_size,))
        ),
        "the cached tokens are not asked again, so n rows.": (
            _with("logits", lambda n, t, h, g, d, c: (t, c.vocab_size))
        ),
    },
    insight="Each of the n new tokens gets a row of logits: that is why one pass verifies "
    "several guesses.",
    parts=TENSORS,
    shown=lambda n, t, c: f"n = {n} and t = {t}",
)

# --- v(k) -------------------------------------------------------------------------


def _timed(*milliseconds: float) -> dict[int, tuple[float, ...]]:
    """Three equal passes over k = 1, 2, ... tokens."""
    return {k: (ms,) * 3 for k, ms in enumerate(milliseconds, start=1)}


# a hiccup at k = 5 and a lucky pass at 6 and 7
_UNSTEADY = {5: (2.6, 0.62, 0.62), 6: (0.63, 0.7, 0.71), 7: (0.63, 0.8, 0.8)}


def _within(
    times: dict, limit: float, *, middle=median, per_token=False, until=False, below=lt
) -> int:
    """The most guesses with v(k) < limit; the keywords are what may go wrong."""
    v = {k: middle(ms) / middle(times[1]) / (k if per_token else 1) for k, ms in times.items()}
    first_over = min((k for k in v if v[k] >= limit), default=len(v) + 1)
    return max(k for k in v if (k < first_over if until else below(v[k], limit))) - 1


def _costs_in_words(times: dict, limit: float) -> str:
    v = ", ".join(f"{median(ms) / median(times[1]):.2f}" for ms in times.values())
    return f"v(1), v(2), ... = {v} and a limit of {limit}"


check_guesses_within = Exercise(
    "guesses_within",
    # (milliseconds by k, limit in passes of one token); the second dips, in the fourth nothing
    # fits, in the last v(3) is the limit
    cases=[
        (_timed(0.5, 0.52, 0.55, 0.59, 0.62, 0.7, 0.8, 0.85, 0.9) | _UNSTEADY, 1.3),
        (_timed(0.5, 0.52, 0.66, 0.62, 0.7), 1.3),
        (_timed(0.5, 0.7, 1.0, 1.2), 2.0),  # the third costs exactly the limit
        (_timed(0.5, 0.95, 1.4), 1.3),
        (_timed(0.5, 0.5, 0.75, 1.0), 1.5),
    ],
    right=lambda times, limit: _within(times, limit),
    mistakes={
        "One too many: a pass over k tokens holds the last committed token and k - 1 guesses.": (
            lambda times, limit: _within(times, limit) + 1
        ),
        "A pass that costs exactly the limit does not cost less than the limit.": (
            lambda times, limit: _within(times, limit, below=le)
        ),
        "You average, so a single hiccup of the machine decides. Take the median.": (
            lambda times, limit: _within(times, limit, middle=fmean)
        ),
        "You take the luckiest pass of each k. Take the median.": (
            lambda times, limit: _within(times, limit, middle=min)
        ),
        "You divide by k as well. The limit is for the whole pass, not for each of its tokens.": (
            lambda times, limit: _within(times, limit, per_token=True)
        ),
        "You stop at the first k over the limit. Measured costs can dip: look at every k.": (
            lambda times, limit: _within(times, limit, until=True)
        ),
        "You compare milliseconds with the limit. Divide by T(1) first: v has no unit.": (
            lambda times, limit: _within(times, limit / median(times[1]))
        ),
        "You always compare with 1.3, but the limit is an argument.": (
            lambda times, limit: _within(times, 1.3)
        ),
    },
    insight="The last committed token is in every pass, so a pass over k tokens verifies k - 1 "
    "guesses.",
    shown=_costs_in_words,
)
