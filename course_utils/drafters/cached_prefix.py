"""What a drafter's model has processed, and how much of it still holds."""

from collections.abc import Sequence

from course_utils.decoding.loop import common_prefix
from course_utils.decoding.proposal import CommittedText


class CachedPrefix:
    """The tokens in a drafter's session, which may have been rejected since.

    A text that the loop hands out only grows, so of a text that was seen before only
    what came after is compared.
    """

    def __init__(self) -> None:
        self._last: Sequence[int] | None = None  # the text, if it can only have grown
        self.tokens: list[int] = []  # what was processed
        self._agreed = 0  # so many of them are known to be the text's

    def match(self, text: Sequence[int]) -> int:
        """How many tokens of `text`, from its start, were processed; the others are forgotten."""
        start = self._agreed if text is self._last else 0
        self._agreed = start + common_prefix(self.tokens[start:], text[start:])
        del self.tokens[self._agreed :]
        self._last = text if isinstance(text, CommittedText) else None
        return self._agreed

    def update(self, text: Sequence[int], more: Sequence[int] = ()) -> None:
        """Note that all of `text` and `more` were processed; `match` the text first."""
        self.tokens += text[len(self.tokens) :]
        self._agreed = len(self.tokens)
        self.tokens += more
