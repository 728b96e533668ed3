"""Checks of this elective: how far grouping moves a lead, and the verdict on a divergence."""

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise

# --- a lead that moves ------------------------------------------------------------------


def largest_move(alone: np.ndarray, grouped: np.ndarray) -> float:
    """By how much the lead of the likeliest token over the second moves, at most.

    Rows (positions, vocabulary) of logits; the two tokens are those of `alone`.
    """
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

check_largest_move = Exercise(
    "largest_move",
    cases=[
        (ALONE[:1], MOVED[:1]),
        (ALONE, MOVED),
        (ALONE[::-1], MOVED[::-1]),
        (ALONE[1:], MOVED[1:]),
        (ALONE[:1], ALONE[:1]),
    ],
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
        "A lead that shrinks moves as well: take the absolute value.": (
            ("abs(after[first] - after[second] - lead)", "after[first] - after[second] - lead")
        ),
        "A lead that grows moves as well: take the absolute value.": (
            ("abs(after[first] - after[second] - lead)", "lead - (after[first] - after[second])")
        ),
        "A lead is negative where its second token has overtaken the first. Take the absolute "
        "value of the change, not of the lead.": (
            ("after[first] - after[second] - lead", "abs(after[first] - after[second]) - lead")
        ),
        "That is how far the likeliest token's logit moved. A lead changes with the second's, "
        "too.": ("after[first] - after[second] - lead", "after[first] - before[first]"),
        "That is the lead itself, not its move.": (
            ("abs(after[first] - after[second] - lead)", "lead")
        ),
        "That is the mean of the moves. The largest is asked.": (
            ("max(moves)", "sum(moves) / len(moves)")
        ),
        "You look at the first position alone.": ("max(moves)", "moves[0]"),
        "You look at the last position alone.": ("max(moves)", "moves[-1]"),
    },
    insight="A lead is a difference of two logits, and only its sign decides a greedy text.",
    describe_case=lambda alone, grouped: (
        f"alone = {alone.tolist()} and grouped = {grouped.tolist()}"
    ),
)


# --- tie or bug -------------------------------------------------------------------------


def judged(alone: Sequence[float], among: Sequence[float], noise: float) -> str:
    """ "tie" or "bug", of two runs that part.

    In each of the two scorings: how far the plain run's token and the other run's are below the
    largest logit.
    """
    plain_alone, other_alone = alone
    plain_among, other_among = among
    if plain_alone > 0 or other_among > 0:
        return "bug"
    return "tie" if max(other_alone, plain_among) <= noise else "bug"


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
        "scoring: a draft errs most where the target hesitates.": (
            ("plain_alone > 0 or other_among > 0", "False")
        ),
        "You look at who leads alone. Rounding has its limits: the token behind must be within the "
        "noise.": ("max(other_alone, plain_among) <= noise", "True"),
        "The other run's token must lead among the rows of its round. Where it is behind there, "
        "too, nothing explains it.": (" or other_among > 0", ""),
        "The plain run's token must lead where it is scored alone.": (
            ("plain_alone > 0 or other_among > 0", "other_among > 0")
        ),
        "You look at the distance in the scoring alone. It must be within the noise among the rows "
        "of the round as well.": ("max(other_alone, plain_among)", "other_alone"),
        "You look at the distance among the rows only. It must be within the noise where the "
        "token is scored alone as well.": ("max(other_alone, plain_among)", "plain_among"),
        "One of the two distances within the noise is not enough: both must be.": (
            ("max(other_alone, plain_among)", "min(other_alone, plain_among)")
        ),
        "A distance of just the noise is within it.": ("<= noise", "< noise"),
        "You ask that the two distances together are within the noise. Each of them must be.": (
            ("max(other_alone, plain_among)", "other_alone + plain_among")
        ),
        "You exchange the two runs: alone, the *plain* run's token must lead.": (
            ("plain_alone > 0 or other_among > 0", "other_alone > 0 or plain_among > 0")
        ),
        "You ask which of the two tokens is ahead of the other. A third may be above both: to lead "
        "is to have the distance 0.": (
            "plain_alone > 0 or other_among > 0",
            "plain_alone > other_alone or other_among > plain_among",
        ),
        "Equal logits are a tie, too: a distance of 0 counts as leading.": (
            (
                "plain_alone > 0 or other_among > 0",
                "plain_alone >= other_alone or other_among >= plain_among",
            )
        ),
    },
    insight="Two conditions are exact, since the same calls give the same bits; the third is "
    "measured.",
    describe_case=lambda alone, among, noise: (
        f"alone = {alone}, among = {among} and noise = {noise}"
    ),
)
