"""The check of a draft by the first layers: its guesses, and where it leaves the session."""

from collections.abc import Callable, Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.models.tables import LayeredSession, LayeredTables, TableModel

MODEL = LayeredTables(*(TableModel.random(5, order=3, seed=seed) for seed in (3, 4, 5)))
PROCESSED = (1, 4, 2, 0)


def exit_guesses(session: LayeredSession, last: int, layers: int, gamma: int) -> list[int]:
    """gamma greedy guesses of the first layers after `last`; the session stays where it is."""
    view, guesses = session.first(layers), []
    for _ in range(gamma):
        row = view.extend([(guesses or [last])[-1]])[-1]
        guesses.append(int(row.argmax()))
    return guesses


def _asked(attempt: Callable, last: int, layers: int, gamma: int) -> object:
    """(guesses, length of the session afterwards); what is no list is the whole answer."""
    session = MODEL.start(PROCESSED)
    guesses = attempt(session, last, layers, gamma)
    if guesses is None or guesses is ...:
        return guesses
    return [int(guess) for guess in guesses], session.length


def _stepping(feed: Callable[[int, list[int]], Sequence[int]], of: Callable) -> Callable:
    """Guesses from of(session, layers), which is fed feed(last, guesses) in each step."""

    def attempt(session: LayeredSession, last: int, layers: int, gamma: int) -> list[int]:
        view, guesses = of(session, layers), []
        for _ in range(gamma):
            guesses.append(int(view.extend(feed(last, guesses))[-1].argmax()))
        return guesses

    return attempt


def _newest(last: int, guesses: list[int]) -> list[int]:
    return [(guesses or [last])[-1]]


def _anew(session: LayeredSession, last: int, layers: int, gamma: int) -> list[int]:
    guesses: list[int] = []
    for _ in range(gamma):
        row = session.first(layers).extend(_newest(last, guesses))[-1]
        guesses.append(int(row.argmax()))
    return guesses


check_exit_guesses = Exercise(
    "exit_guesses",
    cases=[(3, 1, 3), (3, 2, 4), (0, 2, 1), (4, 3, 2)],  # last, layers, gamma
    right=exit_guesses,
    mistakes={
        "These are the guesses of all layers, and the session has moved on: its next pass would "
        "stand in the wrong place. Ask session.first(layers), not the session.": (
            _stepping(_newest, lambda session, layers: session)
        ),
        "Every guess is made after the same token. What was guessed is the next token to feed.": (
            _stepping(lambda last, guesses: [last], lambda session, layers: session.first(layers))
        ),
        "A view remembers what it was fed: give it the newest token alone, not all of them "
        "again.": (
            _stepping(
                lambda last, guesses: [last, *guesses],
                lambda session, layers: session.first(layers),
            )
        ),
        "A new view starts where the session is, and so forgets the guesses. Make one view, "
        "before the loop.": _anew,
    },
    ask=_asked,
    parts=("guesses", "length of the session"),
    insight="No prefill, no second cache: the view reads what the target has read.",
)
