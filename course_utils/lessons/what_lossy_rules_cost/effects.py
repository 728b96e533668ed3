"""What a rule does at one position, in closed form, and what that comes to along real texts.

At one position a rule is known by the mass that it accepts of each word: `accepted` (n, V), the
word is guessed from q and accepted.  What it does not accept it corrects; so `emitted` (n, V), the
distribution of the token, is known too, and with it the distance from p.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding import rules
from course_utils.decoding.contracts import LanguageModel, Round, Rows, Rule
from course_utils.decoding.loop import generate
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.theory import expected_tokens_by_position, total_variation
from course_utils.drafters.sampled import Sampled

Effect = Callable[[Rows, Rows], tuple[Rows, Rows]]  # p, q (n, V) -> accepted, emitted


def residual(p: Rows, q: Rows) -> Rows:
    """norm((p - q)+) of each row; p where nothing is left."""
    left = (p - q).clip(min=0)
    mass = left.sum(-1, keepdims=True)
    return np.where(mass > 0, left / np.where(mass > 0, mass, 1), p)


def token_wise(p: Rows, q: Rows) -> tuple[Rows, Rows]:
    """The lossless rule."""
    return np.minimum(p, q), p


def greedy_match(p: Rows, q: Rows) -> tuple[Rows, Rows]:
    """Draw from p, accept the guess if it is the same."""
    return p * q, p


def plausible(p: Rows, epsilon: float, delta: float) -> np.ndarray:
    """Which words typical acceptance accepts: (n, V) -> (n, V) of bool."""
    entropy = -(p * np.log(p, where=p > 0, out=np.zeros_like(p))).sum(-1, keepdims=True)
    return p > np.minimum(epsilon, delta * np.exp(-entropy))


def typical(epsilon: float = 0.09, delta: float = 0.3) -> Effect:
    """Accept what p finds plausible, else draw from p."""

    def effect(p: Rows, q: Rows) -> tuple[Rows, Rows]:
        kept = q * plausible(p, epsilon, delta)
        return kept, kept + (1 - kept.sum(-1, keepdims=True)) * p

    return effect


def threshold(least: float) -> Effect:
    """Accept a guess if p >= least q, else draw from the residual."""

    def effect(p: Rows, q: Rows) -> tuple[Rows, Rows]:
        kept = q * (p >= least * q)
        return kept, kept + (1 - kept.sum(-1, keepdims=True)) * residual(p, q)

    return effect


def ensemble(w: float) -> Effect:
    """The lossless rule with w p + (1 - w) q for its target."""

    def effect(p: Rows, q: Rows) -> tuple[Rows, Rows]:
        mixed = w * p + (1 - w) * q
        return np.minimum(mixed, q), mixed

    return effect


# name -> the rule of the loop, and its effect
RULES: dict[str, tuple[Rule, Effect]] = {
    "token-wise": (rules.TOKEN_WISE, token_wise),
    "greedy match": (rules.GREEDY_MATCH, greedy_match),
    "typical": (rules.TYPICAL, typical()),
    "p ≥ ½ q": (rules.ratio_threshold(0.5), threshold(0.5)),
    "p ≥ q": (rules.ratio_threshold(1.0), threshold(1.0)),
}
WEIGHTS = (0.75, 0.5, 0.25)  # of the ensemble's curve; w = 1 is token-wise
RULES |= {f"w = {w:g}": (rules.ensemble(w), ensemble(w)) for w in WEIGHTS}


@dataclass(frozen=True)
class Cost:
    """Of one rule along the texts that it wrote itself."""

    tokens: float  # per round, from the chance that each examined guess is accepted
    distance: float  # TV from p of an emitted token, in the mean; a bonus has 0


def cost(rounds: Iterable[Round], effect: Effect, gamma: int) -> Cost:
    """Exact at each examined position; what is left to chance is which positions were reached."""
    chances: list[list[float]] = [[] for _ in range(gamma)]
    distances, emitted = 0.0, 0
    for r in rounds:
        if len(r.drafted) < gamma or r.q is None:
            continue
        p, q = (as_numpy(rows).astype(np.float64) for rows in (r.p, r.q))
        n = min(r.accepted + 1, gamma)  # examined
        kept, said = effect(p[:n], q[:n])
        for i, chance in enumerate(kept.sum(-1)):
            chances[i].append(float(chance))
        distances += float(total_variation(said, p[:n]).sum())
        emitted += r.accepted + 1
    rates = [float(np.mean(each)) if each else 0.0 for each in chances]
    return Cost(expected_tokens_by_position(rates), distances / emitted)


def costs(
    target: LanguageModel,
    draft: LanguageModel,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    gamma: int,
    new_tokens: int,
    seed: int = 0,
) -> dict[str, Cost]:
    """Each rule of `RULES` writes its own texts, at one temperature."""
    sampling = Sampling(temperature=temperature)
    found = {}
    for name, (rule, effect) in RULES.items():
        options = dict(gamma=gamma, max_new_tokens=new_tokens, seed=seed, rule=rule, rows=True)
        rounds: list[Round] = []
        for prompt in prompts:
            rounds += generate(target, prompt, Sampled(draft), sampling=sampling, **options)
        found[name] = cost(rounds, effect, gamma)
    return found


def first_rows(rounds: Iterable[Round]) -> tuple[np.ndarray, np.ndarray]:
    """p and q (n, V) of the first guess of each round that drafted from a q."""
    pairs = [(as_numpy(r.p[0]), as_numpy(r.q[0])) for r in rounds if r.drafted and r.q is not None]
    p, q = zip(*pairs, strict=True)
    return np.stack(p).astype(np.float64), np.stack(q).astype(np.float64)


def prices(
    p: Rows, q: Rows, price: Callable[[Rows, Rows, float, float], tuple[float, float]]
) -> list[dict[str, object]]:
    """The lossless rule, and typical acceptance with Medusa's settings and two others.

    Args:
        price: of one row, (p, q, epsilon, delta) -> (acceptance, TV).
    """
    lossless = np.minimum(p, q)
    found = [_line("lossless", p, q, lossless.sum(-1), np.zeros(len(p)), q - lossless)]
    for epsilon in (0.01, 0.09, 0.3):
        delta = epsilon**0.5
        each = [price(*rows, epsilon, delta) for rows in zip(p, q, strict=True)]
        accepted, distance = np.array(each).T
        refused = q * ~plausible(p, epsilon, delta)
        told = "" if epsilon != 0.09 else ", Medusa's"
        name = f"typical, ε = {epsilon:g}{told}"
        found.append(_line(name, p, q, accepted, distance, refused))
    return found


def _line(
    name: str, p: Rows, q: Rows, accepted: Rows, distance: Rows, refused: Rows
) -> dict[str, object]:
    """refused (n, V): how often a word is guessed and refused."""
    return {
        "rule": name,
        "accepted": float(accepted.mean()),
        "p of a refused guess": float((refused * p).sum() / refused.sum()),
        "TV of a token, mean": float(distance.mean()),
        "worst place": float(distance.max()),
    }


def speedup(tokens: float, gamma: int, c: float) -> float:
    """Over plain decoding, where a guess costs c passes and verification is free."""
    return tokens / (gamma * c + 1)
