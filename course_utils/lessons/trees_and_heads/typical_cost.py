"""What typical acceptance costs on real rows: more accepted tokens, and another text.

At one position the rule's distribution is known in closed form: an accepted guess is a draw from
q, and what is not accepted is drawn from p.
"""

from collections.abc import Iterable

import numpy as np

from course_utils.decoding.contracts import Round
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.theory import total_variation


def accepted_by(p: np.ndarray, epsilon: float, delta: float) -> np.ndarray:
    """Which tokens `rules.typical(epsilon, delta)` accepts: (n, V) -> (n, V) of bool."""
    entropy = -(p * np.log(p, where=p > 0, out=np.zeros_like(p))).sum(-1, keepdims=True)
    return p > np.minimum(epsilon, delta * np.exp(-entropy))


def emitted(p: np.ndarray, q: np.ndarray, accepts: np.ndarray) -> np.ndarray:
    """The distribution of the token at one position, (n, V)."""
    drawn = q * accepts
    return drawn + (1 - drawn.sum(-1, keepdims=True)) * p


def first_rows(rounds: Iterable[Round]) -> tuple[np.ndarray, np.ndarray]:
    """p and q (n, V) of the first guess of each round that drafted from a q."""
    pairs = [(as_numpy(r.p[0]), as_numpy(r.q[0])) for r in rounds if r.drafted and r.q is not None]
    p, q = zip(*pairs, strict=True)
    return np.stack(p).astype(np.float64), np.stack(q).astype(np.float64)


def rows(p: np.ndarray, q: np.ndarray) -> list[dict[str, object]]:
    """The lossless rule, and typical acceptance with Medusa's settings and two others."""
    found = [_row("lossless", p, q, np.minimum(p, q), np.zeros(len(p)))]
    for epsilon in (0.01, 0.09, 0.3):
        accepts = accepted_by(p, epsilon, epsilon**0.5)
        told = "" if epsilon != 0.09 else ", Medusa's"
        found.append(
            _row(
                f"typical, ε = {epsilon}{told}",
                p,
                q,
                q * accepts,
                total_variation(emitted(p, q, accepts), p),
            )
        )
    return found


def _row(
    name: str, p: np.ndarray, q: np.ndarray, accepted: np.ndarray, distance: np.ndarray
) -> dict[str, object]:
    """accepted (n, V): how often a token is guessed and accepted."""
    refused = q - accepted
    return {
        "rule": name,
        "accepted": float(accepted.sum(-1).mean()),
        "p of a refused guess": float((refused * p).sum() / refused.sum()),
        "TV of a token, mean": float(distance.mean()),
        "worst place": float(distance.max()),
    }
