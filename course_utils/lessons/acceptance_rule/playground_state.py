"""Two distributions over a handful of words: what they share, what the rule makes of them.

What `playground` shows, computed: `distribution`, `typed` and `preset` make distributions, `emit`
runs the token-wise rule, `playground_view` says what there is to see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, floor, fsum, isfinite, lgamma, log, log1p

import numpy as np

from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import overlap, total_variation

PRESETS = ("lesson", "identical", "disjoint", "certain draft", "swap")
MOST_WORDS = 6  # as many as have room side by side

Distribution = tuple[float, ...]


@dataclass(frozen=True)
class Tally:
    """How often each word was emitted, as an accepted draft and as a correction."""

    accepted: tuple[int, ...]
    corrected: tuple[int, ...]

    @property
    def draws(self) -> int:
        return sum(self.accepted) + sum(self.corrected)


@dataclass(frozen=True)
class PlaygroundView:
    """What there is to see of two distributions and of what was emitted so far."""

    words: tuple[str, ...]
    p: Distribution
    q: Distribution
    shared: Distribution  # min(p, q), word by word
    alpha: float  # its sum
    residual: Distribution | None  # None: nothing is ever rejected
    tally: Tally
    distance: float  # TV of the emitted frequencies from p; 0 without any
    chance: float  # its expectation for as many honest samples of p


def distribution(weights: Sequence[float], name: str = "the distribution") -> Distribution:
    """Weights made to sum to one.

    Raises:
        ValueError: a weight that is negative or no number, or all of them zero.
    """
    for weight in weights:
        if not (isfinite(weight) and weight >= 0):
            raise ValueError(f"{name} holds {weight:g}: a weight is a number from 0 upwards")
    largest = max(weights)
    if largest == 0:
        raise ValueError(f"all weights of {name} are 0: raise at least one of them")
    scaled = [weight / largest for weight in weights]  # so that no sum overflows
    return tuple(weight / fsum(scaled) for weight in scaled)


def typed(text: str, words: Sequence[str], name: str = "the distribution") -> Distribution:
    """ "0.4 0.3 0.3" (blanks or commas) as a distribution over `words`.

    Raises:
        ValueError: not a number, not one number per word, or not a distribution.
    """
    given = text.replace(",", " ").split()
    if len(given) != len(words):
        raise ValueError(
            f"{name} needs {len(words)} numbers, one for each of {', '.join(words)}; "
            f"you typed {len(given)}"
        )
    weights = []
    for entry in given:
        try:
            weights.append(float(entry))
        except ValueError:
            raise ValueError(f"{entry!r} is not a number; type {name} like 0.4 0.3 0.3") from None
    return distribution(weights, name)


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


def nothing_yet(size: int) -> Tally:
    return Tally((0,) * size, (0,) * size)


def emit(p: Distribution, q: Distribution, tally: Tally, count: int, seed: int) -> Tally:
    """`count` more words of the token-wise rule, one drafted word a round.

    Sample i is round i of `Noise(seed)`: ten draws of 100 are one of 1000.
    """
    rows, drafts = np.array([p, p]), np.array([q])
    counts = np.array([tally.accepted, tally.corrected])
    noise = Noise(seed)
    for index in range(tally.draws, tally.draws + count):
        random = noise.round(index)
        x = sample(drafts[0], random.uniforms("draft", 1)[0])
        verdict = token_wise(rows, drafts, [x], random.uniforms("verify", 2))
        if verdict.accepted:
            counts[0, x] += 1
        else:
            counts[1, verdict.token] += 1
    return Tally(*map(tuple, counts.tolist()))


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
            ways = lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1)
            total += k * (1 - x) * exp(ways + k * log(x) + (count - k) * log1p(-x))
    return total / count


def playground_view(
    words: Sequence[str], p: Distribution, q: Distribution, tally: Tally
) -> PlaygroundView:
    """What the charts show.

    Raises:
        ValueError: p, q or the tally are not as long as `words`, which are 2 to 6.
    """
    lengths = {len(words), len(p), len(q), len(tally.accepted), len(tally.corrected)}
    if len(lengths) > 1 or not 2 <= len(words) <= MOST_WORDS:
        raise ValueError(
            f"{len(words)} words, {len(p)} numbers in p, {len(q)} in q: "
            f"give 2 to {MOST_WORDS} words and one number per word in each distribution"
        )
    rows, n = np.array([p, q]), tally.draws
    emitted = np.add(tally.accepted, tally.corrected) / max(n, 1)
    leftover = (rows[0] - rows[1]).clip(min=0).sum() > 1e-12
    return PlaygroundView(
        words=tuple(words),
        p=p,
        q=q,
        shared=tuple(rows.min(axis=0).tolist()),
        alpha=float(overlap(rows[0], rows[1])),
        residual=tuple(residual(rows[0], rows[1]).tolist()) if leftover else None,
        tally=tally,
        distance=float(total_variation(emitted, rows[0])) if n else 0.0,
        chance=chance(p, n),
    )
