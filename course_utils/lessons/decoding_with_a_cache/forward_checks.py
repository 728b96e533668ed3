"""Checks of lesson 05's forward pass: the shapes of its tensors, and what k tokens cost."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median
from types import SimpleNamespace

from course_utils.classroom.diagnosis import answers, likeliest
from course_utils.classroom.feedback import Feedback, judge

TENSORS = ("hidden", "queries", "new keys", "keys", "scores", "logits")


def _config(heads: int, groups: int, dimension: int, hidden: int) -> SimpleNamespace:
    return SimpleNamespace(
        num_attention_heads=heads,
        num_key_value_heads=groups,
        head_dim=dimension,
        hidden_size=hidden,
        vocab_size=151936,
    )


# (new tokens, tokens in the cache afterwards, shape of the model)
_PASSES = ((5, 76, _config(32, 8, 128, 2560)), (3, 10, _config(4, 2, 64, 200)))


def _timed(*milliseconds: float) -> dict[int, tuple[float, ...]]:
    """Three equal passes over k = 1, 2, ... tokens."""
    return {k: (ms,) * 3 for k, ms in enumerate(milliseconds, start=1)}


# a hiccup at k = 5 and a lucky pass at 6 and 7
_UNSTEADY = {5: (2.6, 0.62, 0.62), 6: (0.63, 0.7, 0.71), 7: (0.63, 0.8, 0.8)}

# (milliseconds by k, limit in passes of one token); the second dips, in the last nothing fits
_TIMES = (
    (_timed(0.5, 0.52, 0.55, 0.59, 0.62, 0.7, 0.8, 0.85, 0.9) | _UNSTEADY, 1.3),
    (_timed(0.5, 0.52, 0.66, 0.62, 0.7), 1.3),
    (_timed(0.5, 0.7, 0.95, 1.2), 2.0),
    (_timed(0.5, 0.95, 1.4), 1.3),
)


def check_tensor_shapes(tensor_shapes: Callable[[int, int, object], Mapping]) -> Feedback:
    """`tensor_shapes(n, t, config)`: a tuple for each of TENSORS, where n new tokens
    arrive and t are in the cache afterwards."""
    return judge("tensor_shapes", lambda: answers(tensor_shapes, _PASSES), _diagnose_shapes)


def check_guesses_within(guesses_within: Callable[[dict, float], int]) -> Feedback:
    """`guesses_within(times, limit)`: the most guesses one pass verifies for less than
    `limit` passes over one token; times[k] are milliseconds of passes over k tokens."""
    return judge(
        "guesses_within",
        lambda: answers(guesses_within, _TIMES),
        lambda given: likeliest(given, _TIMES, _within, _MISTAKES, shown=_in_words),
    )


# --- shapes -----------------------------------------------------------------------


def _diagnose_shapes(given: Sequence[Mapping]) -> str | None:
    for answer, (n, t, c) in zip(given, _PASSES, strict=True):
        right = _shapes(n, t, c)
        for name, shape in right.items():
            said = answer.get(name)
            if said is None or said is ...:
                return f"{name!r} is missing: give a shape for {', '.join(TENSORS)}."
            said = tuple(said)
            if said != shape:
                reason = _reason(said, name, shape, n, t, c)
                return f"{name!r} with n={n} and t={t}, you say {said}: {reason}"
    return None


def _shapes(n: int, t: int, c: SimpleNamespace) -> dict[str, tuple[int, ...]]:
    h, g, d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
    shapes = (n, c.hidden_size), (h, n, d), (g, n, d), (g, t, d), (h, n, t), (n, c.vocab_size)
    return dict(zip(TENSORS, shapes, strict=True))


def _reason(given: tuple, name: str, right: tuple, n: int, t: int, c: SimpleNamespace) -> str:
    """What the wrong shape of one tensor gives away."""
    h, g, d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
    shared = "only the g key-value heads have keys; several query heads share one."
    known = {
        ("hidden", (t, c.hidden_size)): "the cached tokens are not processed again, so n rows.",
        ("queries", (h, t, d)): "only new tokens ask; the cached ones have been answered.",
        ("queries", (g, n, d)): "g counts key-value heads. There are h query heads.",
        ("new keys", (h, n, d)): shared,
        ("new keys", (g, t, d)): "only the new tokens' keys are computed; the rest is cached.",
        ("keys", (h, t, d)): shared,
        ("keys", (g, n, d)): "the queries meet the cached keys, too, t in all.",
        ("scores", (h, n, n)): "a new token also looks at the cached ones, so t columns.",
        ("scores", (h, t, t)): "only new tokens ask, so n rows.",
        ("scores", (g, n, t)): "every query head has scores of its own, so h, not g.",
        ("scores", (n, t)): "every query head has scores of its own: an axis of h is missing.",
        ("logits", (c.vocab_size,)): "*each* new token gets a row. Without them nothing could "
        "be verified at once.",
        ("logits", (t, c.vocab_size)): "the cached tokens are not asked again, so n rows.",
    }
    if (name, given) in known:
        return known[name, given]
    if sorted(given) == sorted(right):
        return f"the right numbers in another order than {right}."
    if c.hidden_size // h in given and d in right:
        return "in Qwen3 the head dimension is config.head_dim; it is not hidden_size / heads."
    if len(given) != len(right):
        return f"it has {len(right)} axes. Follow it through the code above."
    return "follow it through the code above, once for one token, then for n."


# --- v(k) -------------------------------------------------------------------------


def _within(times: dict, limit: float, *, middle=median, a_token=False, until=False) -> int:
    """The most guesses with v(k) < limit; the keywords are what may go wrong."""
    v = {k: middle(ms) / middle(times[1]) / (k if a_token else 1) for k, ms in times.items()}
    first_over = min((k for k in v if v[k] >= limit), default=len(v) + 1)
    return max(k for k in v if (k < first_over if until else v[k] < limit)) - 1


_MISTAKES = {
    "One too many: a pass over k tokens holds the last committed token and k - 1 guesses.": (
        lambda times, limit: _within(times, limit) + 1
    ),
    "You average, so a single hiccup of the machine decides. Take the median.": (
        lambda times, limit: _within(times, limit, middle=fmean)
    ),
    "You take the luckiest pass of each k. Take the median.": (
        lambda times, limit: _within(times, limit, middle=min)
    ),
    "You divide by k as well. The limit is for the whole pass, not for each of its tokens.": (
        lambda times, limit: _within(times, limit, a_token=True)
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
}


def _in_words(case: tuple[dict, float]) -> str:
    times, limit = case
    v = ", ".join(f"{median(ms) / median(times[1]):.2f}" for ms in times.values())
    return f"v(1), v(2), ... = {v} and a limit of {limit}"
