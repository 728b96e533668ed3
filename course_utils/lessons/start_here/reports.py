"""What a run came to: the course's own answer to the exercise on the report."""

from collections.abc import Sequence

from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import summarise

KINDS = ("accepted", "correction", "bonus", "target")
PARTS = ("tokens", "calls", "saved", *KINDS, "examined", "rate")


def course_report(rounds: Sequence[Round]) -> dict[str, float | None]:
    """`PARTS` of a run: counts, the share of calls saved, and accepted / examined.

    Raises:
        ValueError: no rounds.
    """
    m = summarise(rounds)
    kinds = [kind for r in rounds for kind in r.kinds]
    return {
        "tokens": m.tokens,
        "calls": m.rounds,
        "saved": 1 - m.rounds / m.tokens,
        **{kind: kinds.count(kind) for kind in KINDS},
        "examined": m.examined,
        "rate": m.accepted_per_examined,
    }
