"""Checks of this elective: the rows that a head defines, and the runs that served others."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import overlap

# --- the oracle: each guess worked out again -------------------------------------------

# (token, state) -> (the next state, q (V,))
Step = Callable[[int, np.ndarray], tuple[np.ndarray, np.ndarray]]

_RNG = np.random.default_rng(11)
_READ, _TURN, _SAY = (_RNG.normal(size=shape) for shape in ((5, 3), (3, 3), (3, 5)))
_STATES = _RNG.normal(size=(12, 3))  # the target's, after each token of a text


def small_step(token: int, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A head of three numbers."""
    new = np.tanh(_READ[token] + state @ _TURN)
    row = np.exp(new @ _SAY)
    return new, row / row.sum()


def defined_rows(
    step: Step, states: np.ndarray, text: Sequence[int], guesses: Sequence[int]
) -> list[np.ndarray]:
    """The head's row for each guess behind `text`: one true state, then its own."""
    state, token, rows = states[len(text) - 2], text[-1], []
    for guess in guesses:
        state, q = step(token, state)
        rows.append(q)
        token = guess
    return rows


def _rows_of(attempt: Callable, text: Sequence[int], guesses: Sequence[int]) -> object:
    return attempt(small_step, _STATES[: len(text) - 1].copy(), [*text], [*guesses])


def _as_rows(answer: object, text: Sequence[int], guesses: Sequence[int]) -> str | None:
    if np.shape(answer) != (len(guesses), 5):
        return (
            f"Return a row of q for each of the {len(guesses)} guesses. Yours has the shape "
            f"{np.shape(answer)}, not {(len(guesses), 5)}."
        )
    return None


def _row_told(answer: object, text: Sequence[int], guesses: Sequence[int]) -> str:
    """The first row that is wrong, and what the head should have read for it."""
    pairs = [*zip(answer, _rows_of(defined_rows, text, guesses), strict=True)]
    i = next(i for i, pair in enumerate(pairs) if not np.allclose(*pair))
    read = f"{guesses[i - 1]} and the head's own state of the step before"
    if i == 0:
        read = f"{text[-1]} and states[{len(text) - 2}]"
    given, right = ([round(float(x), 2) for x in row] for row in pairs[i])
    return f"row {i} of the answer is {right}, from token {read}, not {given}."


check_defined_rows = Exercise(
    "defined_rows",
    cases=[((3, 1, 4), (2,)), ((0, 2), (4, 4, 1)), ((2, 0, 4, 1, 3), (3, 0, 0, 2))],
    right=defined_rows,
    ask=_rows_of,
    form=_as_rows,
    mistakes={
        "You begin with a state that is one too early. The target has processed all of the text "
        "but its last token: the newest true state is states[-1].": (
            "states[len(text) - 2]", "states[len(text) - 3]"
        ),
        "The last token of the text has no state yet: there are len(text) - 1 of them, and the "
        "newest is states[-1].": ("len(text) - 2", "len(text) - 1"),
        "The first token that the head reads is the text's last one, which the target has not "
        "processed yet. You begin with the first guess.": (
            ("step(token, state)", "step(guess, state)"),
        ),
        "Beside the newest true state goes the token AFTER it. You feed the token whose state it "
        "is.": ("text[-1]", "text[-2]"),
        "You give the head a true state at each guess. When it drafts it has only the first, and "
        "after that its own.": ("state, q = step(token, state)", "_, q = step(token, state)"),
        "A head reads what it has guessed: feed `guess` next. You feed the text's last token again "
        "and again.": ("token = guess", "pass"),
        "You feed the head's likeliest token. The run has drawn another: feed what was guessed.": (
            "token = guess", "token = int(np.argmax(q))"
        ),
        "The rows are one late: the first row is the one from which the first guess was drawn.": (
            ("rows.append(q)", "rows.append(step(guess, state)[1])"),
        ),
    },
    shown=lambda text, guesses: f"text = {list(text)}, guesses = {list(guesses)}",
    told=_row_told,
    insight="One true state, then its own: what unrolled training learns is what is served.",
)  # fmt: skip


# --- which of the runs is broken --------------------------------------------------------

Run = dict[str, object]


def broken_runs(runs: dict[str, Run]) -> list[str]:
    """Names of the runs of which a row that was served is not the one that the head defines."""

    def apart(run):
        return np.abs(run["served"] - run["defined"]).sum(-1).max() / 2

    return [name for name, run in runs.items() if apart(run) > 0.001]


def _run(seed: int, good: float, wrong: Callable, same_text: bool = True, off: float = 0.01) -> Run:
    """Three rows of p; a head that is right by a share `good`; wrong(rows) is what was served.

    Its baseline was recorded as it is served here, but for `off`.
    """
    rng = np.random.default_rng(seed)
    p, other = rng.dirichlet(np.full(4, 0.5), (2, 3))
    defined = good * p + (1 - good) * other
    served = wrong(defined) + 4e-4 * np.array([1, 1, -1, -1])  # rounding, at its worst
    baseline = overlap(p, served).mean() + off
    return {
        "same text": same_text, "p": p, "served": served, "defined": defined,
        "baseline": round(float(baseline), 2),
    }  # fmt: skip


