"""Rounds made up for an exercise, and rules in the form of its answers."""

from collections.abc import Callable

import numpy as np

from course_utils.decoding.contracts import Round, Seconds, Verdict


def round_of(drafted: int, accepted: int) -> Round:
    """A round that drafted and accepted so many tokens; its distributions are uniform."""
    p = np.full((drafted + 1, 8), 1 / 8)
    return Round(
        0, 1, (5,) * drafted, p, p[:-1], (0.5,) * (drafted + 1), Verdict(accepted, 7),
        (5,) * accepted + (7,), 0, 0, Seconds(0, 0, 0),
    )  # fmt: skip


def as_answer(verify: Callable[..., Verdict]) -> Callable[..., tuple[int, int]]:
    """A rule as a student writes it: (p, q, drafted, uniforms) -> (accepted, token)."""

    def function(*given: object) -> tuple[int, int]:
        verdict = verify(*given)
        return verdict.accepted, verdict.token

    return function
