"""A run, one round at a time: drafted, scored at once, judged guess by guess, corrected.

`run_data` is the run as the scene *round* draws it: JSON, each piece of text once, numbers as
they are read.
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


def by_uniforms(rounds: Sequence[Round]) -> bool:
    """Does u < p/q, token by token, explain which guesses each verdict accepted?"""
    return all(r.parents is None and _under_ratio(r) == r.verdict.accepted for r in rounds)


def _under_ratio(r: Round) -> int:
    """How many guesses come before the first with u >= p/q; of a lean round, too."""
    for i, x in enumerate(r.drafted):
        ratio = r.p[i, x] if r.q is None else r.p[i, x] / r.q[i, x]
        if not r.uniforms[i] < float(ratio):
            return i
    return len(r.drafted)


def by_likeliest(rounds: Sequence[Round]) -> bool:
    """Greedy decoding: is a guess accepted exactly if the target would have said the same?

    Then q is 1 for each guess and p is 1 or 0, so no uniform can matter.
    """
    judged = [
        (1 if r.q is None else r.q[i, x], r.p[i, x])
        for r in rounds
        for i, x in enumerate(r.drafted)
    ]
    return bool(judged) and by_uniforms(rounds) and all(q == 1 and p in (0, 1) for q, p in judged)


def guesses(r: Round, decode: Decode) -> tuple[Guess, ...]:
    """What became of each drafted token; where nothing was drawn (q is None) its q is 1."""
    accepted = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    seen = len(r.drafted) if r.parents else r.verdict.accepted + 1
    return tuple(
        Guess(
            text,
            1.0 if r.q is None else float(r.q[i, x]),
            float(r.p[i if r.parents is None else r.parents[i] + 1, x]),
            float(r.uniforms[i]),
            "accepted" if i in accepted else "rejected" if i < seen else "not examined",
        )
        for i, (x, text) in enumerate(zip(r.drafted, _texts(r, decode), strict=True))
    )


def _texts(r: Round, decode: Decode) -> list[str]:
    if r.parents is None:
        return pieces(r.drafted, decode)
    return [decode([token]) for token in r.drafted]


def _last_distribution(r: Round) -> Rows:
    """What the correction or the bonus was drawn from."""
    i = r.verdict.accepted
    if i == len(r.drafted):
        return r.p[i]
    return without(r.p[i], r.drafted[i]) if r.q is None else residual(r.p[i], r.q[i])


def likeliest(row: Rows, decode: Decode, token: int | None) -> dict[str, Any]:
    """The likeliest tokens of `row`, (vocabulary,), with their probabilities, and which is `token`.

    If it is none of them it comes last.
    """
    values = {x: float(row[x]) for x in _above(row, LEAST)}
    best = sorted(values, key=values.__getitem__, reverse=True)[:LIKELIEST]  # stable
    if token is not None and token not in best:
        best = [*best[: LIKELIEST - 1], token]
    top = [[decode([x]), round(float(row[x]), 3)] for x in best]
    return {"top": top, "marked": None if token is None else best.index(token)}


def _above(row: Rows, least: float) -> list[int]:
    """The tokens of at least that probability; a whole vocabulary is never made a list."""
    (found,) = namespace(row).nonzero(row >= least)
    return found.tolist()


def _rows(r: Round, decode: Decode) -> list[dict[str, Any]]:
    places = range(len(r.drafted)) if r.parents is None else [i + 1 for i in r.parents]
    rows = [likeliest(r.p[i], decode, x) for i, x in zip(places, r.drafted, strict=True)]
    return [*rows, likeliest(r.p[-1], decode, None)] if r.parents is None else rows


def _draft_cache(rounds: Sequence[Round], index: int) -> tuple[int, int, int] | None:
    """Tokens before the round, after drafting, after the rollback; None: no model drafted.

    A draft model has read all of its guesses but the last; what was rejected goes.
    """
    if not _drafted_by_a_model(rounds[index]):
        return None
    earlier = (r for r in reversed(rounds[:index]) if _drafted_by_a_model(r))
    before = next((_read_and_kept(r)[1] for r in earlier), 0)
    return before, *_read_and_kept(rounds[index])


def _drafted_by_a_model(r: Round) -> bool:
    return r.q is not None and bool(r.drafted) and r.parents is None


def _read_and_kept(r: Round) -> tuple[int, int]:
    read = r.context + len(r.drafted) - 1
    return read, min(read, r.context + r.accepted)


def run_data(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None,
    between: str = "",
) -> dict[str, Any]:  # fmt: skip
    """All rounds of a run.

    Args:
        details: what the last token was drawn from, and the caches, as well; that needs rounds
            of `generate(..., rows=True)`.
        prompt: the text that the run continues; None: it is not told.
        between: what stands between two tokens: " " where each of them is a word.

    Returns:
        dict: {"prompt", "between", "details": as given, "pieces": the text that each emitted token
        adds, "uniforms": does u < p/q decide, "greedy": is that to take the likeliest, "rounds":
        one dict a round}.
    """
    uniforms, greedy = by_uniforms(rounds), by_likeliest(rounds)
    return {
        "prompt": prompt,
        "between": between,
        "pieces": pieces([token for r in rounds for token in r.emitted], decode),
        "uniforms": uniforms,
        "greedy": greedy,
        "details": details,
        "rounds": [
            _round(rounds, i, decode, uniforms, details, drawn=uniforms and not greedy)
            for i in range(len(rounds))
        ],
    }


def _round(
    rounds: Sequence[Round],
    index: int,
    decode: Decode,
    uniforms: bool,
    details: bool,
    drawn: bool,
) -> dict[str, Any]:
    """Round `index` of a run, whatever model, drafter and rule it came from."""
    r = rounds[index]
    stop = all(kind == "accepted" for kind in r.kinds)
    shown = {
        "start": sum(len(earlier.emitted) for earlier in rounds[:index]),  # pieces before it
        "context": r.context,  # committed tokens before it, those of the prompt among them
        "parents": r.parents,  # of the guesses, if they are a tree
        "certain": r.q is None,  # drafted without chance, as a lookup does: there are no rows q
        "guesses": [
            _guess(guess, uniforms, lost=stop and place >= len(r.emitted))
            for place, guess in enumerate(guesses(r, decode))
        ],
        # the target's: that of each guess, and in a chain the one after the last guess
        "rows": _rows(r, decode),
        "emitted": pieces(r.emitted, decode),
        "kinds": list(r.kinds),  # of the emitted tokens
    }
    if details:
        # what the last token was drawn from; None: by another rule, not at all, or it was accepted
        shown["drawn"] = (
            likeliest(_last_distribution(r), decode, r.emitted[-1])
            if drawn and r.accepted < len(r.emitted)
            else None
        )
        target = (r.cache_before, r.cache_after)  # tokens before and after the round
        shown["caches"] = {"target": target, "draft": _draft_cache(rounds, index)}
    return shown


def _guess(guess: Guess, uniforms: bool, lost: bool) -> dict[str, Any]:
    """`lost`: a stop token came before it; then it was accepted for nothing.

    `bar` is the height that a uniform must stay below, min(1, p/q); None under another rule.
    """
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
        rounds: of one run, from its first round on.
        decode: token ids to text.
        details: the residual and the caches as well, for who has met them.
        prompt: its text; without it only the word *prompt* stands before what was decoded.
        between: what stands between two tokens: " " where each of them is a word.
        paper: as `Scene` has it.

    Raises:
        ValueError: no rounds.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: hand over the rounds of a run, as a list")
    calls = f"{len(rounds)} rounds" if len(rounds) > 1 else "1 round"
    data = run_data(rounds, decode, details, prompt, between)
    judged = "which guesses are accepted" if data["greedy"] else "the uniform of each guess"
    alt = (
        f"A run of {calls}, step by step: what was drafted, what one pass of the target gave, "
        f"{judged} and what the round added to the text"
    )
    return Scene("round", data, alt, paper)
