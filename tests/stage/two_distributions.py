"""Two distributions over a handful of words, as the playground's formulas have them.

`typed`, `preset` and `moved` make distributions, `terms` are the lines of the proof, `chance`
is how far honest samples are from p.  `stage/formulas` is held to this.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, factorial, floor, fsum, isfinite, log, log1p, pi, sqrt

import numpy as np

from course_utils.decoding.rules import residual
from course_utils.decoding.theory import overlap
from course_utils.lessons.acceptance_rule.playground import Distribution, distribution

PRESETS = ("lesson", "identical", "disjoint", "certain draft", "swap")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Terms:
    """How one word comes out, and what that is: the proof's lines with its numbers.

    P(output = x) = first + second, with first = q(x) ratio = min(p, q)(x) = shared and
    second = (1 - alpha) residual(x) = p(x) - min(p, q)(x) = left.
    """

    ratio: float  # min(1, p/q); 1 for a word that is never drafted
    first: float
    second: float
    shared: float
    left: float
    output: float


def typed(text: str, words: Sequence[str], name: str = "the distribution") -> Distribution:
    """ "0.4 0.3 0.3" (blanks, commas or semicolons between) as a distribution over `words`.

    Raises:
        ValueError: not a number, not one number per word, or not a distribution.
    """
    given = [entry for entry in re.split("[ \t\n\r\xa0,;]+", text) if entry]
    if len(given) != len(words):
        raise ValueError(
            f"{name} needs {len(words)} numbers, one for each of {', '.join(words)}; "
            f"you typed {len(given)}"
        )
    for entry in given:
        if not NUMBER.fullmatch(entry):
            raise ValueError(f"“{entry}” is not a number; type {name} like 0.4 0.3 0.3")
        if not (isfinite(float(entry)) and float(entry) >= 0):
            raise ValueError(
                f"{name} holds {entry}: a weight is a number from 0 upwards, and not endless"
            )
    return distribution(list(map(float, given)), name)


def preset(
    name: str, start: tuple[Distribution, Distribution], now: tuple[Distribution, Distribution]
) -> tuple[Distribution, Distribution]:
    """(p, q) of `PRESETS`; `start` is the pair at first, `now` the one it may change.

    Raises:
        ValueError: no such preset.
    """
    (p, q), size = now, len(now[0])
    if name == "lesson":
        return start
    if name == "identical":
        return p, p
    if name == "disjoint":
        first = [1.0] * (size // 2) + [0.0] * (size - size // 2)
        return distribution(first), distribution([1 - x for x in first])
    if name == "certain draft":
        return p, tuple(float(i == q.index(max(q))) for i in range(size))
    if name == "swap":
        return q, p
    raise ValueError(f"no preset is called {name!r}; choose {', '.join(PRESETS)}")


def moved(row: Distribution, place: int, value: float) -> Distribution:
    """One bar dragged to `value`: the others keep their proportions and share the rest.

    >>> moved((0.5, 0.25, 0.25), 0, 0.8)[:2]
    (0.8, 0.1)
    """
    to = min(max(value, 0.0), 1.0)
    others = [0.0 if i == place else x for i, x in enumerate(row)]
    total, even = fsum(others), 1 / (len(row) - 1)
    return tuple(
        to if i == place else (1 - to) * (x / total if total > 0 else even)
        for i, x in enumerate(others)
    )


def terms(p: Distribution, q: Distribution) -> tuple[Terms, ...]:
    """The proof's terms for every word: Leviathan et al. 2022, appendix A.1."""
    rows = np.array([p, q])
    rejected = 1 - float(overlap(rows[0], rows[1]))
    found = []
    for x, y, left in zip(p, q, residual(rows[0], rows[1]).tolist(), strict=True):
        ratio = min(1.0, x / y) if y > 0 else 1.0
        first, second = y * ratio, rejected * left
        found.append(Terms(ratio, first, second, min(x, y), x - min(x, y), first + second))
    return tuple(found)


def chance(p: Distribution, count: int) -> float:
    """Expected TV between p and the frequencies of `count` samples drawn from p.

    Half the sum of the mean deviations of binomials, which De Moivre (1730)
    knew: E|X - np| = 2 k (1 - p) P(X = k), with k = floor(np) + 1.
    """
    if not count:
        return 0.0
    total = 0.0
    for x in p:
        if 0 < x < 1:
            k = min(floor(count * x) + 1, count)
            total += k * (1 - x) * _binomial(k, count, x)
    return total / count


def _binomial(k: int, n: int, x: float) -> float:
    """P(k of n), 0 < k <= n, without large logarithms that cancel (REFERENCES.md: loader2000)."""
    if k == n:
        return x**n
    beyond = _beyond_stirling(n) - _beyond_stirling(k) - _beyond_stirling(n - k)
    off = _deviance(k, n * x) + _deviance(n - k, n * (1 - x))
    return exp(beyond - off) * sqrt(n / (2 * pi * k * (n - k)))


def _beyond_stirling(n: int) -> float:
    """ln n! less Stirling's formula."""
    if n > 15:
        s = n * n
        return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / s) / s) / s) / s) / n
    return log(factorial(n)) - (n + 0.5) * log(n) + n - 0.5 * log(2 * pi)


def _deviance(x: float, mean: float) -> float:
    return x * log1p((x - mean) / mean) - (x - mean)
