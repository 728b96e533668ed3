"""What is done to a model's session: read tokens, roll back, catch up with a text.

The loop, the drafters and the proofs move every session through these functions, which check
that it did what was asked.
"""

from collections.abc import Sequence
from typing import cast

from course_utils.decoding.contracts import (
    Draft,
    LanguageModel,
    Rows,
    Session,
    SlotSession,
    TreeSession,
    Verdict,
)
from course_utils.decoding.proposal import CommittedText
from course_utils.decoding.rows import checked_rows


def forward(session: Session, tokens: Sequence[int], parents: Sequence[int] | None) -> Rows:
    """Return the logits of `tokens`, the last of which may be a tree.

    Raises:
        ValueError: `session` cannot hold trees, or does not return a row per token.
    """
    if parents is None:
        rows = session.extend(tokens)
    else:
        rows = in_trees(session).extend(tokens, parents)
    return checked_rows(rows, len(tokens), session)


def in_trees(session: SlotSession) -> TreeSession:
    """Return `session`; raise a ValueError if it cannot hold trees."""
    if not hasattr(session, "keep"):
        raise ValueError(
            f"a {type(session).__name__} cannot hold trees of guesses: use a model of the course "
            "(Qwen3, tables), or a drafter of chains (Sampled)"
        )
    return cast(TreeSession, session)


def verifies_trees(model: LanguageModel) -> bool:
    """Return whether the sessions of `model` hold trees of guesses: its attribute, if it has one.

    A session of a wrapper has `keep` in any case, so only the model can be asked.
    """
    return getattr(model, "verifies_trees", False)


def rollback_rejected(
    session: SlotSession, length: int, draft: Draft, verdict: Verdict, committed: int
) -> None:
    """Reduce `session` to `length` tokens and the first `committed` accepted guesses; before, it
    holds `length` tokens and the whole draft.

    Raises:
        ValueError: as `roll_back`.
    """
    path = verdict.places[:committed]
    if draft.parents is not None and any(at != place for at, place in enumerate(path)):
        in_trees(session).keep(length, path)
    roll_back(session, length + len(path))  # if the path was already the first nodes


def roll_back(session: SlotSession, length: int) -> None:
    """Reduce `session` to at most `length` tokens.

    Raises:
        ValueError: it has another length afterwards.
    """
    if session.length > length:
        session.rollback(length)
    check_length(session, length)


def check_length(session: SlotSession, length: int) -> None:
    """Raise a ValueError if `session` does not hold `length` tokens."""
    if session.length != length:
        raise ValueError(
            f"a {type(session).__name__} has {session.length} tokens, expected {length}: its "
            "extend, rollback or keep is faulty; check its model by models.contract.check_sessions"
        )


def catch_up(session: Session, tokens: Sequence[int], agreed: int) -> Rows:
    """Make `session` hold exactly `tokens`; it may already have the first `agreed` of them.

    Rolls back the rest, reads the missing tokens and returns their logits (None if none was
    missing).

    Raises:
        ValueError: as `roll_back` and `forward`.
    """
    roll_back(session, min(agreed, session.length))
    missing = tokens[session.length :]
    return forward(session, missing, None) if missing else None


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Return the length of the common prefix: [1, 2, 3], [1, 2, 9, 9] -> 2"""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


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
