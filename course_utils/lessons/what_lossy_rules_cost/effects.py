"""The effect of a rule at one position, in closed form, and its cost along real texts.

`accepted` (n, V) is the probability that a word is guessed from q and accepted.  The rule corrects
the rest, which gives `emitted` (n, V), the distribution of the token, and its distance from p.
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from course_utils.decoding import rules
from course_utils.decoding.contracts import Round, Rows, Rule
from course_utils.decoding.rows import as_numpy
from course_utils.theory.speedup import expected_tokens_by_position, total_variation

Effect = Callable[[Rows, Rows], tuple[Rows, Rows]]  # p, q (n, V) -> accepted, emitted


def token_wise(p: Rows, q: Rows) -> tuple[Rows, Rows]:
    """Apply the lossless rule."""
    return np.minimum(p, q), p


def greedy_match(p: Rows, q: Rows) -> tuple[Rows, Rows]:
    """Draw from p and accept the guess if it is the same."""
    return p * q, p


def typical(p: Rows, q: Rows) -> tuple[Rows, Rows]:
    """Accept what is plausible under p, with Medusa's settings; otherwise draw from p."""
    entropy = -(p * np.log(p, where=p > 0, out=np.zeros_like(p))).sum(-1, keepdims=True)
    accepted = q * (p > np.minimum(0.09, 0.3 * np.exp(-entropy)))
    return accepted, accepted + (1 - accepted.sum(-1, keepdims=True)) * p


def threshold(p: Rows, q: Rows, least: float) -> tuple[Rows, Rows]:
    """Accept a guess if p >= least q; otherwise draw from the residual."""
    accepted = q * (p >= least * q)
    return accepted, accepted + (1 - accepted.sum(-1, keepdims=True)) * rules.residual(p, q)


def ensemble(p: Rows, q: Rows, w: float) -> tuple[Rows, Rows]:
    """Apply the lossless rule to the target w p + (1 - w) q."""
    mixed = w * p + (1 - w) * q
    return np.minimum(mixed, q), mixed


# name -> the rule of the loop, and its effect
RULES: dict[str, tuple[Rule, Effect]] = {
    "token-wise": (rules.TOKEN_WISE, token_wise),
    "greedy match": (rules.GREEDY_MATCH, greedy_match),
    "typical": (rules.TYPICAL, typical),
    "p ≥ ½ q": (rules.ratio_threshold(0.5), partial(threshold, least=0.5)),
    "p ≥ q": (rules.ratio_threshold(1.0), partial(threshold, least=1.0)),
}
WEIGHTS = (0.75, 0.5, 0.25)  # of the ensemble's curve; w = 1 is token-wise
RULES |= {f"w = {w:g}": (rules.ensemble(w), partial(ensemble, w=w)) for w in WEIGHTS}


def cost(rounds: Iterable[Round], effect: Effect, gamma: int) -> tuple[float, float]:
    """Return a rule's tokens per round and TV per emitted token, along texts it wrote itself.

    The values are exact at each examined position; only the positions reached are random.
    """
    chances: list[list[float]] = [[] for _ in range(gamma)]
    distances, emitted = 0.0, 0
    for r in rounds:
        if len(r.drafted) < gamma or r.q is None:
            continue
        p, q = (as_numpy(rows).astype(np.float64) for rows in (r.p, r.q))
        n = min(r.accepted + 1, gamma)  # examined
        accepted, output = effect(p[:n], q[:n])
        for i, chance in enumerate(accepted.sum(-1)):
            chances[i].append(float(chance))
        distances += float(total_variation(output, p[:n]).sum())
        emitted += r.accepted + 1  # a bonus has the distance 0
    rates = [float(np.mean(each)) if each else 0.0 for each in chances]
    return expected_tokens_by_position(rates), distances / emitted
