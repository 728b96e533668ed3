"""A run, one round at a time: drafted, scored at once, judged guess by guess, corrected.

`run_data` is the run as the scene *round* draws it: JSON, each piece of text once, numbers as
they are read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import residual, without

LIKELIEST = 5  # entries shown of a distribution
LEAST = 0.005  # what is less likely shows as 0.00: it is left out


@dataclass(frozen=True)
class Likeliest:
    """The likeliest tokens of a distribution, and the one that matters here."""

    entries: tuple[tuple[str, float], ...]  # (text, probability), the likeliest first
    marked: int | None  # the entry of the guess, or of the token that was drawn


@dataclass(frozen=True)
class Guess:
    """One drafted token and what became of it."""

    text: str
    q: float
    p: float
    uniform: float
    fate: str  # "accepted", "rejected" or "not examined"


@dataclass(frozen=True)
class RoundView:
    """What there is to see of one round."""

    number: int
    rounds: int
    start: int  # tokens that the rounds before this one emitted
    context: int  # committed tokens before the round, those of the prompt among them
    parents: tuple[int, ...] | None  # of the guesses, if they are a tree
    certain: bool  # drafted without chance, as a lookup does: there are no rows q
    guesses: tuple[Guess, ...]
    uniforms: bool  # does u < p/q decide in every round, as in the token-wise rule?
    emitted: tuple[tuple[str, str], ...]  # (text, kind)
    # the target's rows: that of each guess, and in a chain the one after the last guess
    rows: tuple[Likeliest, ...]
    # what the last token was drawn from; None: the rule is another one, or it was accepted
    distribution: Likeliest | None
    target_cache: tuple[int, int]  # tokens before and after the round
    # before the round, after drafting, after the rollback; None: no model drafted
    draft_cache: tuple[int, int, int] | None


def round_view(
    rounds: Sequence[Round], index: int, decode: Decode, uniforms: bool | None = None
) -> RoundView:
    """Round `index` of a run, whatever model, drafter and rule it came from.

    Args:
        uniforms: does u < p/q decide in every round?  None: found out.

    Raises:
        IndexError: there is no such round.
    """
    r = rounds[index]
    uniforms = by_uniforms(rounds) if uniforms is None else uniforms
    drawn = uniforms and r.accepted < len(r.emitted)
    return RoundView(
        number=index + 1,
        rounds=len(rounds),
        start=sum(len(earlier.emitted) for earlier in rounds[:index]),
        context=r.context,
        parents=r.parents,
        certain=r.q is None,
        guesses=guesses(r, decode),
        uniforms=uniforms,
        emitted=tuple(zip(pieces(r.emitted, decode), r.kinds, strict=True)),
        rows=_rows(r, decode),
        distribution=likeliest(_last_distribution(r), decode, r.emitted[-1]) if drawn else None,
        target_cache=(r.cache_before, r.cache_after),
        draft_cache=_draft_cache(rounds, index),
    )


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


def likeliest(row: Rows, decode: Decode, token: int | None) -> Likeliest:
    """The likeliest tokens of `row`, (vocabulary,); if `token` is none of them it comes last."""
    values = {x: float(row[x]) for x in _above(row, LEAST)}
    best = sorted(values, key=values.__getitem__, reverse=True)[:LIKELIEST]  # stable
    if token is not None and token not in best:
        best = [*best[: LIKELIEST - 1], token]
    entries = tuple((decode([x]), float(row[x])) for x in best)
    return Likeliest(entries, None if token is None else best.index(token))


def _above(row: Rows, least: float) -> list[int]:
    """The tokens of at least that probability; a whole vocabulary is never made a list."""
    (found,) = namespace(row).nonzero(row >= least)
    return found.tolist()


def _rows(r: Round, decode: Decode) -> tuple[Likeliest, ...]:
    places = range(len(r.drafted)) if r.parents is None else [i + 1 for i in r.parents]
    rows = [likeliest(r.p[i], decode, x) for i, x in zip(places, r.drafted, strict=True)]
    return (*rows, likeliest(r.p[-1], decode, None)) if r.parents is None else tuple(rows)


def _draft_cache(rounds: Sequence[Round], index: int) -> tuple[int, int, int] | None:
    """A draft model has read all of its guesses but the last; what was rejected goes."""
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
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None
) -> dict[str, Any]:
    """All rounds of a run.

    Args:
        details: what the last token was drawn from, and the caches, as well.
        prompt: the text that the run continues; None: it is not told.

    Returns:
        dict: {"prompt": as given, "pieces": the text that each emitted token adds, "uniforms": does
        u < p/q decide, "details": as given, "rounds": one dict a round, see `round_data`}.
    """
    uniforms = by_uniforms(rounds)
    views = (round_view(rounds, i, decode, uniforms) for i in range(len(rounds)))
    return {
        "prompt": prompt,
        "pieces": pieces([token for r in rounds for token in r.emitted], decode),
        "uniforms": uniforms,
        "details": details,
        "rounds": [round_data(view, details) for view in views],
    }


def round_data(view: RoundView, details: bool = True) -> dict[str, Any]:
    """One round.

    `start` counts the pieces of text before it and `context` the tokens, those of the prompt
    among them.  `kinds` are those of the emitted tokens.  `bar` is the height that a uniform
    must stay below, min(1, p/q); null where another rule decides.
    """
    stop = all(kind == "accepted" for _, kind in view.emitted)
    shown = {
        "start": view.start,
        "context": view.context,
        "parents": view.parents,
        "certain": view.certain,
        "guesses": [
            _guess(guess, view.uniforms, lost=stop and place >= len(view.emitted))
            for place, guess in enumerate(view.guesses)
        ],
        "rows": list(map(_likeliest, view.rows)),
        "emitted": [text for text, _ in view.emitted],
        "kinds": [kind for _, kind in view.emitted],
    }
    if details:
        shown["drawn"] = view.distribution and _likeliest(view.distribution)
        shown["caches"] = {"target": view.target_cache, "draft": view.draft_cache}
    return shown


def _guess(guess: Guess, uniforms: bool, lost: bool) -> dict[str, Any]:
    """`lost`: a stop token came before it; then it was accepted for nothing."""
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


def _likeliest(found: Likeliest) -> dict[str, Any]:
    top = [[text, round(value, 3)] for text, value in found.entries]
    return {"top": top, "marked": found.marked}


def short(value: float) -> float:
    """Six digits: more than anybody reads, and u stays on its side of p/q.

    >>> short(0.79609735381829)
    0.796097
    """
    return float(f"{value:.6g}")


def stepper(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None
) -> Scene:
    """The scene *round*: → goes on, nothing is shown before it is asked for.

    Args:
        rounds: of one run, from its first round on.
        decode: token ids to text.
        details: the residual and the caches as well, for who has met them.
        prompt: its text; without it only the word *prompt* stands before what was decoded.

    Raises:
        ValueError: no rounds.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: hand over the rounds of a run, as a list")
    calls = f"{len(rounds)} rounds" if len(rounds) > 1 else "1 round"
    alt = (
        f"A run of {calls}, step by step: what was drafted, what one pass of the target gave, "
        "the uniform of each guess and what the round added to the text"
    )
    return Scene("round", run_data(rounds, decode, details, prompt), alt)
