"""Checks of this lesson: finding a match in the text, and a drafter that copies what followed."""

from collections.abc import Callable, Sequence

from course_utils.classroom.alike import alike
from course_utils.classroom.attempt import untouched
from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Draft


def _places(tokens: list[int], length: int) -> list[int]:
    """Where the last `length` tokens occurred before, the end itself left out."""
    starts = range(len(tokens) - length)
    return [i for i in starts if tokens[i : i + length] == tokens[-length:]]


def _latest(tokens: list[int], length: int) -> int | None:
    return max(_places(tokens, length), default=None)


def _if_found(answer: Callable) -> Callable:
    """A student who finds the latest match at i and returns answer(tokens, length, i)."""
    return lambda t, n: None if (i := _latest(t, n)) is None else answer(t, n, i)


check_find_match = Exercise(
    "find_match",
    cases=[([7, 8, 9, 7, 8], 2), ([1, 2, 1, 3, 1], 1), ([5, 5, 5], 2), ([1, 2, 3], 1)],
    right=_latest,
    mistakes={
        "You found the ending itself. The match must stand EARLIER: start the search "
        "one place further left.": lambda tokens, length: len(tokens) - length,
        "You return the first match. The latest is likelier to go on in the same way: "
        "search from the right.": lambda tokens, length: min(_places(tokens, length), default=None),
        "You return where the copy begins. Return where the match begins, "
        "`length` tokens before.": _if_found(lambda tokens, length, i: i + length),
        "You return the tokens that follow. Return the place where the match begins.": (
            _if_found(lambda tokens, length, i: tokens[i + length :])
        ),
        "Without a match, return None: a number would be taken for a place.": (
            lambda tokens, length: max(_places(tokens, length), default=-1)
        ),
    },
    insight="No model and no probability was needed: the text is its own dictionary.",
)

CHANGED = "You changed `tokens`, which is the text itself. Take slices, or a copy."


def _propose(drafter: Callable, tokens: list[int], gamma: int) -> object:
    text, made = list(tokens), drafter()
    draft = made if untouched(made) else made.propose(text, gamma, None)
    return draft if text == tokens else CHANGED


def _a_draft(answer: object, *_) -> str | None:
    if answer == CHANGED:
        return CHANGED
    if not isinstance(answer, Draft):
        return "Return a Draft: Draft(the copied tokens as a tuple, None)."
    if answer.tokens and answer.q is not None:
        return "A copied token is certain: its q is one-hot, which is written q=None."
    return None


def _drafter(copied: Callable[[list[int], int, list[int]], Sequence[int]], nothing=()) -> type:
    """A student's class; copied(tokens, gamma, places) is what it drafts where there is a match."""

    class Copycat:
        def propose(self, tokens: list[int], gamma: int, noise: object) -> Draft | None:
            places = _places(tokens, 2)
            drafted = copied(tokens, gamma, places) if places else nothing
            return drafted if drafted is None else Draft(tuple(drafted), None)

    return Copycat


check_copycat = Exercise(
    "copycat",
    # (tokens, gamma): short, gamma beyond the end, two matches, none
    cases=[
        ([7, 8, 9, 7, 8], 2),
        ([7, 8, 9, 7, 8], 8),
        ([1, 2, 3, 1, 2, 4, 1, 2], 1),
        ([1, 2], 3),
    ],
    right=_drafter(lambda tokens, gamma, places: tokens[places[-1] + 2 :][:gamma]),
    mistakes={
        "Without a match return an empty draft, Draft((), None), and not None.": _drafter(
            lambda tokens, gamma, places: tokens[places[-1] + 2 :][:gamma], nothing=None
        ),
        "You copy the match itself. The draft is what came after it, so begin two tokens "
        "later.": _drafter(lambda tokens, gamma, places: tokens[places[-1] :][:gamma]),
        "You propose all that followed. The loop asked for at most `gamma` tokens.": (
            _drafter(lambda tokens, gamma, places: tokens[places[-1] + 2 :])
        ),
        "You copy from the first match. Take the latest one.": (
            _drafter(lambda tokens, gamma, places: tokens[places[0] + 2 :][:gamma])
        ),
        "You repeat the end of the text. Copy what followed the match.": (
            _drafter(lambda tokens, gamma, places: tokens[-gamma:])
        ),
    },
    insight="Whatever it copies, the text stays the target's: a drafter decides about speed only.",
    ask=_propose,
    form=_a_draft,
    same=lambda given, right: alike(given.tokens, right.tokens),
    shown="tokens {} and gamma {}".format,
)
