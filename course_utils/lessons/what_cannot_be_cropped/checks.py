"""Checks of this elective: a layer over a window, a session by a copy and replay, and its price."""

from functools import cache

import numpy as np

from course_utils.classroom.exercise import Exercise, only_a_stub
from course_utils.edits import slip
from course_utils.lessons.what_cannot_be_cropped.layer import EveryState, Gated, advance
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.decoders import CORRECT, Exam
from course_utils.proofs.enumeration import Distribution, distribution_distance

# ------------------------------------------------------------------ the layer


def _window(seed: int, n: int, begun: bool = True) -> tuple[np.ndarray, ...]:
    """A state (3, 2), and gates, keys, values and queries of n tokens."""
    rng = np.random.default_rng(seed)
    parts = rng.uniform(0.5, 1, n), *(rng.normal(size=(n, size)) for size in (3, 2, 3))
    return begun * rng.normal(size=(3, 2)), *parts


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
            ("        state = gate * state + np.outer(key, value)\n", ""),
            (
                "        states.append(state)",
                "        state = gate * state + np.outer(key, value)\n        states.append(state)",
            ),
        ),
        "Your gate also shrinks the new key and value. It is for what was there before.": (
            "gate * state + np.outer(key, value)", "gate * (state + np.outer(key, value))"
        ),
        "The gate is missing: S becomes g S + k vᵀ.": ("gate * state", "state"),
        "You read with the key. Outputs are Sᵀ q.": ("state.T @ query", "state.T @ key"),
        "That is the last state only. Keep the state after each token: (n, K, V).": (
            "np.array(states)", "state"
        ),
        "All your states are the last one: the list holds one array many times, which `+=` or "
        "`*=` overwrites. Append a copy.": (
            "return np.array(outputs), np.array(states)",
            "return np.array(outputs), np.array([state for _ in states])",
        ),
        "Each state stands one place too early: keep it after its token is in.": (
            ("outputs, states = [], []", "outputs, states, before = [], [], state"),
            ("np.array(states)", "np.array([before, *states[:-1]])"),
        ),
    },
    describe_case=lambda state, gates, *rest: f"a window of {len(gates)} tokens",
    insight="A state per position: any of them can be gone back to.",
)  # fmt: skip

# ------------------------------------------------------------------ a copy and replay


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
    """A session with a slip in one method."""
    wrong = slip(getattr(CopyAndReplay, method), *edits)
    return type("Slipped", (CopyAndReplay,), {method: wrong})


COPY, REPLAY = "self.copy.copy()", "self.model.read(self.state, accepted)"
ALL_READ = (REPLAY, "self.model.read(self.state, self.tokens)")
TEXT, WINDOW, NEXT = [0, 3, 1, 4], [2, 2, 5, 0], [1, 5]
BEHIND, BACK, TWICE, EXACT = (
    "the rows after a window", "the rows after a rollback", "the rows after two rollbacks",
    "the text's distribution",
)  # fmt: skip
READ = "what a rollback reads"


def _exam(session) -> Exam:
    return Exam(Gated(3, session=session), RowPerText(3, seed=1), gamma=2, length=3)


@cache
def _truth() -> Distribution:
    return _exam(EveryState).truth()


def _asked(attempt, what: str) -> object:
    """Rows, [length, passes, positions], or the distance of a whole decoder."""
    if not isinstance(attempt, type):  # no class: whatever it answers is no session
        return attempt(None, None)
    if what != BEHIND and only_a_stub(attempt.rollback):
        return ...
    if what == EXACT:
        off = distribution_distance(_exam(attempt).distribution(CORRECT), _truth())
        return [0.0 if off < 1e-12 else off]
    model = Gated(6, session=attempt)
    session = model.start(TEXT)
    rows = session.extend(WINDOW)
    if rows is not None and session.length != len(TEXT + WINDOW):
        return f"After 8 tokens your session holds {session.length}: `extend` adds to `tokens`."
    if what == BEHIND:
        return ... if rows is None and only_a_stub(attempt.extend) else rows
    read = model.passes, model.positions
    session.rollback(6)
    if what == READ:
        return [session.length, model.passes - read[0], model.positions - read[1]]
    if what == TWICE:
        session.rollback(5)
    return session.extend(NEXT)


def _told(answer: object, what: str) -> str | None:
    if what == EXACT:
        return f"the text has another distribution than the target's: TV {answer[0]:.3f}."
    if what == READ:
        length, passes, positions = answer
        return (
            f"your session says that it holds {length} tokens, and has read {positions} in "
            f"{passes} passes; 6 tokens are left, 2 of them since the copy."
        )
    return "they are not those of the whole text read at once."


