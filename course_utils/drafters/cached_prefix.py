"""The tokens that a drafter's model has processed, and how many are still valid."""

from collections.abc import Sequence

from course_utils.decoding.loop import common_prefix
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
