"""The check of a test from outside: was this text drawn from these rows?"""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.proofs.surprise import surprise_along


def deviations(rows: np.ndarray, tokens: np.ndarray) -> float:
    """How many standard deviations the text's surprise lies above what its rows lead to expect.

    Args:
        rows: (n, vocabulary), the target's distribution at each place of the text.
        tokens: (n,), what stands there.

    Returns: the sum of -log p(x) - H(p) over the root of the sum of Var(-log p).
    """
    return surprise_along(rows, tokens).deviations


def _told(rows: np.ndarray) -> np.ndarray:
    return -np.log(np.where(rows > 0, rows, 1.0))  # 0 log 0 is 0


def _tested(
    rows: np.ndarray, tokens: np.ndarray,
    told: Callable = _told,
    expected: Callable = lambda p, told: (p * told).sum(-1),
    second: Callable = lambda p, told: (p * told**2).sum(-1),
    last: Callable = lambda off, variances: off.sum() / np.sqrt(variances.sum()),
) -> float:  # fmt: skip
    """`deviations`, a part of it exchanged."""
    p, at = np.asarray(rows, np.float64), np.arange(len(tokens))
    said = told(p)
    entropies = expected(p, said)
    variances = second(p, said) - (p * said).sum(-1) ** 2
    with np.errstate(divide="ignore"):
        met = -np.log(p[at, tokens])
    return float(last(met - entropies, variances))


def _by(**other: Callable) -> Callable:
    return lambda rows, tokens: _tested(rows, tokens, **other)


def _spread(rows: np.ndarray, tokens: np.ndarray) -> float:
    """With the spread of what was met in place of the rows' own."""
    p = np.asarray(rows, np.float64)
    met = -np.log(p[np.arange(len(tokens)), tokens])
    off = met - (p * _told(p)).sum(-1)
    return float(off.sum() / (met.std() * np.sqrt(len(tokens))))


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
}

check_deviations = Exercise(
    "deviations",
    cases=[(_ROWS, text) for text in LIARS.values()]
    + [(np.array([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0]]), np.array([0, 1]))],
    right=deviations,
    mistakes={
        "Zero times log zero is 0 here, and NumPy says nan: put 1 in place of a probability of 0 "
        "before you take its logarithm.": _by(
            told=lambda p: -np.log(p), expected=lambda p, told: (p * told).sum(-1)
        ),
        "You do not subtract what was to be expected. A text full of surprises is honest where "
        "its rows are flat: subtract each row's entropy.": _by(
            expected=lambda p, told: np.zeros(len(p))
        ),
        "You divide by the variance. Standard deviations: take its root.": _by(
            last=lambda off, variances: off.sum() / variances.sum()
        ),
        "You divide by the number of tokens. How much chance alone can do is in the rows: the "
        "root of the sum of their variances.": _by(last=lambda off, variances: off.mean()),
        "That is the sum of the differences. Is it much? Divide by its standard deviation.": _by(
            last=lambda off, variances: off.sum()
        ),
        "You add the standard deviations up. Variances add; take the root at the end.": _by(
            last=lambda off, variances: off.sum() / np.sqrt(variances).sum()
        ),
        "You divide each token by its own standard deviation and add up. Add both up first, then "
        "divide once.": _by(last=lambda off, variances: (off / np.sqrt(variances)).sum()),
        "The second moment alone is no variance: subtract the square of the mean.": _by(
            last=lambda off, variances: off.sum() / np.sqrt(variances.sum()),
            second=lambda p, told: (p * told**2).sum(-1) + (p * told).sum(-1) ** 2,
        ),
        "You take the spread of what was met. A text that lies brings its own spread with it: the "
        "variance is the rows'.": _spread,
        "The sign is turned: positive is more surprise than expected.": _by(
            last=lambda off, variances: -off.sum() / np.sqrt(variances.sum())
        ),
    },
    shown=lambda rows, tokens: f"a text of {len(tokens)} tokens",
    insight="Nothing here asks how the text was made: no rounds, no draft, no server's word.",
)