check_session = Exercise(
    "session",
    cases=[(BEHIND,), (READ,), (BACK,), (TWICE,), (EXACT,)],
    solution=CopyAndReplay,
    call=_asked,
    validate=lambda answer, what: answer if isinstance(answer, str) else None,
    mistakes={
        "The guesses are in your copy. Take it before you read, by `.copy()`: `read` overwrites "
        "the state itself.": _slipped("extend", ("self.state.copy()", "self.state")),
        "The second rollback fails: you handed the copy itself on, and the replay has overwritten "
        "it. Hand on a copy of it.": _slipped("rollback", (COPY, "self.copy")),
        "The accepted tokens are missing: after the copy is back, read those again that were "
        "accepted since.": _slipped("rollback", (REPLAY, "pass")),
        "You replay the whole text onto a copy that holds most of it already. Read from `held` to "
        "`length` only.": _slipped("rollback", ALL_READ),
        "You replay the rejected guesses as well: stop at `length`.": _slipped(
            "rollback", ("self.held : length", "self.held :")
        ),
        "Right rows, but you read the whole text again, from an empty state. That is what the copy "
        "saves you.": _slipped("rollback", (COPY, "self.model.empty()"), ALL_READ),
        "Only the tokens are cut; the rejected ones are still in the state.": _slipped(
            "rollback", (COPY, "self.state"), (REPLAY, "pass")
        ),
    },
    describe_case=lambda what: f"{what}:",
    explain=_told,
    insight="One copy and one more pass per rejection, whatever the length of the text.",
)  # fmt: skip

# ------------------------------------------------------------------ the bill


def bill(config, alpha, gamma):
    """-> (bytes of the states, bytes that a token adds,
    target passes per round)"""
    kinds = config["layer_types"]
    head = config["linear_key_head_dim"] * config["linear_value_head_dim"] * 4
    state = config["linear_num_value_heads"] * head
    token = config["num_key_value_heads"] * config["head_dim"] * 2 * 2
    states = kinds.count("linear_attention") * state
    return states, kinds.count("full_attention") * token, 2 - alpha**gamma


QWEN3_NEXT = {  # REFERENCES.md: transformers, the defaults of Qwen3NextConfig
    "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 12,
    "linear_num_value_heads": 32, "linear_key_head_dim": 128, "linear_value_head_dim": 128,
    "num_key_value_heads": 2, "head_dim": 256,
}  # fmt: skip
SMALL = {
    "layer_types": ["linear_attention", "linear_attention", "full_attention"],
    "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 16,
    "num_key_value_heads": 1, "head_dim": 32,
}  # fmt: skip
STATES, TOKEN, PASSES = "bytes of the states", "bytes of a token", "passes per round"


check_bill = Exercise(
    "bill",
    cases=[(QWEN3_NEXT, 0.8, 4), (SMALL, 0.5, 2), (SMALL, 0.9, 1)],
    solution=bill,
    parts=(STATES, TOKEN, PASSES),
    mistakes={
        "States are kept in float32: 4 bytes a number.": (
            'config["linear_value_head_dim"] * 4', 'config["linear_value_head_dim"] * 2'
        ),
        "That is one layer's state. Every linear layer has one.": (
            'kinds.count("linear_attention") * state', "state"
        ),
        "You count all layers. Those with full attention have no state.": (
            'kinds.count("linear_attention")', "len(kinds)"
        ),
        "A state is a matrix per head: key size times value size.": (
            ' * config["linear_value_head_dim"] * 4', " * 4"
        ),
        "One head's state. Multiply by the heads.": (
            'config["linear_num_value_heads"] * head', "head"
        ),
        "Count keys and values: two vectors per head.": (
            'config["head_dim"] * 2 * 2', 'config["head_dim"] * 2'
        ),
        "Only the layers with full attention add keys and values.": (
            'kinds.count("full_attention") * token', "len(kinds) * token"
        ),
        "Not every round has a rejection: with all γ guesses accepted nothing is replayed.": (
            "2 - alpha**gamma", "2"
        ),
        "You replay in the rounds without a rejection. It is the others that need it.": (
            "2 - alpha**gamma", "1 + alpha**gamma"
        ),
        "If the first guess is rejected there is a replay, too: of the window's first token.": (
            "2 - alpha**gamma", "1 + alpha - alpha**gamma"
        ),
        "That is the chance that the first guess is rejected. Any of the γ may be.": (
            "2 - alpha**gamma", "2 - alpha"
        ),
        "That is only the replay. The window is read, too.": (
            "2 - alpha**gamma", "1 - alpha**gamma"
        ),
    },
    describe_case=lambda config, alpha, gamma: (
        f"{len(config['layer_types'])} layers, α = {alpha:g}, γ = {gamma}"
    ),
    insight="A copy costs the same for a short text and a long one.",
)  # fmt: skip
