"""Checks of this elective: a layer over a window, a session by a copy and replay."""

from functools import cache

import numpy as np

from course_utils.classroom.exercise import Exercise, only_a_stub
from course_utils.edits import slip
from course_utils.lessons.what_cannot_be_cropped.layer import EveryState, Gated, advance
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.decoders import CORRECT, Exam
from course_utils.proofs.enumeration import Distribution, distribution_distance


def _window(seed: int, n: int, begun: bool = True) -> tuple[np.ndarray, ...]:
    """A state (3, 2), and gates, keys, values and queries of n tokens."""
    rng = np.random.default_rng(seed)
    parts = rng.uniform(0.5, 1, n), *(rng.normal(size=(n, size)) for size in (3, 2, 3))
    return begun * rng.normal(size=(3, 2)), *parts


UPDATE = "        state = gate * state + np.outer(key, value)\n"
check_advance = Exercise(
    "advance",
    cases=[_window(0, 1, begun=False), _window(1, 3, begun=False), _window(2, 4)],
    solution=advance,
    parts=("outputs", "states"),
    must_not_mutate=True,
    mistakes={
        "You begin with an empty state. A window follows a text: go on from `state`.": (
            "outputs, states = [], []", "outputs, states, state = [], [], 0 * state"
        ),
        "You read a token's output before the token is in the state. Its own key and value belong "
        "to what it sees.": (
            (UPDATE, ""), ("        states.append(state)", UPDATE + "        states.append(state)"),
        ),
        "Your gate also shrinks the new key and value. It is for what was there before.": (
            "gate * state + np.outer(key, value)", "gate * (state + np.outer(key, value))"
        ),
        "The gate is missing: S becomes g S + k vᵀ.": ("gate * state", "state"),
        "That is the last state only. Keep the state after each token: (n, K, V).": (
            "np.array(states)", "state"
        ),
        "All your states are the last one: the list holds one array many times, which `+=` or "
        "`*=` overwrites. Append a copy.": (
            "return np.array(outputs), np.array(states)",
            "return np.array(outputs), np.array([state for _ in states])",
        ),
    },
    describe_case=lambda state, gates, *rest: f"a window of {len(gates)} tokens",
    insight="A state per position: any of them can be gone back to.",
)  # fmt: skip


class CopyAndReplay:
    """A session: a copy of the state from before the last window, and what was read since."""

    def __init__(self, model):
        self.model, self.tokens, self.state = model, [], model.empty()
        self.copy, self.held = model.empty(), 0  # a state, and how many tokens it holds

    @property
    def length(self):
        return len(self.tokens)

    def extend(self, tokens):
        self.copy, self.held = self.state.copy(), self.length
        self.tokens += tokens
        return self.model.read(self.state, tokens)

    def rollback(self, length):
        accepted = self.tokens[self.held : length]
        self.state, self.tokens = self.copy.copy(), self.tokens[:length]
        self.model.read(self.state, accepted)


def _slipped(method: str, *edits: tuple[str, str]) -> type:
    """The session with a slip in one method."""
    wrong = slip(getattr(CopyAndReplay, method), *edits)
    return type("Slipped", (CopyAndReplay,), {method: wrong})


WINDOW, READS, BACK, TWICE, TEXT = (
    "the rows of a window", "a rollback: the length, passes and positions read",
    "the rows after a rollback", "the rows after two rollbacks",
    "the text of a whole decoder: its distance from the target's",
)  # fmt: skip
COPY, REPLAY = "self.copy.copy()", "self.model.read(self.state, accepted)"
WHOLE_TEXT = (REPLAY, "self.model.read(self.state, self.tokens)")


def _exam(session) -> Exam:
    return Exam(Gated(3, session=session), RowPerText(3, seed=1), gamma=2, length=3)


@cache
def _truth() -> Distribution:
    return _exam(EveryState).truth()


def _asked(attempt, what: str) -> object:
    if not isinstance(attempt, type):  # no class: whatever it answers is no session
        return attempt(None, None)
    if only_a_stub(attempt.extend if what == WINDOW else attempt.rollback):
        return ...
    if what == TEXT:
        return round(distribution_distance(_exam(attempt).distribution(CORRECT), _truth()), 9)
    model = Gated(6, session=attempt)
    session = model.start([0, 3, 1, 4])
    rows = session.extend([2, 2, 5, 0])
    if what == WINDOW:
        return rows
    read = model.passes, model.positions
    session.rollback(6)
    if what == READS:
        return session.length, model.passes - read[0], model.positions - read[1]
    if what == TWICE:
        session.rollback(5)
    return session.extend([1, 5])


check_session = Exercise(
    "session",
    cases=[(WINDOW,), (READS,), (BACK,), (TWICE,), (TEXT,)],
    solution=CopyAndReplay,
    call=_asked,
    mistakes={
        "The guesses are in your copy. Take it before you read, by `.copy()`: `read` overwrites "
        "the state itself.": _slipped("extend", ("self.state.copy()", "self.state")),
        "The second rollback fails: you handed the copy itself on, and the replay has overwritten "
        "it. Hand on a copy of it.": _slipped("rollback", (COPY, "self.copy")),
        "The accepted tokens are missing: after the copy is back, read those again that were "
        "accepted since.": _slipped("rollback", (REPLAY, "pass")),
        "You replay the whole text onto a copy that holds most of it already. Read from `held` to "
        "`length` only.": _slipped("rollback", WHOLE_TEXT),
        "You replay the rejected guesses as well: stop at `length`.": _slipped(
            "rollback", ("self.held : length", "self.held :")
        ),
        "Right rows, but you read the whole text again, from an empty state. That is what the copy "
        "saves you.": _slipped("rollback", (COPY, "self.model.empty()"), WHOLE_TEXT),
    },
    describe_case=lambda what: f"{what}:",
    insight="One copy and one more pass per rejection, whatever the length of the text.",
)
