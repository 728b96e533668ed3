"""Checks of this elective: a layer over a window, and a session with copy and replay."""

import numpy as np

from course_utils.classroom.exercise import Exercise, is_stub
from course_utils.lessons.what_cannot_be_cropped.layer import EveryState, Gated, advance
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.decoders import CORRECT, Exam
from course_utils.proofs.enumeration import distribution_distance


def _window(seed: int, n: int, begun: bool = True) -> tuple[np.ndarray, ...]:
    """Return a state (3, 2), and the gates, keys, values and queries of n tokens."""
    rng = np.random.default_rng(seed)
    inputs = rng.uniform(0.5, 1, n), *(rng.normal(size=(n, size)) for size in (3, 2, 3))
    return begun * rng.normal(size=(3, 2)), *inputs


UPDATE = "        state = gate * state + np.outer(key, value)\n"
check_advance = Exercise(
    "advance",
    cases=[_window(0, 1, begun=False), _window(1, 3, begun=False), _window(2, 4)],
    solution=advance,
    parts=("outputs", "states"),
    must_not_mutate=True,
    mistakes={
        "You start from an empty state. A window follows a text: continue from "
        "`state`.": "outputs, states = [], [] → outputs, states, state = [], [], 0 * state",
        "You compute a token's output before you update the state. A token sees its own key and "
        "value.": f"{UPDATE} → "
        f";         states.append(state) → {UPDATE}        states.append(state)",
        "Your gate also shrinks the new key and value. Apply it to the old state "
        "only.": "gate * state + np.outer(key, value) → gate * (state + np.outer(key, value))",
        "The gate is missing: S becomes g S + k vᵀ.": "gate * state → state",
        "You return only the last state. Return the state after each token: (n, K, "
        "V).": "np.array(states) → state",
        "All your states equal the last one: the list has the same array n times, and `+=` or `*=` "
        "overwrites it. Append a copy.": "return np.array(outputs), np.array(states) → "
        "return np.array(outputs), np.array([state for _ in states])",
    },
    describe_case=lambda state, gates, *rest: f"a window of {len(gates)} tokens",
    insight="With a state per position you can roll back to any of them.",
)  # fmt: skip


class CopyAndReplay:
    """A session that rolls back with a copy of the state before the last window, and a replay."""

    def __init__(self, model):
        self.model, self.tokens, self.state = model, [], model.empty()
        self.copy, self.copy_length = model.empty(), 0  # tokens it covers

    @property
    def length(self):
        return len(self.tokens)

    def extend(self, tokens):
        self.copy, self.copy_length = self.state.copy(), self.length
        self.tokens += tokens
        return self.model.read(self.state, tokens)

    def rollback(self, length):
        accepted = self.tokens[self.copy_length : length]
        self.state, self.tokens = self.copy.copy(), self.tokens[:length]
        self.model.read(self.state, accepted)


WINDOW, READS, BACK, TWICE, TEXT = (
    "the rows of a window", "a rollback: the length, the passes and the positions read",
    "the rows after a rollback", "the rows after two rollbacks",
    "the text of a whole decoder: its distance from the target's",
)  # fmt: skip
COPY, REPLAY = "self.copy.copy()", "self.model.read(self.state, accepted)"
WHOLE_TEXT = f"{REPLAY} → self.model.read(self.state, self.tokens)"


def _exam(session) -> Exam:
    return Exam(Gated(3, session=session), RowPerText(3, seed=1), gamma=2, length=3)


def _result(attempt, what: str) -> object:
    if not isinstance(attempt, type):  # not a class, so not a session
        return attempt(None, None)
    if is_stub(attempt.extend if what == WINDOW else attempt.rollback):
        return ...
    if what == TEXT:
        truth = _exam(EveryState).truth()
        return round(distribution_distance(_exam(attempt).distribution(CORRECT), truth), 9)
    model = Gated(6, session=attempt)
    session = model.start([0, 3, 1, 4])
    rows = session.extend([2, 2, 5, 0])
    if what == WINDOW:
        return rows
    before = model.passes, model.positions
    session.rollback(6)
    if what == READS:
        return session.length, model.passes - before[0], model.positions - before[1]
    if what == TWICE:
        session.rollback(5)
    return session.extend([1, 5])


check_session = Exercise(
    "session",
    cases=[(WINDOW,), (READS,), (BACK,), (TWICE,), (TEXT,)],
    solution=CopyAndReplay,
    call=_result,
    mistakes={
        "Your copy contains the guesses. Take it with `.copy()` before you read: `read` overwrites "
        "the state.": "self.state.copy() → self.state",
        "The second rollback fails: you restored the copy itself, and the replay overwrote it. "
        "Restore a copy of the copy.": f"{COPY} → self.copy",
        "The accepted tokens are missing. After you restore the copy, read the accepted tokens "
        "again.": f"{REPLAY} → pass",
        "You replay the whole text, but the copy already covers most of it. Read only from "
        "`copy_length` to `length`.": WHOLE_TEXT,
        "You replay the rejected guesses as well: "
        "stop at `length`.": "self.copy_length : length → self.copy_length :",
        "The rows are right, but you read the whole text again from an empty state. Use the copy "
        "to avoid that.": f"{COPY} → self.model.empty(); {WHOLE_TEXT}",
    },
    describe_case=lambda what: f"{what}:",
    insight="A rejection costs one copy and one more pass, however long the text is.",
)
