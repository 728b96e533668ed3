"""Score a text again: one token at a time, k at a time, or by the calls of a run.

Scoring a text again in the same way on the same machine gives the same bits.  In another way it
gives the same logits up to rounding, unless the model has a fault.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Draft, LanguageModel, Round, Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.sessions import catch_up, forward, rollback_rejected


@dataclass(frozen=True)
class Rounding:
    """The largest effect of rounding on a row, between one-token and longer passes."""

    mean: float  # mean TV of the rows of p, over a text
    largest: float  # largest TV
    logits: float  # change of the likeliest token's lead


# Measured on the trained pair: float32 6e-7, 3e-6, 2e-5; bfloat16 0.007, 0.05, 0.2.  Larger
# models round more.
ROUNDING = {
    "float64": Rounding(1e-12, 1e-9, 1e-9),
    "float32": Rounding(1e-5, 1e-3, 0.01),
    "float16": Rounding(0.005, 0.05, 0.2),
    "bfloat16": Rounding(0.03, 0.2, 1.0),
}


def number_format(target: LanguageModel) -> str:
    """Return the target's format: "float64" for tables, else the name of its dtype.

    A format that is not in `ROUNDING` counts as float32, whose limits are stricter.
    """
    name = str(getattr(target, "dtype", "float64")).removeprefix("torch.")
    return name if name in ROUNDING else "float32"


def score(target: LanguageModel, prompt: Sequence[int], tokens: Sequence[int], k: int = 1) -> Rows:
    """Return logits (len(tokens), vocabulary) for each of `tokens`, from passes of k rows.

    k = 1 equals decoding without a drafter, to the last bit.

    Raises:
        ValueError: an empty prompt, or no tokens.
    """
    if not prompt or not tokens:
        raise ValueError("there is nothing to score: give a prompt and the tokens after it")
    session, rows = target.start(prompt[:-1]), []
    for start in range(0, len(tokens), k):
        text = [*prompt, *tokens[: min(start + k, len(tokens)) - 1]]
        rows.append(catch_up(session, text, session.length))
    return namespace(rows[0]).concat(rows)


def score_again(
    target: LanguageModel, prompt: Sequence[int], rounds: Iterable[Round]
) -> list[tuple[int, Rows]]:
    """Return (rows in its pass, its logits) of each emitted token, from the rounds' passes."""
    session, text, scored = target.start(prompt[:-1]), list(prompt), []
    for r in rounds:
        draft = Draft(r.drafted, r.q, r.parents)
        logits = forward(session, [text[-1], *r.drafted], r.parents)
        scored += [(len(logits), logits[at]) for at in rows_of_the_text(r)]
        rollback_rejected(session, len(text), draft, r.verdict, len(r.emitted) - 1)
        text += r.emitted
    return scored


def rows_of_the_text(r: Round) -> list[int]:
    """Return the rows of a round's pass that judged its emitted tokens, in order."""
    path = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    return [0, *(place + 1 for place in path)][: len(r.emitted)]


def below(row: Rows, token: int) -> float:
    """Return how far `token` is below the largest logit: [1., 3., 2.], 2 -> 1.0"""
    return float(row.max()) - float(row[token])


def largest_change(alone: Rows, among: Rows) -> float:
    """Return the largest change of the likeliest token's lead; rows (n, vocabulary)."""
    xp = namespace(alone)
    leaders = xp.argsort(alone, axis=-1, descending=True)[:, :2]
    before, after = (
        two[:, 0] - two[:, 1]
        for two in (xp.take_along_axis(rows, leaders, axis=-1) for rows in (alone, among))
    )
    # the lead over an impossible token is infinite in both: no change
    return float(xp.where(before == after, 0.0, xp.abs(after - before)).max())
