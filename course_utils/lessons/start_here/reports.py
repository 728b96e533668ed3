"""What a run came to: the course's own answer to the exercise on the report."""

from collections.abc import Sequence

from course_utils.decoding.contracts import Round

KINDS = ("accepted", "correction", "bonus", "target")
PARTS = ("tokens", "calls", "saved", *KINDS, "examined", "rate")


def course_report(rounds: Sequence[Round]) -> dict[str, float | None]:
    """`PARTS` of a run: counts, the share of calls saved, and accepted / examined.

    Raises:
        ZeroDivisionError: no rounds.
    """
    kinds = [kind for r in rounds for kind in r.kinds]
    tokens, calls = len(kinds), len(rounds)
    accepted = kinds.count("accepted")
    examined = accepted + kinds.count("correction")
    return {
        "tokens": tokens,
        "calls": calls,
        "saved": 1 - calls / tokens,
        **{kind: kinds.count(kind) for kind in KINDS},
        "examined": examined,
        "rate": accepted / examined if examined else None,
    }
