"""The check of lesson 03's exercise on block verification: how often is a draft kept whole?"""

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from course_utils.classroom.diagnosis import answers, likeliest
from course_utils.classroom.feedback import Feedback, judge
from course_utils.decoding.contracts import Rows


def kept_whole(p: Rows, q: Rows, drafted: Sequence[int]) -> tuple[float, float]:
    """Probability that the token-wise rule, and block verification, keep the whole draft."""
    kept, r = 1.0, 1.0
    for ratio in _ratios(p, q, drafted):
        kept, r = kept * min(1.0, ratio), min(1.0, r * ratio)
    return kept, r


def check_kept_whole(function: Callable) -> Feedback:
    """`function(p, q, drafted)` should be `kept_whole`."""

    def diagnose(given: Sequence) -> str | None:
        if not all(isinstance(answer, tuple | list) and len(answer) == 2 for answer in given):
            return "Return two probabilities: token-wise first, then block."
        if any(isinstance(x, type(None) | type(...)) for x in given[0]):
            return "One of the two probabilities is still open."
        given = [tuple(map(float, answer)) for answer in given]
        return likeliest(given, DRAFTS, kept_whole, _KEPT_MISTAKES, np.allclose, _draft_in_words)

    return judge("kept_whole", lambda: answers(function, DRAFTS), diagnose)


def _rows_with(ratios: Sequence[float]) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """p (gamma + 1, 3), q (gamma, 3) and a draft x with p_i(x_i)/q_i(x_i) = ratios[i]."""
    drafted = tuple(i % 3 for i in range(len(ratios)))
    q = np.full((len(ratios), 3), 0.4)
    p = np.full((len(ratios) + 1, 3), 1 / 3)
    for i, (x, ratio) in enumerate(zip(drafted, ratios, strict=True)):
        q[i, x], p[i] = 0.2, (1 - 0.2 * ratio) / 2
        p[i, x] = 0.2 * ratio
    return p, q, drafted


def _ratios(p: Rows, q: Rows, drafted: Sequence[int]) -> list[float]:
    return [float(p[i, x] / q[i, x]) for i, x in enumerate(drafted)]


def _draft_in_words(case: tuple) -> str:
    return "p/q along the draft of " + ", ".join(f"{ratio:.3g}" for ratio in _ratios(*case))


# debts paid back; credit not spent later; both; nothing to refuse
DRAFTS = tuple(map(_rows_with, ((0.5, 2.0), (2.0, 0.5), (0.5, 3.0, 0.5), (2.0, 1.5))))


def _kept(token_wise: Callable, block: Callable) -> Callable:
    """A student who gets from the ratios to the two probabilities in these ways."""
    return lambda *case: (token_wise(_ratios(*case)), block(_ratios(*case)))


def _each_capped(ratios: Sequence[float]) -> float:
    return prod(min(1.0, ratio) for ratio in ratios)


def _running(ratios: Sequence[float]) -> float:
    r = 1.0
    for ratio in ratios:
        r = min(1.0, r * ratio)
    return r


def _capped_once(ratios: Sequence[float]) -> float:
    return min(1.0, prod(ratios))


_KEPT_MISTAKES = {
    "The two are swapped: token-wise first. It is the smaller one.": _kept(_running, _each_capped),
    "For block you cut every ratio off at 1, which is the token-wise rule again. Multiply "
    "first, then cap: so a later token can pay back a debt.": _kept(_each_capped, _each_capped),
    "For block you capped once, at the end. So credit could be saved up and spent later; cap "
    "after every token.": _kept(_each_capped, _capped_once),
    "For block you forgot the cap. Credit cannot be saved up: after every token "
    "r = min(1, r·p/q).": _kept(_each_capped, prod),
    "Your token-wise number lets a later token pay for an earlier one. That rule judges each "
    "token alone: min(1, p/q) first, then multiply.": _kept(_capped_once, _running),
    "Your token-wise number is block's. The token-wise rule judges each token alone: "
    "min(1, p/q) first, then multiply.": _kept(_running, _running),
    "A token is kept with probability min(1, p/q), never more than 1.": _kept(prod, _running),
    "Without any cap both are p(draft)/q(draft), which can exceed 1.": _kept(prod, prod),
    "For token-wise you took the worst token alone. Every coin must pass: multiply.": _kept(
        lambda ratios: min(1.0, *ratios), _running
    ),
    "Are p and q swapped? It is p(x)/q(x).": lambda p, q, drafted: kept_whole(q, p, drafted),
}
