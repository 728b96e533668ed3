"""Invented rounds for exercises, and rules in the form of a student's answer."""

from collections.abc import Callable
from operator import attrgetter

import numpy as np

from course_utils.decoding.contracts import Round, Seconds, Verdict


def round_of(drafted: int, accepted: int) -> Round:
    """Return a round with these numbers of drafted and accepted tokens; all rows are uniform."""
    p = np.full((drafted + 1, 8), 1 / 8)
    return Round(
        0, 1, (5,) * drafted, p, p[:-1], (0.5,) * (drafted + 1), Verdict(accepted, 7),
        (5,) * accepted + (7,), 0, 0, Seconds(0, 0, 0),
    )  # fmt: skip


def as_answer(verify: Callable[..., Verdict]) -> Callable[..., tuple[int, int]]:
    """Return a rule as a student writes it: (p, q, drafted, uniforms) -> (accepted, token)."""
    return lambda *arguments: attrgetter("accepted", "token")(verify(*arguments))
