"""The hidden states that a target at work has of a text: what a draft head guesses from.

A session of a head is fed tokens, as every session is.  Of some of them the target knows
the state, of the guesses behind them it does not, yet.  Which, is asked here.
"""

from collections.abc import Sequence

from torch import Tensor

from course_utils.models.early_exit import Shared, SharedSession


class TargetStates:
    """The states that a session of `shared` has of one text, which grows and is rolled back."""

    def __init__(self, shared: Shared):
        self._shared = shared
        self._session: SharedSession | None = None
        self._agreed = 0  # so many tokens are known to be the session's

    def known(self, tokens: Sequence[int]) -> int:
        """Of how many of `tokens`, from the first on, the states can be read.

        Of none, where the prompt is one token, which waits: the target has read nothing yet.

        Raises:
            ValueError: no session of the target is at work on this text.
        """
        if not self._agreed or not self._begins(self._session, tokens, self._agreed):
            sessions = [s for s in self._shared.in_use() if self._begins(s, tokens, 0)]
            if not sessions:
                raise ValueError(
                    "no session of the target is at work on this text, and a head has no states "
                    "of its own: give the same Shared(target, taps) to generate, in the target's "
                    "place, and to the head"
                )
            # subtle: a session that has read nothing begins every text, so it comes last
            self._session = max(sessions, key=lambda session: session.length > 0)
        self._agreed = self._session.length
        return self._agreed

    def at(self, tap: int, start: int, stop: int) -> Tensor:
        """States after `tap` layers of the tokens `start` to `stop`, (n, hidden); ask `known`."""
        return self._session.states[tap][start:stop]

    def forget(self, length: int) -> None:
        """The text was rolled back."""
        self._agreed = min(self._agreed, length)

    @staticmethod
    def _begins(session: SharedSession, tokens: Sequence[int], agreed: int) -> bool:
        """Does `tokens` begin with all that the session has processed?  `agreed` of it does."""
        length = session.length
        return length <= len(tokens) and session.tokens[agreed:] == list(tokens[agreed:length])
