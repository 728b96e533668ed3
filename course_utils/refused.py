"""What someone's code or answer is refused for."""

from typing import Any


class Refused(Exception):
    """Someone's code or answer cannot be examined; the message tells its author why."""


class NothingReturned(Refused):
    """It returned None or `...`, as an open exercise does."""


def require(fine: object, words: str) -> None:
    """Raise Refused(words) unless `fine`."""
    if not fine:
        raise Refused(words)


def returned(answer: Any) -> Any:
    """Return an answer; raise NothingReturned for None and `...`."""
    if answer is None or answer is ...:
        raise NothingReturned("it returned nothing")
    return answer
