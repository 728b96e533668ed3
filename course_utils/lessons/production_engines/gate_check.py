"""The check of a gate: is the acceptance that was served what p and q allow, or is it dead?"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import overlap, total_variation
from course_utils.engines.counters import Counters

DEAD, ALIVE = "dead", "alive"
SHARE = 0.5  # of the overlap, that must at least be served

Rows = Sequence[Sequence[float]]


def acceptance_gate(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    """ "dead" if the first position is accepted less than half as often as Σ min(p, q) allows.

    Of the first position alone: every draft is examined there, whatever its length.

    Args:
        p, q: rows at the first drafted position of some rounds, computed outside the server
            from the same texts: those that it computed itself share its faults.
        counters: what the server counted.
        baseline: accepted / drafted as it was recorded once.  Not needed: it may hold the fault.
    """
    return _judged(p, q, counters)


def _judged(
    p: Rows, q: Rows, counters: Counters,
    served: Callable[[Counters], float] = lambda counted: counted.per_position[0] / counted.drafts,
    allowed: Callable = lambda p, q: overlap(p, q).mean(),
    share: float = SHARE,
) -> str:  # fmt: skip
    least = share * allowed(np.array(p), np.array(q))
    return DEAD if served(counters) < least else ALIVE


def _gate(**other: object) -> Callable[..., str]:
    """A gate that looks at something else."""
    return lambda p, q, counters, baseline: _judged(p, q, counters, **other)


def _by_baseline(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    return DEAD if counters.accepted / counters.drafted < SHARE * baseline else ALIVE


def _both(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    verdicts = {_judged(p, q, counters), _by_baseline(p, q, counters, baseline)}
    return DEAD if verdicts == {DEAD} else ALIVE


def _either(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    verdicts = {_judged(p, q, counters), _by_baseline(p, q, counters, baseline)}
    return DEAD if DEAD in verdicts else ALIVE


def _absolute(p: Rows, q: Rows, counters: Counters, baseline: float) -> str:
    return DEAD if counters.per_position[0] / counters.drafts < 0.1 else ALIVE


def _counted(drafts: int, *accepted: int) -> Counters:
    return Counters(drafts, drafts * len(accepted), sum(accepted), accepted)


_P = [[0.7, 0.2, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.4, 0.3, 0.2, 0.1]]
_NEAR = [[0.6, 0.2, 0.1, 0.1], [0.2, 0.7, 0.05, 0.05], [0.5, 0.3, 0.2, 0.0]]  # overlap .883
_FAR = [[0.0, 0.0, 0.06, 0.94], [0.05, 0.0, 0.0, 0.95], [0.0, 0.0, 0.0, 1.0]]  # overlap .07
_FLAT = [[0.125] * 8] * 3
# each row sure of another token, and never of the target's; their means are alike
_SURE = [[0.97, 0.01, 0.01, 0.01], [0.01, 0.97, 0.01, 0.01], [0.01, 0.01, 0.97, 0.01]]
_SHIFTED = [_SURE[1], _SURE[2], _SURE[0]]
_ONE_HOT = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]  # a greedy draft

check_acceptance_gate = Exercise(
    "acceptance_gate",
    cases=[
        (_P, _NEAR, _counted(1000, 862, 741), 0.80),  # as it should be
        (_P[:1], _NEAR[:1], _counted(1000, 881), 0.80),  # a single row was logged
        (_P, _NEAR, _counted(1000, 897, 790), 0.80),  # and with a little luck
        (_P, _NEAR, _counted(1000, 41), 0.80),  # dead, and the baseline knows better
        (_P, _NEAR, _counted(1000, 41), 0.04),  # dead, and frozen in the baseline
        (_P, _FAR, _counted(1000, 61), 0.06),  # honest, and low
        (_P, _FAR, _counted(1000, 66), 0.80),  # honest and low: recorded on other texts
        (_P, _NEAR, _counted(1000, 700, 420, 250, 140, 80, 40, 20, 10), 0.2),  # long drafts
        (_P, _NEAR, _counted(1000, 300, 250, 200), 0.25),  # half dead, whatever is added up
        (_FLAT, _FLAT, _counted(1000, 300, 90), 0.20),  # dead: p = q, all should be accepted
        (_SURE, _SHIFTED, _counted(1000, 36), 0.04),  # honest: never sure of the same token
        (_P, _ONE_HOT, _counted(1000, 615, 400), 0.50),  # a greedy draft, honest
        (_P, _ONE_HOT, _counted(1000, 150, 30), 0.09),  # a greedy draft, dead
    ],
    right=acceptance_gate,
    mistakes={
        "You compare with the recorded baseline. It was recorded with the fault in it, and passes "
        "what it froze: compare with Σ min(p, q).": _by_baseline,
        "You ask that both are missed, the overlap and the baseline. A frozen fault meets its "
        "baseline.": _both,
        "You also call dead what falls below the baseline. Other texts are accepted otherwise: "
        "where Σ min(p, q) is as low, the server does what it can.": _either,
        "You have a fixed limit. What can be accepted is for p and q to say: 0.07 is all there is "
        "to have for one draft, and 0.3 is dead for another.": _absolute,
        "You compare with A / K, accepted over drafted. It falls as drafts get longer; take the "
        "first position, which every draft reaches.": _gate(
            served=lambda counted: counted.accepted / counted.drafted
        ),
        "You compare with A / D, all accepted tokens of a draft. Three bad positions add up to a "
        "good one: take the first alone.": _gate(
            served=lambda counted: counted.accepted / counted.drafts
        ),
        "Tokens per round are never below 1, so that nothing is ever dead. Compare a probability "
        "with a probability.": _gate(served=lambda counted: 1 + counted.accepted / counted.drafts),
        "You allow nothing for chance: a served share is counted, and lies a little below or above "
        "its probability.": _gate(share=1.0),
        "That is the distance of p and q, half of Σ |p - q|. What is accepted is the overlap, 1 "
        "minus it.": _gate(allowed=lambda p, q: total_variation(p, q).mean()),
        "You take the mean of min(p, q) over the vocabulary. Add it up, row by row.": _gate(
            allowed=lambda p, q: np.minimum(p, q).mean()
        ),
        "Σ p q is the chance that two independent draws agree. The rule accepts more: Σ min(p, "
        "q).": _gate(allowed=lambda p, q: (p * q).sum(-1).mean()),
        "You take the means of the rows first. Rows that never agree may have the same mean: "
        "overlap each row, then take the mean.": _gate(
            allowed=lambda p, q: np.minimum(p.mean(0), q.mean(0)).sum()
        ),
        "You add the rows' overlaps up. Take their mean.": _gate(
            allowed=lambda p, q: np.minimum(p, q).sum()
        ),
        "The two verdicts are exchanged.": lambda *case: (
            ALIVE if acceptance_gate(*case) == DEAD else DEAD
        ),
    },
    form=lambda answer, *case: (
        None
        if isinstance(answer, str) and answer in (DEAD, ALIVE)
        else f'Return "{DEAD}" or "{ALIVE}".'
    ),
    shown=lambda p, q, counters, baseline: (
        f"Σ min(p, q) = {overlap(np.array(p), np.array(q)).mean():.2f} on average, "
        f"{counters.drafts} drafts, accepted by position "
        f"{', '.join(map(str, counters.per_position))}, and a baseline of {baseline}"
    ),
    insight="A baseline says what was; Σ min(p, q) says what can be. Only the second is not "
    "recorded from the patient.",
)
