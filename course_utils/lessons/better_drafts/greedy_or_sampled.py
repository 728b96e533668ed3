"""How often a guess is accepted if it is the draft's likeliest token, or a draw from its row.

The target is sampled at temperature T, and the draft's row is taken at the same T.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap


def greedy_acceptance(p: Rows, q: Rows) -> Rows:
    """p(x) of x = argmax q: rows (n, V) -> (n,)."""
    xp = namespace(p)
    likeliest = xp.argmax(q, axis=-1, keepdims=True)
    return xp.take_along_axis(p, likeliest, axis=-1)[:, 0]


def over_temperature(
    target_logits: Rows, draft_logits: Rows, temperatures: Sequence[float]
) -> dict[str, list[float]]:
    """Mean acceptance over the rows at each temperature, of both kinds of draft."""
    means: dict[str, list[float]] = {"greedy": [], "sampled": []}
    for temperature in temperatures:
        sampling = Sampling(temperature)
        p, q = (probabilities(logits, sampling) for logits in (target_logits, draft_logits))
        means["greedy"].append(float(greedy_acceptance(p, q).mean()))
        means["sampled"].append(float(overlap(p, q).mean()))
    return means


def crossing(temperatures: Sequence[float], means: dict[str, list[float]]) -> float | None:
    """The first temperature at which the better kind is another than at the one before."""
    better = [g > s for g, s in zip(means["greedy"], means["sampled"], strict=True)]
    places = (i for i in range(1, len(better)) if better[i] != better[i - 1])
    at = next(places, None)
    return None if at is None else temperatures[at]
