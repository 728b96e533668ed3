"""How often a guess is accepted if it is the draft's likeliest token, or a draw from its row.

The target is sampled at temperature T, and the draft's row is taken at the same T.
"""

from collections.abc import Callable, Sequence

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap


def greedy_acceptance(p: Rows, q: Rows) -> Rows:
    """p(x) of x = argmax q: rows (n, V) -> (n,)."""
    xp = namespace(p)
    likeliest = xp.argmax(q, axis=-1, keepdims=True)
    return xp.take_along_axis(p, likeliest, axis=-1)[:, 0]


def means_at(target_logits: Rows, draft_logits: Rows, temperature: float) -> tuple[float, float]:
    """Logits (n, V) -> mean acceptance of a greedy and of a sampled draft."""
    sampling = Sampling(temperature)
    p, q = (probabilities(logits, sampling) for logits in (target_logits, draft_logits))
    return float(greedy_acceptance(p, q).mean()), float(overlap(p, q).mean())


def over_temperature(
    target_logits: Rows,
    draft_logits: Rows,
    temperatures: Sequence[float],
    at: Callable[[Rows, Rows, float], tuple[float, float]] = means_at,
) -> dict[str, list[float]]:
    """`at` each temperature, by the kind of draft."""
    means = [at(target_logits, draft_logits, temperature) for temperature in temperatures]
    return {kind: [each[i] for each in means] for i, kind in enumerate(("greedy", "sampled"))}


def crossing(temperatures: Sequence[float], means: dict[str, list[float]]) -> float | None:
    """The first temperature at which the better kind is another than at the one before."""
    better = [g > s for g, s in zip(means["greedy"], means["sampled"], strict=True)]
    places = (i for i in range(1, len(better)) if better[i] != better[i - 1])
    at = next(places, None)
    return None if at is None else temperatures[at]