def _one_flatter(rows: np.ndarray) -> np.ndarray:
    """The last row is served a little too flat: its likeliest token stays the likeliest."""
    flat = np.sqrt(rows[-1])
    return np.concatenate([rows[:-1], flat[None] / flat.sum()])


def _sharper(rows: np.ndarray) -> np.ndarray:
    """All rows are served too sure, as if a norm were applied twice."""
    return rows**2 / (rows**2).sum(-1, keepdims=True)


def _h() -> Run:
    """One row is off by 0.0015 and no other by anything; Σmin stays the same."""
    p, defined = np.tile([[[0.4, 0.3, 0.2, 0.1]], [[0.3, 0.2, 0.3, 0.2]]], (3, 1))
    served = defined + 0.00075 * np.array([[0], [1], [0]]) * [1, -1, 1, -1]
    return {
        "same text": False, "p": p, "served": served, "defined": defined, "baseline": 0.8,
    }  # fmt: skip


_RUNS = {
    "A": _run(1, 1.0, lambda rows: rows, off=-0.01),  # a head that knows p
    "B": _run(10, 0.2, lambda rows: rows, off=0.3),  # the text is hard
    "C": _run(
        3, 0.8, lambda rows: np.roll(rows, 1, axis=-1)
    ),  # its baseline was recorded when it was broken already
    "D": _run(4, 0.8, lambda rows: rows, same_text=False),  # a tie in the target
    "E": _run(5, 0.6, _one_flatter),
    "F": _run(18, 0.0, lambda rows: rows),  # a bad head, served right
    "G": _run(7, 0.5, _sharper),
    "H": _h(),
}

_FAR = "apart(run) > 0.001"  # the piece of the solution that most mistakes have otherwise
_SERVED, _DEFINED = (f'overlap(run["p"], run["{q}"]).mean()' for q in ("served", "defined"))

check_broken_runs = Exercise(
    "broken_runs",
    cases=[(_RUNS,), ({k: _RUNS[k] for k in "ABFG"},), ({k: _RUNS[k] for k in "ECDH"},)],
    right=broken_runs,
    mistakes={
        "A baseline is what was measured once. If the head was served wrongly then, the defect is "
        "the baseline: C passes for ever, and B fails for a harder text. Compare with what the "
        "head defines.": (_FAR, f'{_SERVED} < run["baseline"] - 0.02'),
        "The rule corrects whatever is guessed, so a broken run may say the right text. Another "
        "text, as in D, is another class of fault.": (_FAR, 'not run["same text"]'),
        "A low acceptance may be a bad head, or a hard text, served as it should be. A fault is "
        "the difference from what the head defines.": (_FAR, f"{_SERVED} < 0.5"),
        "Other rows may overlap with p as much as the right ones, or more: G is served too sure, "
        "and its Σmin is as large as it should be. Compare the rows themselves.": (
            (_FAR, f"{_SERVED} < {_DEFINED} - 0.02")
        ),
        "The likeliest token may be the right one in a row that is wrong. Compare the whole "
        "rows.": (_FAR, '(run["served"].argmax(-1) != run["defined"].argmax(-1)).any()'),
        "You find none. (Do your differences cancel? Two rows both sum to 1: take absolute values "
        "before you sum.)": ("np.abs(", "("),
        "That is how far q is from p: a bad head is far, and no fault. Compare the rows that were "
        "served with those that the head defines.": ('run["defined"]', 'run["p"]'),
        "Rounding alone moves rows of the runs A to G by 0.0008 (total variation: half the sum "
        "over one row). Allow 0.001.": (_FAR, "apart(run) > 0"),
        "H is served wrongly: its second row is off by 0.0015 (total variation), the others by "
        "nothing. Take the largest of the rows, each summed over the vocabulary, and compare it "
        "with 0.001. Text, p and baseline do not enter.": (".max() / 2", ".mean() / 2"),
        "The wrong way round: these are the runs that are served as they should be.": (
            (_FAR, "apart(run) <= 0.001")
        ),
        "Either of the two alarms is not better than the right one: the baseline brings its false "
        "alarms with it.": (_FAR, f'{_FAR} or {_SERVED} < run["baseline"] - 0.02'),
    },
    form=lambda answer, runs: (
        None if isinstance(answer, list | tuple | set) else "Return a list of names."
    ),
    same=lambda given, right: sorted(given) == sorted(right),
    shown=lambda runs: f"the runs {', '.join(runs)}",
    insight="The oracle needs no record: what a head should serve is computed.",
)  # fmt: skip
