"""The check of a check: is row i of a batch what prompt i says, and accepts, alone?"""

from collections.abc import Callable, Mapping, Sequence

from course_utils.classroom.exercise import Exercise

# of each row its rounds: (the tokens that were emitted, how many guesses were accepted)
Rounds = Mapping[int, Sequence[tuple[Sequence[int], int]]]
TEXT, ACCEPTED = "text", "accepted"


def judged_rows(batch: Rounds, alone: Rounds) -> set[tuple[int, str]]:
    """(row, "text") for another text, (row, "accepted") for other acceptances."""
    found = set()
    for row, solo in alone.items():
        for part, what in ((_said, TEXT), (_accepted, ACCEPTED)):
            if part(batch.get(row, ())) != part(solo):
                found.add((row, what))
    return found


def _said(rounds: Sequence) -> list[int]:
    return [token for emitted, _ in rounds for token in emitted]


def _accepted(rounds: Sequence) -> list[int]:
    return [accepted for _, accepted in rounds]


def _judge(
    text: Callable = _said,
    accepted: Callable | None = _accepted,
    pairs: Callable = lambda batch, alone: [(row, batch.get(row, ()), alone[row]) for row in alone],
) -> Callable:
    """`judged_rows` that compares something else of the rounds, or other rows."""

    def attempt(batch: Rounds, alone: Rounds) -> set[tuple[int, str]]:
        found = set()
        for row, mine, solo in pairs(batch, alone):
            for part, what in ((text, TEXT), (accepted, ACCEPTED)):
                if part and part(mine) != part(solo):
                    found.add((row, what))
        return found

    return attempt


_A = [([4, 7, 7], 2), ([1], 0), ([3, 3], 1)]
_B = [([2], 0), ([5, 5, 6], 2)]
_C = [([9, 9], 1), ([9, 8], 1)]
_SLOW = [([4, 7], 1), ([7], 0), ([1], 0), ([3, 3], 1)]  # A's text with fewer accepted
_SWAPPED = [([9, 9, 9], 2), ([8], 0)]  # C's text, as many accepted, in other rounds
_OTHER = [([4, 7, 7], 2), ([2], 0), ([3, 3], 1)]  # accepts as A, says another text
_SOLO = {0: _A, 1: _B, 2: _C}

check_judged_rows = Exercise(
    "judged_rows",
    cases=[
        (_SOLO, _SOLO),
        ({2: _C, 0: _A, 1: _B}, _SOLO),
        ({0: _SLOW, 1: _B, 2: _C}, _SOLO),
        ({0: _OTHER, 1: _B, 2: _C}, _SOLO),
        ({0: _B, 1: _A, 2: _C}, _SOLO),
        ({0: _A, 1: _B, 2: _SWAPPED}, _SOLO),
        ({0: _A, 1: _B[:1], 2: _C}, _SOLO),
        ({0: _A, 2: _C}, _SOLO),
    ],
    right=judged_rows,
    mistakes={
        "You compare texts only. A row that accepts fewer guesses says the same at temperature 0, "
        "in more rounds: a draft that reads wrong tokens passes.": _judge(accepted=None),
        "You compare acceptances only: a text may be wrong with the very same counts.": _judge(
            text=lambda rounds: None
        ),
        "You compare the text round by round, so a text that is right but comes in other pieces is "
        "called another text. Put the rounds' tokens together first.": _judge(
            text=lambda rounds: [list(emitted) for emitted, _ in rounds]
        ),
        "The total of accepted guesses is not enough: a round that lost one and a round that won "
        "one cancel. Compare them round by round.": _judge(
            accepted=lambda rounds: sum(kept for _, kept in rounds)
        ),
        "You compare rows in the order in which they come out of the dict. Row 2 of the batch "
        "belongs to prompt 2, wherever it stands.": _judge(
            pairs=lambda batch, alone: [
                (row, mine, alone[row]) for row, mine in zip(alone, batch.values(), strict=False)
            ]
        ),
        "You go over the rows of the batch: a prompt that was never answered is not missed. Go "
        "over those that ran alone.": _judge(
            pairs=lambda batch, alone: [(row, batch[row], alone[row]) for row in batch]
        ),
        "Comparing as far as both go passes a text that ends too early.": _judge(
            pairs=lambda batch, alone: [
                (row, batch.get(row, ())[: len(alone[row])], alone[row][: len(batch.get(row, ()))])
                for row in alone
            ]
        ),
    },
    form=lambda answer, batch, alone: (
        None if isinstance(answer, set | list | tuple | frozenset) else "Return a set of pairs."
    ),
    same=lambda given, right: sorted(map(tuple, given)) == sorted(map(tuple, right)),
    shown=lambda batch, alone: f"batch = {dict(batch)}",
    insight="Two comparisons a row. The second one is what production tests lack.",
)
