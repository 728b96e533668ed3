"""A run, one round at a time: drafted, scored in one pass, judged guess by guess, corrected.

`run_data` is the data of the scene *round*: JSON, each piece of text once, rounded numbers.
Drafts are chains; lesson 10 has a scene for trees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, Html, pieces
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import residual, without

LIKELIEST = 5  # entries shown of a distribution
LEAST = 0.005  # less likely tokens would show as 0.00 and are left out


@dataclass(frozen=True)
class Guess:
    """One drafted token and its fate."""

    text: str
    q: float
    p: float
    uniform: float
    fate: str  # "accepted", "rejected" or "not examined"


def guesses(r: Round, decode: Decode) -> tuple[Guess, ...]:
    """Return the fate of each drafted token; q is 1 if the draft was deterministic."""
    fates = ["accepted"] * r.verdict.accepted + ["rejected"] + ["not examined"] * len(r.drafted)
    return tuple(
        Guess(
            text,
            1.0 if r.q is None else float(r.q[i, x]),
            float(r.p[i, x]),
            float(r.uniforms[i]),
            fates[i],
        )
        for i, (x, text) in enumerate(zip(r.drafted, pieces(r.drafted, decode), strict=True))
    )


def by_uniforms(rounds: Sequence[Round]) -> bool:
    """Does u < p/q, token by token, explain which guesses each verdict accepted?"""

    def accepted(r: Round) -> int:
        for i, x in enumerate(r.drafted):
            ratio = r.p[i, x] if r.q is None else r.p[i, x] / r.q[i, x]
            if not r.uniforms[i] < float(ratio):
                return i
        return len(r.drafted)

    return all(accepted(r) == r.verdict.accepted for r in rounds)


def likeliest(row: Rows, decode: Decode, token: int | None) -> dict[str, Any]:
    """Return the likeliest tokens of `row`, (vocabulary,), and the index of `token` among them.

    If `token` is not one of them, it is added last.
    """
    (likely,) = namespace(row).nonzero(row >= LEAST)  # never convert a whole vocabulary to a list
    best = sorted(likely.tolist(), key=lambda x: -float(row[x]))[:LIKELIEST]
    if token is not None and token not in best:
        best = [*best[: LIKELIEST - 1], token]
    top = [[decode([x]), round(float(row[x]), 3)] for x in best]
    return {"top": top, "marked": None if token is None else best.index(token)}


def run_data(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None,
    between: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Return all rounds of a run as JSON; arguments as in `stepper`.

    Returns:
        dict: {"prompt", "between", "details": the arguments, "pieces": the text that each emitted
        token adds, "uniforms": does u < p/q decide, "greedy": is the likeliest token always taken,
        "rounds": one dict per round}.
    """
    uniforms = by_uniforms(rounds)
    # draft and target both took their likeliest token, so no uniform mattered
    certain = [guess.q == 1 and guess.p in (0, 1) for r in rounds for guess in guesses(r, decode)]
    greedy = uniforms and bool(certain) and all(certain)
    per_round = [_round(r, decode, uniforms) for r in rounds]
    start = 0
    for i, r in enumerate(rounds):
        per_round[i]["start"] = start  # pieces before it
        start += len(r.emitted)
        if details:
            # the distribution of the last token; None: another rule drew it, or it was accepted
            drawn = uniforms and not greedy and r.accepted < len(r.emitted)
            per_round[i]["drawn"] = (
                likeliest(_last_distribution(r), decode, r.emitted[-1]) if drawn else None
            )
            target = (r.cache_before, r.cache_after)  # tokens before and after the round
            per_round[i]["caches"] = {"target": target, "draft": _draft_cache(rounds[: i + 1])}
    return {
        "prompt": prompt,
        "between": between,
        "pieces": pieces([token for r in rounds for token in r.emitted], decode),
        "uniforms": uniforms,
        "greedy": greedy,
        "details": details,
        "rounds": per_round,
    }


def _round(r: Round, decode: Decode, uniforms: bool) -> dict[str, Any]:
    # a stop token was accepted: accepted tokens after it are not used
    stopped = all(kind == "accepted" for kind in r.kinds)
    rows = [likeliest(r.p[i], decode, x) for i, x in enumerate(r.drafted)]
    return {
        "context": r.context,  # committed tokens before it, prompt included
        "certain": r.q is None,  # deterministic draft, such as a lookup: no rows q
        "guesses": [
            _guess(guess, uniforms, lost=stopped and i >= len(r.emitted))
            for i, guess in enumerate(guesses(r, decode))
        ],
        "rows": [*rows, likeliest(r.p[-1], decode, None)],  # the target's
        "emitted": pieces(r.emitted, decode),
        "kinds": list(r.kinds),  # of the emitted tokens
    }


def _guess(guess: Guess, uniforms: bool, lost: bool) -> dict[str, Any]:
    """`bar` is min(1, p/q), which the uniform must stay below; None under another rule."""
    ratio = guess.p / guess.q if uniforms and guess.q > 0 else None
    return {
        "text": guess.text,
        "q": short(guess.q),
        "p": short(guess.p),
        "u": short(guess.uniform),
        "ratio": None if ratio is None else short(ratio),
        "bar": None if ratio is None else short(min(1.0, ratio)),
        "fate": "lost" if lost or guess.fate == "not examined" else guess.fate,
    }


def _last_distribution(r: Round) -> Rows:
    """Return the distribution of the correction or the bonus."""
    i = r.verdict.accepted
    if i == len(r.drafted):
        return r.p[i]
    return without(r.p[i], r.drafted[i]) if r.q is None else residual(r.p[i], r.q[i])


def _draft_cache(rounds: Sequence[Round]) -> tuple[int, int, int] | None:
    """Return the draft cache before the last round, after drafting, after the rollback.

    None if no model drafted.  The draft has read all of its guesses but the last.
    """
    drafted = [r for r in rounds if r.q is not None and r.drafted]
    if not drafted or drafted[-1] is not rounds[-1]:
        return None
    read = [r.context + len(r.drafted) - 1 for r in drafted]
    left = [min(n, r.context + r.accepted) for n, r in zip(read, drafted, strict=True)]
    return [0, *left][-2], read[-1], left[-1]


def short(value: float) -> float:
    """Round to six digits, enough that u stays on its side of p/q.

    >>> short(0.79609735381829)
    0.796097
    """
    return float(f"{value:.6g}")


def stepper(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None,
    between: str = "", paper: Html | None = None,
) -> Scene:  # fmt: skip
    """Return the scene *round*: → steps forward, and nothing is shown before its step.

    Args:
        rounds: of one run of `generate(..., rows=True)`, from its first round on.
        decode: token ids to text.
        details: also show the residual and the caches, for readers who know them.
        prompt: its text; None: the word *prompt* is shown in its place.
        between: the text between two tokens: " " if each token is a word.
        paper: as in `Scene`.

    Raises:
        ValueError: no rounds, or drafts are trees.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: pass the rounds of a run as a list")
    if any(r.parents is not None for r in rounds):
        raise ValueError("these drafts are trees: use lesson 10's tree_scene")
    data = run_data(rounds, decode, details, prompt, between)
    judged = "which guesses are accepted" if data["greedy"] else "the uniform of each guess"
    alt = (
        f"A run of {len(rounds)} round{'s' * (len(rounds) > 1)}, step by step: what was drafted, "
        f"what one pass of the target gave, {judged} and what the round added to the text"
    )
    return Scene("round", data, alt, paper)
