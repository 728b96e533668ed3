"""Do two servers write the same texts?  Asked without rows, where nobody can tell them.

If both draw from one distribution, the answers to a prompt may be dealt to the two servers in any
way.  So a statistic of how far they lie apart is as large as the largest of N other dealings in
one case of N + 1, whatever the distribution (a permutation test, exact at any size).  It is the
squared distance of two means (MMD; REFERENCES.md: gretton2012), summed over the prompts, by two
likenesses of texts: how long they begin alike, and which tokens they share.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from math import log

import numpy as np

from course_utils.decoding.loop import common_prefix
from course_utils.proofs.certificate import SERVER
from course_utils.proofs.surprise import FALSE_ALARM
from course_utils.proofs.table_checks import Check

DEALINGS = 20_000
REPEATED = 200  # samples of which the power is told
SHARES = (1 / 64, 1 / 48, 1 / 32, 1 / 24, 1 / 16, 1 / 12, 1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 1)
Answers = Sequence[Sequence[int]]


def two_samples(pairs: Sequence[tuple[Answers, Answers]], seed: int = 0) -> Iterator[Check | str]:
    """Of each prompt the answers of both servers, tokens or characters.

    Raises:
        ValueError: no prompts, or one with fewer than two answers of a server.
    """
    if not pairs or min(len(answers) for pair in pairs for answers in pair) < 2:
        raise ValueError("two samples need a prompt, and two answers of each server to it")
    rng, alikes = np.random.default_rng(seed), [_alike([*a, *b]) for a, b in pairs]
    signs = [np.repeat([1 / len(a), -1 / len(b)], [len(a), len(b)]) for a, b in pairs]
    found = sum(float(s @ k @ s) for s, k in zip(signs, alikes, strict=True))
    others = np.zeros(DEALINGS)
    for sign, alike in zip(signs, alikes, strict=True):
        dealt = rng.permuted(np.tile(sign, (DEALINGS, 1)), axis=1)
        others += ((dealt @ alike) * dealt).sum(-1)
    told = log((1 + DEALINGS) / (1 + (others >= found - 1e-12).sum()))
    least = _seen(signs, alikes, float(others.max()), rng)
    sees = f"a server that gives the most usual answer {least:.1%} too often" if least else ""
    name = f"{SERVER}: two samples apart (exponent)"
    yield Check(name, told <= -log(FALSE_ALARM), told, -log(FALSE_ALARM), sees)
    if not least:
        yield f"{SERVER}: too few answers to tell two servers apart: ask for more"


def _alike(texts: Answers) -> np.ndarray:
    """(texts, texts): each likeness is 1 on average over the texts themselves."""
    begin = np.array([[common_prefix(x, y) for y in texts] for x in texts], float)
    words = sorted({token for text in texts for token in text})
    counts = np.array([[list(text).count(word) for word in words] for text in texts], float)
    shared = counts @ counts.T
    return sum(k / max(np.trace(k) / len(k), 1e-9) for k in (np.minimum(begin, 8), shared))


def _seen(
    signs: Sequence[np.ndarray], alikes: Sequence[np.ndarray], limit: float,
    rng: np.random.Generator,
) -> float:  # fmt: skip
    """The least share of the first server's answers that would be seen 99 times in 100 if each
    prompt's most usual answer were in their place; 0 if none."""

    def sees(share: float) -> bool:
        missed = 0
        for _ in range(REPEATED):
            apart = 0.0
            for sign, alike in zip(signs, alikes, strict=True):
                drawn = rng.integers(0, len(sign), len(sign))
                put = (sign > 0) & (rng.random(len(sign)) < share)
                drawn[put] = alike.sum(0).argmax()
                apart += float(sign @ alike[np.ix_(drawn, drawn)] @ sign)
            missed += apart <= limit
            if missed > 0.01 * REPEATED:
                return False
        return True

    least = bisect_left(SHARES, True, key=sees)
    return SHARES[least] if least < len(SHARES) else 0.0
