"""The rows of a text once more: one token at a time, k at a time, or by a run's own calls.

Scoring a text again in the same way on the same machine gives the same bits.  In another
way it gives the same logits but for rounding, or the model has a fault.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Draft, LanguageModel, Round, Rows
from course_utils.decoding.loop import catch_up, forward, rollback_rejected
from course_utils.decoding.rows import namespace


@dataclass(frozen=True)
class Rounding:
    """How far rounding can move a row between a pass over one token and one over several."""

    mean: float  # TV of the rows of p, over a text
    largest: float  # TV
    logits: float  # of the lead of the likeliest token


# Measured on the trained pair: float32 6e-7, 3e-6, 2e-5; bfloat16 0.007, 0.05, 0.2.  Larger
# models round more.
ROUNDING = {
    "float64": Rounding(1e-12, 1e-9, 1e-9),
    "float32": Rounding(1e-5, 1e-3, 0.01),
    "float16": Rounding(0.005, 0.05, 0.2),
    "bfloat16": Rounding(0.03, 0.2, 1.0),
}


def number_format(target: LanguageModel) -> str:
    """In which the target computes: "float64" for tables, else its dtype's name.

    A format that is not in `ROUNDING` is taken for float32, which must explain more.
    """
    name = str(getattr(target, "dtype", "float64")).removeprefix("torch.")
    return name if name in ROUNDING else "float32"


def score(target: LanguageModel, prompt: Sequence[int], tokens: Sequence[int], k: int = 1) -> Rows:
    """Logits (len(tokens), vocabulary) for each of `tokens`, from passes of k rows.

    k = 1 is what decoding without a drafter computes, to the last bit.

    Raises:
        ValueError: an empty prompt, or no tokens.
    """
    if not prompt or not tokens:
        raise ValueError("nothing to score: give a prompt and the tokens that follow it")
    session, rows = target.start(prompt[:-1]), []
    for start in range(0, len(tokens), k):
        text = [*prompt, *tokens[: min(start + k, len(tokens)) - 1]]
        rows.append(catch_up(session, text, session.length))
    return namespace(rows[0]).concat(rows)


def score_again(
    target: LanguageModel, prompt: Sequence[int], rounds: Iterable[Round]
) -> list[tuple[int, Rows]]:
    """(rows in its pass, its logits) of each emitted token, from the passes of the rounds."""
    session, text, scored = target.start(prompt[:-1]), list(prompt), []
    for r in rounds:
        draft = Draft(r.drafted, r.q, r.parents)
        logits = forward(session, [text[-1], *r.drafted], r.parents)
        scored += [(len(logits), logits[at]) for at in rows_of_the_text(r)]
        rollback_rejected(session, len(text), draft, r.verdict, len(r.emitted) - 1)
        text += r.emitted
    return scored


def rows_of_the_text(r: Round) -> list[int]:
    """Which rows of a round's pass its emitted tokens were judged by, in their order."""
    path = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    return [0, *(place + 1 for place in path)][: len(r.emitted)]


def below(row: Rows, token: int) -> float:
    """How far `token` is below the largest logit: [1., 3., 2.], 2 -> 1.0"""
    return float(row.max()) - float(row[token])


def largest_change(alone: Rows, among: Rows) -> float:
    """Return the largest change of the likeliest token's lead; rows (n, vocabulary)."""
    xp = namespace(alone)
    leaders = xp.argsort(alone, axis=-1, descending=True)[:, :2]
    before, after = (
        two[:, 0] - two[:, 1]
        for two in (xp.take_along_axis(rows, leaders, axis=-1) for rows in (alone, among))
    )
    # an impossible second has an infinite lead over it in both: no change
    return float(xp.where(before == after, 0.0, xp.abs(after - before)).max())
