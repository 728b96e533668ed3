"""Checks of this elective: how far grouping moves a lead, and tie or bug."""

import numpy as np

from course_utils.classroom.exercise import Exercise


def largest_move(alone, grouped):
    """Return the largest change of a lead, in logits."""
    moves = []
    for before, after in zip(alone, grouped, strict=True):
        second, first = np.argsort(before)[-2:]
        lead = before[first] - before[second]
        moves.append(abs(after[first] - after[second] - lead))
    return max(moves)


ALONE = np.array([[1.0, 4.0, 3.5, 0.0], [2.0, -1.0, 1.75, 0.5], [0.0, 0.25, 6.0, 3.0]])
MOVED = np.array(
    [[1.125, 3.75, 4.0, 9.0], [2.25, -1.0, 1.625, 0.5], [0.0, 0.25, 6.125, 3.0]]
)  # the leaders swap and another token overtakes both; in the other two rows the lead grows
MOVE = "after[first] - after[second] - lead"

check_largest_move = Exercise(
    "largest_move",
    cases=[(ALONE[:1], MOVED[:1]), (ALONE, MOVED), (ALONE[1:], MOVED[1:]), (ALONE[:1], ALONE[:1])],
    solution=largest_move,
    mistakes={
        "You compare the largest logits. Only the *lead* decides a text: the largest logit minus "
        "the second largest.": lambda alone, grouped: float(
            np.abs(alone.max(-1) - grouped.max(-1)).max()
        ),
        "You return the largest move of any logit. Look only at the lead of the likeliest token "
        "over the second.": lambda alone, grouped: float(np.abs(alone - grouped).max()),
        "You take the two likeliest tokens of `grouped` again, so a lead that changes sign looks "
        "small. Follow the two tokens of "
        "`alone`.": "after[first] - after[second] → np.sort(after)[-1] - np.sort(after)[-2]",
        "A lead can also shrink: take the absolute value of its change.": f"abs({MOVE}) → {MOVE}",
        "You take the absolute value of the lead, which is negative if the second token overtook "
        "the first. Take that of the change.": f"{MOVE} → abs(after[first] - after[second]) - lead",
        "You return the mean of the moves. "
        "Return the largest.": "max(moves) → sum(moves) / len(moves)",
    },
    insight="A lead is a difference of two logits, and only its sign decides a greedy text.",
    describe_case=lambda alone, grouped: (
        f"alone = {alone.tolist()} and grouped = {grouped.tolist()}"
    ),
)


def judged(alone, among, noise):
    """Return "tie" or "bug" for a divergence of two greedy runs."""
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
        ((0.0, 0.1875), (0.125, 0.0), 0.25),  # a lead that changes sign
        ((0.0, 0.0), (0.0625, 0.0), 0.25),  # equal alone
        ((0.0, 0.25), (0.0, 0.0), 0.25),  # equal among; behind by exactly the noise
        ((0.0, 1.5), (0.125, 0.0), 0.25),  # far behind alone
        ((0.0, 0.125), (1.5, 0.0), 0.25),  # far behind among
        ((0.0, 0.125), (0.0, 0.125), 0.25),  # close, but also behind in its own round
        ((0.0625, 0.0), (0.0625, 0.0), 0.25),  # the plain run's token leads nowhere
        ((0.125, 0.0), (0.0, 0.125), 0.25),  # each run took the other's leader
        ((0.0625, 0.125), (0.125, 0.0625), 0.25),  # a third token leads in both
        ((0.0, 0.2), (0.2, 0.0), 0.1),  # twice the noise of a quieter model
    ],
    solution=judged,
    mistakes={
        "You check only the distances. "
        "Each token must also *lead* in its own run.": f"{LEADS} → False",
        "You check only which token leads. Rounding is limited: the trailing token must be within "
        "the noise.": f"{BEHIND} <= noise → True",
        "The other run's token must lead in its own round. If it trails there as well, rounding "
        "does not explain it.": " or other_among > 0 → ",
        "You check only the distance in `alone`. The distance in `among` must be within the noise "
        "as well.": f"{BEHIND} → other_alone",
        "You swapped the two runs: in `alone` the *plain* run's token must "
        "lead.": f"{LEADS} → other_alone > 0 or plain_among > 0",
        "You compare the two tokens with each other, but a third may be above both. A token leads "
        "if its distance is "
        "0.": f"{LEADS} → plain_alone > other_alone or other_among > plain_among",
    },
    insight="Two conditions are exact, because the same calls give the same bits. The third uses "
    "a measured noise.",
)
