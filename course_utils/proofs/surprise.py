"""Was this text drawn from the target?  Asked of any program, from outside, by two witnesses.

Given a text and the target's rows along it, the surprise of each token, s = -log p(x), has
the row's entropy H(p) as its mean if the token was drawn from the row, and (s - H)^2 has the
row's Var(s).  So two sums over a text are martingales, whatever the text turned out to be::

    first    sum of s - H,              of variance  sum of Var(s),
    second   sum of (s - H)^2 - Var(s), of variance  sum of m4 - Var(s)^2,  m4 = E (s - H)^4.

Each, divided by the root of its variance, nears a standard normal as a text grows (the
martingale central limit theorem; REFERENCES.md: brown1971, theorem 2).  For a short text that
says little: surprise is skewed, and of honest texts of 60 tokens about two in a thousand are
more than 4 deviations off in one of the two, ten times what a normal would (`honest_texts`
draws them).

So `drawn` asks what is true of every length.  Take other rows, fixed by p alone: an honest text
is c times likelier under them than under its own in at most one case of c (Markov; as a bound
for sums, Chernoff's, REFERENCES.md: howard2020).  Here they are p(x) exp(l (s - H)), which is p
at the temperature 1 / (1 - l), and p(x) exp(l ((s - H)^2 - Var)), each brought to the sum 1, for
the l of `TILTS` with either sign.  What each of them permits is a limit for its sum.

The first sees a wrong temperature, a wrong correction, wrong rows.  It does not see rows that
are too flat here and too sharp there, nor a program that keeps its surprise near what is
expected: then the second moment is too large or too small.  Neither sees two equally
probable tokens exchanged.  `proofs.certificate` does, but needs the rounds; this needs the
text alone.

The rows are those of the settings that the server draws with, filters and all.  A row with one
possible token adds nothing to any sum.  A token that the filters leave out is infinitely
surprising for both.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities

FALSE_ALARM = 1 / 16_000  # at most so many honest audits are called wrong, of any length
TILTS = 2.0 ** -np.arange(12)  # per nat, or per squared nat: from short texts to long ones
ROUNDING = 1e-6  # nats per token: so much the rows' rounding can do where nothing varies


@dataclass(frozen=True, eq=False)
class Surprise:
    """The sums over all tokens of all texts, in nats; s is -log p(x), x drawn from p."""

    tokens: int
    met: float  # sum of s; infinite where a token had no probability
    expected: float  # sum of H(p), the mean of s
    variance: float  # sum of Var(s)
    squares: float  # sum of (s - H)^2; its mean is `variance`
    spread: float  # sum of m4 - Var(s)^2, the variance of `squares`
    tilted: np.ndarray  # (2 witnesses, down and up, tilts): sum of log E exp(l x), x the excess

    @property
    def deviations(self) -> float:
        """The first witness: (met - expected) in standard deviations."""
        return self._in_deviations(self.met - self.expected, self.variance)

    @property
    def second_deviations(self) -> float:
        """The second: (squares - variance) in standard deviations."""
        return self._in_deviations(self.squares - self.variance, self.spread)

    @property
    def bands(self) -> np.ndarray:
        """(2, 2): for each witness the least and the most deviations of a text that passes."""
        roots = np.sqrt([[self.variance], [self.spread]])
        with np.errstate(divide="ignore"):
            return limits(self.tilted) / roots

    @property
    def drawn(self) -> bool:
        """Neither witness speaks against the texts having been drawn from the rows."""
        excess = np.array([self.met - self.expected, self.squares - self.variance])
        return bool(_within(excess[:, None], self.tilted).all())

    def _in_deviations(self, excess: float, variance: float) -> float:
        if abs(excess) <= ROUNDING * self.tokens:
            return 0.0
        return excess / sqrt(variance) if variance else inf


def surprise(
    target: LanguageModel,
    texts: Iterable[tuple[Sequence[int], Sequence[int]]],
    sampling: Sampling,
) -> Surprise:
    """Add up over (prompt, new tokens) pairs.

    Args:
        target: whose text it is said to be.
        texts: what it was asked to continue, and the answers.
        sampling: what it was asked to draw with.

    Raises:
        ValueError: no tokens; a sampling without chance (temperature 0), where every
            row's entropy is 0 and `proofs.ties.unexplained` is the question to ask.
    """
    if sampling.temperature == 0:
        raise ValueError("at temperature 0 nothing is drawn: compare the tokens themselves")
    found = [
        surprise_along(rows_along(target, prompt, new, sampling), new)
        for prompt, new in texts
        if new
    ]
    if not found:
        raise ValueError("no text to judge: the answers hold no tokens")
    fields = zip(*(vars(one).values() for one in found), strict=True)
    return Surprise(*map(sum, fields))


def rows_along(
    model: LanguageModel, prompt: Sequence[int], new: Sequence[int], sampling: Sampling
) -> np.ndarray:
    """(new tokens, vocabulary): the model's distribution at each token behind the prompt."""
    rows = model.start(prompt[:-1]).extend([prompt[-1], *new[:-1]])
    return as_numpy(probabilities(rows, sampling))


