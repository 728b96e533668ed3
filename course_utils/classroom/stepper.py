"""A run, one round at a time: drafted, scored at once, judged guess by guess, corrected.

`run_data` is the run as the scene *round* draws it: JSON, each piece of text once, numbers as
they are read.  Its drafts are chains; lesson 10 has a scene for trees.
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
LEAST = 0.005  # what is less likely shows as 0.00: it is left out


@dataclass(frozen=True)
class Guess:
    """One drafted token and what became of it."""

    text: str
    q: float
    p: float
    uniform: float
    fate: str  # "accepted", "rejected" or "not examined"


def guesses(r: Round, decode: Decode) -> tuple[Guess, ...]:
    """What became of each drafted token; where nothing was drawn (q is None) its q is 1."""
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
    """The likeliest tokens of `row`, (vocabulary,), with their probabilities, and which is `token`.

    If it is none of them it comes last.
    """
    (likely,) = namespace(row).nonzero(row >= LEAST)  # a whole vocabulary is never made a list
    best = sorted(likely.tolist(), key=lambda x: -float(row[x]))[:LIKELIEST]
    if token is not None and token not in best:
        best = [*best[: LIKELIEST - 1], token]
    top = [[decode([x]), round(float(row[x]), 3)] for x in best]
    return {"top": top, "marked": None if token is None else best.index(token)}


def run_data(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None,
    between: str = "",
) -> dict[str, Any]:  # fmt: skip
    """All rounds of a run; the arguments are those of `stepper`.

    Returns:
        dict: {"prompt", "between", "details": as given, "pieces": the text that each emitted token
        adds, "uniforms": does u < p/q decide, "greedy": is that to take the likeliest, "rounds":
        one dict a round}.
    """
    uniforms = by_uniforms(rounds)
    # the draft and the target took their likeliest token, so no uniform could matter
    certain = [guess.q == 1 and guess.p in (0, 1) for r in rounds for guess in guesses(r, decode)]
    greedy = uniforms and bool(certain) and all(certain)
    shown = [_round(r, decode, uniforms) for r in rounds]
    start = 0
    for i, r in enumerate(rounds):
        shown[i]["start"] = start  # pieces before it
        start += len(r.emitted)
        if details:
            # what the last token was drawn from; None: by another rule, or it was accepted
            drawn = uniforms and not greedy and r.accepted < len(r.emitted)
            shown[i]["drawn"] = (
                likeliest(_last_distribution(r), decode, r.emitted[-1]) if drawn else None
            )
            target = (r.cache_before, r.cache_after)  # tokens before and after the round
            shown[i]["caches"] = {"target": target, "draft": _draft_cache(rounds[: i + 1])}
    return {
        "prompt": prompt,
        "between": between,
        "pieces": pieces([token for r in rounds for token in r.emitted], decode),
        "uniforms": uniforms,
        "greedy": greedy,
        "details": details,
        "rounds": shown,
    }


def _round(r: Round, decode: Decode, uniforms: bool) -> dict[str, Any]:
    # a stop token among the accepted ones: those behind it were accepted for nothing
    stopped = all(kind == "accepted" for kind in r.kinds)
    rows = [likeliest(r.p[i], decode, x) for i, x in enumerate(r.drafted)]
    return {
        "context": r.context,  # committed tokens before it, those of the prompt among them
        "certain": r.q is None,  # drafted without chance, as a lookup does: there are no rows q
        "guesses": [
            _guess(guess, uniforms, lost=stopped and i >= len(r.emitted))
            for i, guess in enumerate(guesses(r, decode))
        ],
        "rows": [*rows, likeliest(r.p[-1], decode, None)],  # the target's
        "emitted": pieces(r.emitted, decode),
        "kinds": list(r.kinds),  # of the emitted tokens
    }


def _guess(guess: Guess, uniforms: bool, lost: bool) -> dict[str, Any]:
    """`bar` is the height that a uniform must stay below, min(1, p/q); None under another rule."""
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
    """What the correction or the bonus was drawn from."""
    i = r.verdict.accepted
    if i == len(r.drafted):
        return r.p[i]
    return without(r.p[i], r.drafted[i]) if r.q is None else residual(r.p[i], r.q[i])


def _draft_cache(rounds: Sequence[Round]) -> tuple[int, int, int] | None:
    """Tokens before the last round, after drafting, after the rollback; None: no model drafted.

    A draft model has read all of its guesses but the last; what was rejected goes.
    """
    drafted = [r for r in rounds if r.q is not None and r.drafted]
    if not drafted or drafted[-1] is not rounds[-1]:
        return None
    read = [r.context + len(r.drafted) - 1 for r in drafted]
    left = [min(n, r.context + r.accepted) for n, r in zip(read, drafted, strict=True)]
    return [0, *left][-2], read[-1], left[-1]


def short(value: float) -> float:
    """Six digits: more than anybody reads, and u stays on its side of p/q.

    >>> short(0.79609735381829)
    0.796097
    """
    return float(f"{value:.6g}")


def stepper(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None,
    between: str = "", paper: Html | None = None,
) -> Scene:  # fmt: skip
    """The scene *round*: → goes on, nothing is shown before it is asked for.

    Args:
        rounds: of one run of `generate(..., rows=True)`, from its first round on.
        decode: token ids to text.
        details: the residual and the caches as well, for who has met them.
        prompt: its text; without it only the word *prompt* stands before what was decoded.
        between: what stands between two tokens: " " where each of them is a word.
        paper: as `Scene` has it.

    Raises:
        ValueError: no rounds, or drafts that are trees.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: hand over the rounds of a run, as a list")
    if any(r.parents is not None for r in rounds):
        raise ValueError("these drafts are trees: show them with lesson 10's tree_scene")
    data = run_data(rounds, decode, details, prompt, between)
    judged = "which guesses are accepted" if data["greedy"] else "the uniform of each guess"
    alt = (
        f"A run of {len(rounds)} round{'s' * (len(rounds) > 1)}, step by step: what was drafted, "
        f"what one pass of the target gave, {judged} and what the round added to the text"
    )
    return Scene("round", data, alt, paper)
