"""Checks of this elective: how far grouping moves a lead, and the verdict on a divergence."""

import numpy as np

from course_utils.classroom.exercise import Exercise


def largest_move(alone, grouped):
    """The largest change of a lead, in logits."""
    moves = []
    for before, after in zip(alone, grouped, strict=True):
        second, first = np.argsort(before)[-2:]
        lead = before[first] - before[second]
        moves.append(abs(after[first] - after[second] - lead))
    return max(moves)


ALONE = np.array([[1.0, 4.0, 3.5, 0.0], [2.0, -1.0, 1.75, 0.5], [0.0, 0.25, 6.0, 3.0]])
MOVED = np.array(
    [[1.125, 3.75, 4.0, 9.0], [2.25, -1.0, 1.625, 0.5], [0.0, 0.25, 6.125, 3.0]]
)  # the leaders change places and another token overtakes both; the lead grows, twice
MOVE = "after[first] - after[second] - lead"

check_largest_move = Exercise(
    "largest_move",
    cases=[(ALONE[:1], MOVED[:1]), (ALONE, MOVED), (ALONE[1:], MOVED[1:]), (ALONE[:1], ALONE[:1])],
    solution=largest_move,
    mistakes={
        "You compare the largest logits. A text is decided by the *lead*: the likeliest token's "
        "logit minus the second's.": lambda alone, grouped: float(
            np.abs(alone.max(-1) - grouped.max(-1)).max()
        ),
        "That is how far any logit moved. Look at the lead of the likeliest token over the second "
        "alone.": lambda alone, grouped: float(np.abs(alone - grouped).max()),
        "In the grouped rows you look for their own two leaders, so a lead that changes sides "
        "looks small. Follow the two tokens that lead in `alone`.": (
            ("after[first] - after[second]", "np.sort(after)[-1] - np.sort(after)[-2]")
        ),
        "A lead that shrinks moves as well: take the absolute value.": (f"abs({MOVE})", MOVE),
        "A lead is negative where its second token has overtaken the first. Take the absolute "
        "value of the change, not of the lead.": (MOVE, "abs(after[first] - after[second]) - lead"),
        "That is the mean of the moves. The largest is asked.": (
            ("max(moves)", "sum(moves) / len(moves)")
        ),
    },
    insight="A lead is a difference of two logits, and only its sign decides a greedy text.",
    describe_case=lambda alone, grouped: (
        f"alone = {alone.tolist()} and grouped = {grouped.tolist()}"
    ),
)


def judged(alone, among, noise):
    """ "tie" or "bug", where two greedy runs part."""
    plain_alone, other_alone = alone
    plain_among, other_among = among
    if plain_alone > 0 or other_among > 0:
        return "bug"
    return "tie" if max(other_alone, plain_among) <= noise else "bug"


LEADS = "plain_alone > 0 or other_among > 0"
BEHIND = "max(other_alone, plain_among)"

check_judged = Exercise(
    "judged",
    cases=[
        ((0.0, 0.1875), (0.125, 0.0), 0.25),  # a lead that changes sides
        ((0.0, 0.0), (0.0625, 0.0), 0.25),  # equal alone
        ((0.0, 0.25), (0.0, 0.0), 0.25),  # equal among; behind by just the noise
        ((0.0, 1.5), (0.125, 0.0), 0.25),  # far behind alone
        ((0.0, 0.125), (1.5, 0.0), 0.25),  # far behind among
        ((0.0, 0.125), (0.0, 0.125), 0.25),  # close, but behind in its own round as well
        ((0.0625, 0.0), (0.0625, 0.0), 0.25),  # the plain run's token leads nowhere
        ((0.125, 0.0), (0.0, 0.125), 0.25),  # each run took what leads for the other
        ((0.0625, 0.125), (0.125, 0.0625), 0.25),  # a third token leads in both
        ((0.0, 0.2), (0.2, 0.0), 0.1),  # twice too far for a quieter model
    ],
    solution=judged,
    mistakes={
        "You look at the distances alone. The token of each run must also *lead* in that run's own "
        "scoring: a draft errs most where the target hesitates.": (LEADS, "False"),
        "You look at who leads alone. Rounding has its limits: the token behind must be within the "
        "noise.": (f"{BEHIND} <= noise", "True"),
        "The other run's token must lead among the rows of its round. Where it is behind there, "
        "too, nothing explains it.": (" or other_among > 0", ""),
        "You look at the distance in the scoring alone. It must be within the noise among the rows "
        "of the round as well.": (BEHIND, "other_alone"),
        "You exchange the two runs: alone, the *plain* run's token must lead.": (
            (LEADS, "other_alone > 0 or plain_among > 0")
        ),
        "You ask which of the two tokens is ahead of the other. A third may be above both: to lead "
        "is to have the distance 0.": (
            (LEADS, "plain_alone > other_alone or other_among > plain_among")
        ),
    },
    insight="Two conditions are exact, since the same calls give the same bits; the third is "
    "measured.",
)