def surprise_along(rows: np.ndarray, tokens: Sequence[int]) -> Surprise:
    """Of one text, by the target's distribution at each of its places.

    Args:
        rows: (n, vocabulary), each the distribution from which a token should have been drawn.
        tokens: (n,), what stands there.
    """
    p, told, entropy, variance = _moments(rows)
    squares = (told - entropy) ** 2
    at = np.arange(len(tokens)), list(tokens)
    possible = p[at] > 0
    return Surprise(
        tokens=len(tokens),
        met=float(np.where(possible, told[at], inf).sum()),
        expected=float(entropy.sum()),
        variance=float(variance.sum()),
        squares=float(np.where(possible, squares[at], inf).sum()),
        spread=float((p * (squares - variance) ** 2).sum()),
        tilted=tilted(p, told - entropy, squares - variance),
    )


def honest_texts(rows: np.ndarray, texts: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """What the witnesses say of texts of which each token is drawn from its row.

    Returns: (2, texts), the deviations of each witness; (texts,), which of the texts pass.
    """
    p, told, entropy, variance = _moments(rows)
    excesses = np.stack([told - entropy, (told - entropy) ** 2 - variance])
    rng, sums = np.random.default_rng(seed), np.zeros((2, texts))
    for row, excess in zip(p, excesses.swapaxes(0, 1), strict=True):
        sums += excess[:, rng.choice(len(row), texts, p=row)]
    roots = np.sqrt((p * excesses**2).sum((1, 2)))[:, None]
    off = np.divide(sums, roots, out=np.zeros_like(sums), where=roots > 0)
    return off, _within(sums, tilted(p, *excesses)).all(0)


def _moments(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """p and -log p, (n, vocabulary); the entropy and the variance of -log p, (n, 1)."""
    p = np.asarray(rows, np.float64)
    p = p / p.sum(-1, keepdims=True)  # float32 rows sum to 1 within their own rounding only
    told = -np.log(np.where(p > 0, p, 1.0))  # 0 where there is no probability
    entropy = (p * told).sum(-1, keepdims=True)
    return p, told, entropy, (p * (told - entropy) ** 2).sum(-1, keepdims=True)


def tilted(p: np.ndarray, *excesses: np.ndarray) -> np.ndarray:
    """(excesses, down and up, tilts): sum over the rows of log E exp(tilt * excess)."""
    some = (p > 0).any(0)  # behind a filter few tokens are left
    p, sums = p[:, some], np.empty((len(excesses), 2, len(TILTS)))
    with np.errstate(over="ignore"):  # a tilt too strong for float64 sets a limit of infinity
        for excess, of_both in zip(excesses, sums, strict=True):
            for sign, of in zip((-1, 1), of_both, strict=True):
                factor = np.exp(sign * TILTS[-1] * excess[:, some])
                for i in reversed(range(len(TILTS))):
                    of[i] = np.log(np.einsum("nv,nv->n", p, factor)).sum()
                    factor *= factor  # each tilt is twice the next
    return sums


def limits(tilted: np.ndarray) -> np.ndarray:
    """(excesses, 2): how far down and how far up a sum may lie, in nats."""
    return ((tilted + np.log(tilted.size / FALSE_ALARM)) / TILTS).min(-1) * [-1, 1]


def _within(sums: np.ndarray, tilted: np.ndarray) -> np.ndarray:
    """(excesses, texts): which sums lie between their limits."""
    low, high = np.split(limits(tilted), 2, axis=1)
    return (low < sums) & (sums < high)
