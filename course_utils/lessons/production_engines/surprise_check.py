"""The check of a test from outside: was this text drawn from these rows?"""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.proofs.surprise import surprise_along


def deviations(rows: np.ndarray, tokens: np.ndarray) -> tuple[float, float]:
    """How many standard deviations both sums lie above what the rows lead to expect.

    Args:
        rows: (n, vocabulary), the target's distribution at each place of the text.
        tokens: (n,), what stands there.

    Returns: the sum of -log p(x) - H(p), and the sum of its square less the row's variance, each
    over the root of its own variance.
    """
    found = surprise_along(rows, tokens)
    return found.deviations, found.second_deviations


def _told(rows: np.ndarray) -> np.ndarray:
    return -np.log(np.where(rows > 0, rows, 1.0))  # 0 log 0 is 0


def _mean(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (p * x).sum(-1, keepdims=True)


def _variance(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    return _mean(p, x**2) - _mean(p, x) ** 2


def _over_root(met: np.ndarray, variances: np.ndarray) -> float:
    return met.sum() / np.sqrt(variances.sum())


def _tested(
    rows: np.ndarray, tokens: np.ndarray,
    told: Callable = _told,
    first: Callable = lambda p, said: said - _mean(p, said),
    second: Callable = lambda p, said, off: off**2 - _mean(p, off**2),
    variance: Callable = lambda p, said, x: _variance(p, x),
    last: Callable = _over_root,
) -> tuple[float, float]:  # fmt: skip
    """`deviations`, a part of it exchanged."""
    p, at = np.asarray(rows, np.float64), (np.arange(len(tokens)), tokens)
    said = told(p)
    off = first(p, said)
    both = off, second(p, said, off)
    one, two = (float(last(x[at], variance(p, said, x))) for x in both)
    return one, two


def _by(**other: Callable) -> Callable:
    return lambda rows, tokens: _tested(rows, tokens, **other)


def _second(**other: Callable) -> Callable:
    """The first as it should be, the second with a part exchanged."""
    return lambda rows, tokens: (deviations(rows, tokens)[0], _tested(rows, tokens, **other)[1])


def made_rows(seed: int, n: int, vocabulary: int = 12) -> np.ndarray:
    """Rows of unlike entropy; one in four has tokens that cannot be."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(vocabulary, 0.6), n)
    rows[::4, : vocabulary // 2] = 0
    return rows / rows.sum(-1, keepdims=True)


def written(rows: np.ndarray, seed: int) -> np.ndarray:
    """A token drawn from each row."""
    uniforms = np.random.default_rng(seed).random(len(rows))
    return (rows.cumsum(-1) < uniforms[:, None] * rows.sum(-1, keepdims=True)).sum(-1)


def sharpened(rows: np.ndarray, temperature: float) -> np.ndarray:
    """The same at another temperature."""
    powers = rows ** (1 / temperature)
    return powers / powers.sum(-1, keepdims=True)


_ROWS = made_rows(1, 60)
LIARS = {
    "drawn as it should be": written(_ROWS, 2),
    "at temperature 0.8": written(sharpened(_ROWS, 0.8), 2),
    "always the likeliest": _ROWS.argmax(-1),
    "from other rows": np.where(_ROWS > 0, _ROWS, 0).argsort(-1)[:, -4],
    "always the token nearest the entropy": np.where(
        _ROWS > 0, abs(_told(_ROWS) - _mean(_ROWS, _told(_ROWS))), np.inf
    ).argmin(-1),
}

check_deviations = Exercise(
    "deviations",
    cases=[(_ROWS, text) for text in LIARS.values()]
    + [(np.array([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0]]), np.array([0, 1]))],
    right=deviations,
    mistakes={
        "Zero times log zero is 0 here, and NumPy says nan: put 1 in place of a probability of 0 "
        "before you take its logarithm.": _by(told=lambda p: -np.log(p)),
        "You do not subtract what was to be expected. A text full of surprises is honest where "
        "its rows are flat: subtract each row's entropy.": _by(first=lambda p, said: said),
        "You divide by the variance. Standard deviations: take its root.": _by(
            last=lambda met, variances: met.sum() / variances.sum()
        ),
        "You divide by the number of tokens. How much chance alone can do is in the rows: the "
        "root of the sum of their variances.": _by(last=lambda met, variances: met.mean()),
        "That is the sum of the differences. Is it much? Divide by its standard deviation.": _by(
            last=lambda met, variances: met.sum()
        ),
        "You add the standard deviations up. Variances add; take the root at the end.": _by(
            last=lambda met, variances: met.sum() / np.sqrt(variances).sum()
        ),
        "You divide each token by its own standard deviation and add up. Add both up first, then "
        "divide once.": _by(last=lambda met, variances: (met / np.sqrt(variances[:, 0])).sum()),
        "The mean of the squares alone is no variance: subtract the square of the mean.": _by(
            variance=lambda p, said, x: _mean(p, said**2)
        ),
        "You take the spread of what was met. A text that lies brings its own spread with it: the "
        "variance is the rows'.": _by(
            last=lambda met, variances: met.sum() / (met.std() * np.sqrt(len(met)))
        ),
        "The sign is turned: positive is more surprise than expected.": _by(
            last=lambda met, variances: -_over_root(met, variances)
        ),
        "You do not subtract what was to be expected of a square: the row's variance.": _second(
            second=lambda p, said, off: off**2
        ),
        "You square the surprise itself. Square its distance from the row's entropy.": _second(
            second=lambda p, said, off: said**2 - _mean(p, said**2)
        ),
        "You divide by the first sum's standard deviation. The squares have one of their own: the "
        "root of the sum of m4 - Var².": _second(variance=lambda p, said, x: _variance(p, said)),
        "m4 alone is not the variance of a square: subtract the square of the row's "
        "variance.": _second(variance=lambda p, said, x: _mean(p, (said - _mean(p, said)) ** 4)),
    },
    parts=("first", "second"),
    shown=lambda rows, tokens: f"a text of {len(tokens)} tokens",
    insight="Nothing here asks how the text was made: no rounds, no draft, no server's word.",
)
