"""Check of the second build: a session that holds something else catches up with the text."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise

CaughtUp = Callable[[object, list[int], list[int]], np.ndarray]


class Notes:
    """A session that notes what it holds and how many tokens it was fed.

    The row after a token tells its place, the token itself, and all that stands before it.
    """

    def __init__(self, tokens: Sequence[int]):
        self.tokens, self.fed = list(tokens), 0

    @property
    def length(self) -> int:
        return len(self.tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        if not tokens:
            raise ValueError("nothing to process: a row comes only for a token that is fed")
        before = self.length
        self.tokens += tokens
        self.fed += len(tokens)
        ends = range(before + 1, self.length + 1)
        return np.array([[end, self.tokens[end - 1], sum(self.tokens[:end])] for end in ends])

    def rollback(self, length: int) -> None:
        self.tokens = self.tokens[:length]


def _caught_up(session, processed: list[int], text: list[int]) -> np.ndarray:
    kept = _shared(processed, text)
    session.rollback(kept)
    return session.extend(text[kept:])[-1]


def _shared(processed: list[int], text: list[int]) -> int:
    """Tokens at the beginning that both have; the last of the text does not count."""
    pairs = enumerate(zip(processed, text[:-1], strict=False))
    most = min(len(processed), len(text) - 1)
    return next((i for i, (mine, other) in pairs if mine != other), most)


def _keeps(count: Callable[[list[int], list[int]], int], row: object = -1) -> CaughtUp:
    """A student who keeps count(processed, text) tokens."""

    def caught_up(session, processed, text):
        kept = count(processed, text)
        session.rollback(kept)
        return session.extend(text[kept:])[row]

    return caught_up


def _never_rolls_back(session, processed, text):
    return session.extend(text[-1:])[-1]


def _feeds_what_is_longer(session, processed, text):
    return session.extend(text[len(processed) :])[-1]


def _keeps_all_but_one(session, processed, text):
    session.rollback(len(text) - 1)
    return session.extend(text[-1:])[-1]


def _feeds_without_rolling_back(session, processed, text):
    return session.extend(text[_shared(processed, text) :])[-1]


def _feeds_the_newest(session, processed, text):
    session.rollback(_shared(processed, text))
    return session.extend(text[-1:])[-1]


def _feeds_from_its_old_end(session, processed, text):
    session.rollback(_shared(processed, text))
    return session.extend(text[len(processed) :])[-1]


def _called(attempt: Callable, processed: list[int], text: list[int]) -> object:
    """(what the session holds, how many tokens it was fed, the row); a stub's answer as it is."""
    session = Notes(processed)
    row = attempt(session, processed, text)
    return row if row is None or row is ... else (session.tokens, session.fed, row)


def _in_words(processed: list[int], text: list[int]) -> str:
    return f"a session that holds {processed} and the text {text}"


check_caught_up = Exercise(
    "caught_up",
    # some rejected; a token that both have behind the first difference; all accepted and a
    # bonus; nothing yet; all of the text and more; all rejected; all of the text
    cases=[
        ([1, 2, 3, 4, 5, 6], [1, 2, 3, 9]),
        ([1, 2, 3, 4, 5, 6], [1, 2, 9, 4, 7, 8, 5]),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7]),
        ([], [4, 8, 6]),
        ([1, 2, 3, 4, 5], [1, 2, 3]),
        ([7, 1, 2, 8], [7, 5]),
        ([3, 4], [3, 4]),
    ],
    right=_caught_up,
    mistakes={
        "rejected tokens are still in it: roll back to where it and the text part.": (
            _never_rolls_back
        ),
        "you feed what lies past its old length, but roll nothing back.": _feeds_what_is_longer,
        "you keep len(text) - 1 tokens, whichever they are. Some may be rejected, and some may not "
        "be there yet.": _keeps_all_but_one,
        "you feed the right tokens, behind rejected ones: roll back first.": (
            _feeds_without_rolling_back
        ),
        "you compare lengths only. A session can be as long as the text and hold other tokens.": (
            _keeps(lambda processed, text: min(len(processed), len(text) - 1))
        ),
        "you count all places where the two agree. After the first difference nothing may stay: "
        "those entries have looked at a rejected token.": _keeps(
            lambda processed, text: min(
                sum(a == b for a, b in zip(processed, text, strict=False)), len(text) - 1
            )
        ),
        "a token is missing: more than the newest one may be new to it.": _feeds_the_newest,
        "you feed from its old length on. After the rollback it is shorter.": (
            _feeds_from_its_old_end
        ),
        "where it holds the whole text already, you feed nothing and no row comes back: leave "
        "out the last token and feed it again.": _keeps(
            lambda processed, text: (
                _shared(processed, [*text, 0]) if processed != text else len(text)
            )
        ),
        "the text is right, and you processed all of it again. Keep what both share.": _keeps(
            lambda processed, text: 0
        ),
        "you roll back one token too many and process it again.": _keeps(
            lambda processed, text: max(0, _shared(processed, text) - 1)
        ),
        "you return all rows. Only the one after the last token is asked.": _keeps(
            _shared, slice(None)
        ),
        "you return the row after the first token that was fed. The last one tells what follows "
        "the text.": _keeps(_shared, 0),
    },
    insight="No case was told apart: what the session and the text share settles a rejection, a "
    "bonus and a new text alike.",
    ask=_called,
    parts=("the session", "the number of tokens fed", "the row"),
    shown=_in_words,
)
