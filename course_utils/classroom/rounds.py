"""A run as JSON, which scenes, the race and the talk show, and the scene that steps through it.

A verdict carries its judgements, so no rule runs again.  A chain is a tree with one child per node;
depths, ranks and paths follow from `parent`, in the browser.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import isclose
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Html
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import one_hot_residual, residual
from course_utils.writing.text import Decode, pieces

LIKELIEST = 5  # entries shown of a distribution
LEAST = 0.005  # less likely tokens would show as 0.00 and are left out


def stepper(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None,
    between: str = "", paper: Html | None = None,
) -> Scene:  # fmt: skip
    """Return a scene: → steps forward, and nothing is shown before its step.

    Chains are drawn as columns (scene *round*), trees as branches (scene *tree*).

    Args:
        rounds: of one run of `generate(..., rows=True)`, from its first round on.
        decode: token ids to text.
        details: also show the residual and the caches, for readers who know them.
        prompt: its text; None: the word *prompt* is shown in its place.
        between: the text between two tokens: " " if each token is a word.
        paper: as in `Scene`.

    Raises:
        ValueError: no rounds, or a tree that `RECURSIVE_REJECTION` did not judge.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: pass the rounds of a run as a list")
    trees = any(r.parents is not None for r in rounds)
    uniforms = all(map(decided_by_ratios, rounds))
    if trees and not uniforms:
        raise ValueError("a tree is shown with its judgements: use rule=RECURSIVE_REJECTION")
    data = run_json(rounds, decode)
    data |= {"prompt": prompt, "between": between, "details": details, "uniforms": uniforms}
    for r, one in zip(rounds, data["rounds"], strict=True):
        one |= rows_json(r, decode) | ({} if uniforms else {"drawn": None})
    alt = (
        f"A run of {len(rounds)} round{'s' * (len(rounds) > 1)}, step by step: what was drafted, "
        "what one pass of the target gave, how it was judged and what the round added to the text"
    )
    return Scene("tree" if trees else "round", data, alt, paper)


def run_json(rounds: Sequence[Round], decode: Decode, prompt: Sequence[int] = ()) -> dict[str, Any]:
    """Return {"pieces": the text that each emitted token adds to `prompt`, "rounds": one each}."""
    emitted = [token for r in rounds for token in r.emitted]
    starts = accumulate((len(r.emitted) for r in rounds), initial=0)
    by_round = [round_json(r, decode, start) for r, start in zip(rounds, starts, strict=False)]
    return {"pieces": pieces(emitted, decode, prompt), "rounds": by_round}


def round_json(r: Round, decode: Decode, start: int = 0) -> dict[str, Any]:
    """Return a round, which may be compact.

    Returns: a dict of
        start: tokens emitted before it.  context: tokens of the text before it, prompt included.
        guesses: for each drafted token {text, parent, fate: "accepted", "rejected", or "lost" if it
            was not examined or comes after the end of the text, p, q, u, and the ratio that u was
            compared with, if there was one}.  certain: a deterministic draft, without q.
        kinds: of the emitted tokens.  u: the uniform of the last one.
        cache: tokens in the target's cache before and after the round.
    """
    texts, parents = pieces(r.drafted, decode), range(-1, len(r.drafted) - 1)
    rejected = [r.accepted] * ("correction" in r.kinds)
    if r.parents is not None:
        texts, parents = [decode([x]) for x in r.drafted], r.parents
        rejected = [one.node for one in r.verdict.judged if not one.accepted]
    fates = {i: "accepted" for i in r.verdict.places[: r.accepted]}
    fates |= dict.fromkeys(rejected, "rejected")
    guesses = []
    for i, (x, text, parent) in enumerate(zip(r.drafted, texts, parents, strict=True)):
        guess = {"text": text, "parent": parent, "fate": fates.get(i, "lost")}
        guess |= {"p": short(r.p[parent + 1, x]), "u": short(r.uniforms[i])}
        guesses.append(guess | {"q": 1.0 if r.q is None else short(r.q[i, x])})
    for one in r.verdict.judged:
        guesses[one.node]["ratio"] = short(one.ratio)
    return {
        "start": start, "context": r.context, "certain": r.q is None, "guesses": guesses,
        "kinds": list(r.kinds), "u": short(r.uniforms[-1]),
        "cache": [r.cache_before, r.cache_after],
    }  # fmt: skip


def rows_left(r: Round) -> list[Rows]:
    """Return the row (vocabulary,) that each judgement is about, what rejected siblings have left
    of p, and the row that the last token was drawn from."""
    rows = [r.p[0]]
    for one in r.verdict.judged:
        if one.accepted:
            rows.append(r.p[one.node + 1])
        elif r.q is None:
            rows.append(one_hot_residual(rows[-1], r.drafted[one.node]))
        else:
            rows.append(residual(rows[-1], r.q[one.node]))
    return rows


def decided_by_ratios(r: Round) -> bool:
    """Did u < p/q, guess by guess, decide what was accepted, with p as `rows_left` says?"""
    judged = r.verdict.judged
    accepted = [one.node for one in judged if one.accepted]
    return bool(judged) == bool(r.drafted) and accepted == list(r.verdict.places) and all(
        isclose(one.ratio * one.q, float(row[r.drafted[one.node]]), rel_tol=1e-5)
        for one, row in zip(judged, rows_left(r), strict=False)
    )  # fmt: skip


def rows_json(r: Round, decode: Decode) -> dict[str, Any]:
    """Return the rows of a round, which must be whole, as `row_json`.

    Returns: {"rows": of a chain p after the text and after each guess, of a tree what each
        judgement is about, "drawn": the row of the last token, None if an accepted one is last}.
    """
    left = rows_left(r)
    if r.parents is None:
        rows = [row_json(row, decode, x) for row, x in zip(r.p, [*r.drafted, None], strict=True)]
    else:
        nodes = [one.node for one in r.verdict.judged]
        rows = [row_json(row, decode, r.drafted[i], r.q[i] if r.q is not None else None)
                for i, row in zip(nodes, left, strict=False)]  # fmt: skip
    last = row_json(left[-1], decode, r.emitted[-1]) if r.accepted < len(r.emitted) else None
    return {"rows": rows, "drawn": last}


def row_json(row: Rows, decode: Decode, token: int | None, q: Rows | None = None) -> dict[str, Any]:
    """Return {"top": [text, probability, and q] of the likeliest tokens of `row`, (vocabulary,),
    "marked": the index of `token` among them, with q also "rest": the mass above it}; a token that
    is not among them is added last."""
    (likely,) = namespace(row).nonzero(row >= LEAST)  # never convert a whole vocabulary to a list
    best = sorted(likely.tolist(), key=lambda x: -float(row[x]))[:LIKELIEST]
    if token is not None and token not in best:
        best = [*best[: LIKELIEST - 1], token]
    top = [[decode([x]), short(row[x]), *([] if q is None else [short(q[x])])] for x in best]
    rest = {} if q is None else {"rest": short((row - q).clip(min=0).sum())}
    return {"top": top, "marked": None if token is None else best.index(token), **rest}


def short(value: Any) -> float:
    """Round to six digits, enough that u stays on its side of p/q.

    >>> short(0.79609735381829)
    0.796097
    """
    return float(f"{float(value):.6g}")
