"""The tokens that a drafter's model has processed, and how many are still valid."""

from collections.abc import Sequence

from course_utils.decoding.contracts import SlotSession
from course_utils.decoding.loop import common_prefix, roll_back
from course_utils.decoding.proposal import CommittedText


class CachedPrefix:
    """The tokens in a drafter's session, some of which may have been rejected.

    The loop's text only grows, so if the same text is passed again, only its new tokens are
    compared.
    """

    def __init__(self) -> None:
        self._last: Sequence[int] | None = None  # the text, if it can only have grown
        self.tokens: list[int] = []  # processed tokens
        self._agreed = 0  # the number of them known to be the text's

    def match(self, text: Sequence[int]) -> int:
        """Return how many of the first tokens of `text` were processed; forget the others."""
        start = self._agreed if text is self._last else 0
        self._agreed = start + common_prefix(self.tokens[start:], text[start:])
        del self.tokens[self._agreed :]
        self._last = text if isinstance(text, CommittedText) else None
        return self._agreed

    def update(self, text: Sequence[int], more: Sequence[int] = ()) -> None:
        """Record that `text` and `more` were processed; call `match` with the text first."""
        self.tokens += text[len(self.tokens) :]
        self._agreed = len(self.tokens)
        self.tokens += more

    def missing(self, session: SlotSession, text: Sequence[int]) -> Sequence[int]:
        """Roll `session` back to what it has of `text` without the last token; return the rest.

        After a rejection it has tokens that were never committed; after full acceptance it lags
        by one token.  The last token is always read again: its row is needed.
        """
        self._agreed = min(self.match(text), len(text) - 1)
        del self.tokens[self._agreed :]
        roll_back(session, self._agreed)
        return text[self._agreed :]

    def record(self, session: SlotSession, text: Sequence[int], guesses: Sequence[int]) -> None:
        """Record what `session` has processed since `missing`: nothing, if a stop rule ended the
        draft before its first pass, or `text` and the first `guesses`."""
        beyond = session.length - len(text)
        if beyond >= 0:
            self.update(text, guesses[:beyond])
