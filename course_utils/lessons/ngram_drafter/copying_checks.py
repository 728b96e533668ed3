"""The check of this lesson's search: where did the end of the text stand before?"""

from collections.abc import Callable

from course_utils.classroom.exercise import Exercise


def places(tokens: list[int], length: int) -> list[int]:
    """Where the last `length` tokens occurred before, the end itself left out."""
    starts = range(len(tokens) - length)
    return [i for i in starts if tokens[i : i + length] == tokens[-length:]]


def latest(tokens: list[int], length: int) -> int | None:
    """[1, 2, 1, 3, 1], 1 -> 2; None if they occurred nowhere"""
    return max(places(tokens, length), default=None)


def _if_found(answer: Callable) -> Callable:
    """A student who finds the latest match at i and returns answer(tokens, length, i)."""
    return lambda t, n: None if (i := latest(t, n)) is None else answer(t, n, i)


def _itself(tokens: list[int], length: int) -> int | None:
    return len(tokens) - length if len(tokens) >= length else None


def _by_one_token(place: int) -> Callable:
    """A student who compares one of the tokens only, 0 the first or -1 the last of them."""

    def search(tokens: list[int], length: int) -> int | None:
        starts = range(len(tokens) - length - 1, -1, -1)
        wanted = tokens[-length:][place]
        return next((i for i in starts if tokens[i : i + length][place] == wanted), None)

    return search


def _told(answer: object, tokens: list[int], length: int) -> str | None:
    found = places(tokens, length)
    if found and answer == found[0]:
        return f"{answer} is the earliest place; take the latest, {found[-1]}."
    return None


check_find_match = Exercise(
    "find_match",
    cases=[
        ([7, 8, 9, 7, 8], 2),
        ([1, 2, 1, 3, 1], 1),
        ([5, 5, 5], 2),  # the match and the end overlap
        ([7, 8, 9, 8, 7, 8], 2),  # the last token alone occurs later
        ([7, 8, 9, 7, 5, 7, 8], 2),  # and the first of the two
        ([1, 2, 3], 1),
        ([4, 4], 3),  # a text shorter than the ending
    ],
    right=latest,
    mistakes={
        "You found the ending itself. The match must stand EARLIER: start the search "
        "one place further left.": _itself,
        "You return the first match. The latest is likelier to go on in the same way: "
        "search from the right.": lambda tokens, length: min(places(tokens, length), default=None),
        "You return where the copy begins. Return where the match begins, "
        "`length` tokens before.": _if_found(lambda tokens, length, i: i + length),
        "You return the tokens that follow. Return the place where the match begins.": (
            _if_found(lambda tokens, length, i: tokens[i + length :])
        ),
        "Without a match, return None: a number would be taken for a place.": (
            lambda tokens, length: max(places(tokens, length), default=-1)
        ),
        "A match may overlap the end: in 5 5 5 the last two tokens stand at place 0, too. Begin "
        "the search one place left of the end.": (
            lambda tokens, length: max(
                (i for i in places(tokens, length) if i + length <= len(tokens) - length),
                default=None,
            )
        ),
        "You compare the last token only. All of the last `length` tokens must agree.": (
            _by_one_token(-1)
        ),
        "You compare one token, the first of the last `length`. All of them must agree.": (
            _by_one_token(0)
        ),
        "Place 0 counts as well: `range(..., 0, -1)` ends before it.": (
            lambda tokens, length: max((i for i in places(tokens, length) if i), default=None)
        ),
    },
    told=_told,
    insight="No model and no probability was needed: the text is its own dictionary.",
)
