"""The check of the student's own mutant: it passes three tests, and the fourth finds it."""

from collections.abc import Callable, Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, acceptance_shown, exam

EXACT = 1e-12  # a smaller distance is the rounding of a sum
LEAST = 0.01  # TV that the fourth exam has to find; the residual of row 0 has 0.013

FULL, LOG, PAIR, ONE = (
    "the exam with context and two drafted tokens", "the log",
    "the test on one fixed pair", "the exam with one drafted token",
)  # fmt: skip
EXAMS = {
    FULL: exam(gamma=2, length=3),
    LOG: exam(gamma=2, length=3),
    PAIR: Exam(
        TableModel.random(3, order=0, seed=0), TableModel.random(3, order=0, seed=1),
        gamma=2, length=3,
    ),
    ONE: exam(gamma=1, length=3),
}  # fmt: skip
WHERE = {
    LOG: "Accept exactly what the token-wise rule accepts, and put the bug elsewhere.",
    PAIR: "All rows are the same row there. Which kind of mistake makes no difference then?",
    ONE: "Your bug needs no second drafted token. Look for one that shows at draft 1 alone.",
}


class _Refused(Exception):
    """What the rule answered instead of (accepted, token), or what is wrong with it."""


def _examined(attempt: Callable, name: str) -> object:
    """What a test finds: the acceptance that a log shows, or a TV; a sentence if nothing can."""

    def verify(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        answer = plain(attempt(p, q, drafted, uniforms))
        if answer is None or answer is ...:
            raise _Refused(answer)
        try:
            accepted, token = map(int, answer)
            whole = [accepted, token] == [*answer]
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not whole:
            raise _Refused("Return two whole numbers: (accepted, token).")
        if not (0 <= accepted <= len(drafted) and 0 <= token < p.shape[-1]):
            raise _Refused(
                f"With {len(drafted)} drafted tokens and {p.shape[-1]} words your rule returned "
                f"({accepted}, {token})."
            )
        return Verdict(accepted, token)

    decoder = Decoder(Rule("yours", verify, False, "an exercise"))
    try:
        if name == LOG:
            return acceptance_shown(EXAMS[name].first_rounds(decoder))
        return EXAMS[name].distance(decoder)
    except _Refused as refused:
        return refused.args[0]


def _as_asked(found: object, name: str) -> str | None:
    """What is still wrong with the mutant, by what the test of that name found."""
    if isinstance(found, str):
        return found
    if name == FULL:
        if found < EXACT:
            return "Your rule is lossless: every text is as likely as it should be. Make it wrong."
        return (
            f"Wrong, but too little: TV {found:.2g} in {name}. Make it {LEAST:g} or more."
            if found < LEAST
            else None
        )
    right = acceptance_shown(EXAMS[name].first_rounds(CORRECT)) if name == LOG else 0.0
    if abs(found - right) < EXACT:
        return None
    off = f"{abs(found - right):.2g}"
    shown = f"acceptance {right:.3f}, off by {off}" if name == LOG else f"TV {off}"
    return f"Wrong as it should be, but {name} finds it: {shown}. {WHERE[name]}"


def residual_of_row_0(
    p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms
) -> tuple[int, int]:
    """Token-wise, but every correction is drawn as if the first draft had been rejected."""
    for i, x in enumerate(drafted):
        if not uniforms[i] < p[i, x] / q[i, x]:
            return i, sample(residual(p[0], q[0]), uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


def _forgets_the_empty_draft(p, q, drafted, uniforms):
    accepted, token = residual_of_row_0(p, q, drafted, uniforms)
    return accepted, sample(p[-2], uniforms[-1]) if accepted == len(drafted) else token


check_slips_through = Exercise(
    "slips_through",
    cases=[(name,) for name in EXAMS],
    right=residual_of_row_0,
    mistakes={
        "You calculate with a uniform. Only compare it, u < p/q and not u * q < p: a rule "
        "that calculates cannot be enumerated.": lambda p, q, drafted, uniforms: uniforms[0] * 1.0,
        "The last round of a text can come with nothing drafted. `p` has one row then, `q` has "
        "none, and the answer is 0 accepted and a token from that row.": _forgets_the_empty_draft,
    },
    insight="Three tests passed, and the text is wrong: a test finds only what can happen in it.",
    ask=_examined,
    form=_as_asked,
    same=lambda found, right: isinstance(found, float),  # `form` has refused the others
    shown=str,
)
