"""The tree of one round as the scene *tree* draws it: JSON, from a finished round.

`tree_scene` shows the rounds of a run, one at a time (`stage/scenes/tree.mjs`): the tree as it
was drafted, the one pass over all of it, the verdicts from the text on, and what became of
the cache.
"""

from collections.abc import Sequence
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import short
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.trees import depths, levels, paths, ranks
from course_utils.lessons.trees_and_heads.judgements import (
    Judged,
    Judgement,
    first_path,
    judged,
    parents_of,
)

MOST_NODES = 64  # more cannot be read
LIKELIEST = 5  # entries shown of a distribution
LEAST = 0.0005  # what is less likely shows as 0.00: it is left out


def tree_scene(rounds: Sequence[Round], decode: Decode, prompt: str | None = None) -> Scene:
    """The rounds of a run that drafted something; shown first is the most `telling` one.

    Args:
        rounds: of `generate` with rule=RECURSIVE_REJECTION, from the first one on.
        decode: tokens to text.
        prompt: the text that the run continues; None: it is not told.

    Raises:
        ValueError: nothing was drafted in any round, a tree of more than `MOST_NODES` nodes,
            or a round that another rule judged.
    """
    data = scene_data(rounds, decode, prompt)
    return Scene("tree", data, in_words(data["rounds"][data["chosen"]]))


def scene_data(rounds: Sequence[Round], decode: Decode, prompt: str | None = None) -> dict:
    """{"prompt": as given, "pieces": the text that each emitted token adds, "rounds": those
    that drafted something, see `tree_data`, "chosen": which of them is shown first}.

    Raises:
        ValueError: as `tree_scene`.
    """
    shown, start = [], 0
    for r in rounds:
        if r.drafted:
            shown.append({"start": start, **tree_data(r, decode)})
        start += len(r.emitted)
    if not shown:
        raise ValueError("no round drafted anything: give those of a drafter that guesses trees")
    return {
        "prompt": prompt,
        "pieces": pieces([token for r in rounds for token in r.emitted], decode),
        "rounds": shown,
        "chosen": max(range(len(shown)), key=lambda i: telling(shown[i])),
    }


def telling(round_shown: dict[str, Any]) -> tuple[bool, bool, int]:
    """How much there is to see: does a second child win, and below a first one; how deep."""
    won = [round_shown["nodes"][i]["rank"] for i in round_shown["path"]]
    return any(won), any(won) and not all(won), len(won)


def tree_data(r: Round, decode: Decode) -> dict[str, Any]:
    """One round.

    Returns: a dict of
        number: of the round, from 1.  context: committed tokens before it.
        certain: were the nodes chosen without chance, so that there is no q?
        nodes: {text, parent, depth, rank, path: the places from the text to it, q, p: the
            target's after its parent, position: context + depth, slot: its place in the
            cache, fate: "accepted", "rejected" or "lost" (never judged, or behind a stop
            token)}.
        path: places of the accepted nodes.
        judged: in the order of their turns, see `_judged`.
        last: what followed the path, see `_last`.
        emitted, kinds: the texts that were committed, and how each came about.
        counts: nodes that were drafted, judged, accepted, rejected and never judged; tokens.
        chain: of the first path: its nodes, how many of them were accepted, the tokens it
            would have brought, and whether it is accepted as a whole.
        cache: tokens before the round, during it and after it; kept: places of the nodes that
            stay, in order.

    Raises:
        ValueError: more than `MOST_NODES` nodes, or another rule judged it.
    """
    if len(r.drafted) > MOST_NODES:
        raise ValueError(
            f"round {r.index + 1} drafted {len(r.drafted)} nodes, and at most {MOST_NODES} can "
            "be read: give a smaller gamma"
        )
    found, parents = judged(r), parents_of(r)
    path = found.path[: len(r.emitted)]
    rejected = sum(not turn.accepted for turn in found.turns)
    return {
        "number": r.index + 1,
        "context": r.context,
        "certain": r.q is None,
        "levels": levels(parents),
        "nodes": _nodes(r, found, decode),
        "path": list(path),
        "judged": [_judged(turn, r, decode) for turn in found.turns],
        "last": _last(r, found, decode),
        "emitted": pieces(r.emitted, decode),
        "kinds": list(r.kinds),
        "counts": {
            "drafted": len(r.drafted),
            "judged": len(found.turns),
            "accepted": r.accepted,
            "rejected": rejected,
            "unjudged": len(r.drafted) - len(found.turns),
            "tokens": len(r.emitted),
        },
        "chain": first_path_data(parents, path, len(r.emitted)),
        "cache": {
            "before": r.cache_before,
            "during": r.context + len(r.drafted),
            "after": r.cache_after,
            "kept": list(path[: len(r.emitted) - 1]),
        },
    }


def first_path_data(
    parents: Sequence[int], path: Sequence[int], emitted: int
) -> dict[str, int | bool]:
    """What the first path alone would have brought: any chain that begins with it, if not whole.

    A first child is judged by p and its own q, as in a chain.  So the first path is accepted
    as far as the accepted `path` follows it, and a token of the target's comes after that.
    """
    first = first_path(parents)
    shared = next((k for k, i in enumerate(first) if k >= len(path) or path[k] != i), len(first))
    return {
        "nodes": len(first),
        "accepted": shared,
        "tokens": min(shared + 1, emitted),  # fewer at a stop token
        "whole": shared == len(first),
    }


def _nodes(r: Round, found: Judged, decode: Decode) -> list[dict[str, Any]]:
    parents = parents_of(r)
    fates = {turn.node: "accepted" if turn.accepted else "rejected" for turn in found.turns}
    fates |= dict.fromkeys(found.path[len(r.emitted) :], "lost")
    shapes = zip(r.drafted, parents, depths(parents), ranks(parents), paths(parents), strict=True)
    return [
        {
            "text": decode([x]),
            "parent": parent,
            "depth": depth,
            "rank": rank,
            "path": list(path),
            "q": None if r.q is None else short(float(r.q[i, x])),
            "p": short(float(r.p[parent + 1, x])),
            "position": r.context + depth,
            "slot": r.context + i,
            "fate": fates.get(i, "lost"),
        }
        for i, (x, parent, depth, rank, path) in enumerate(shapes)
    ]


def _judged(turn: Judgement, r: Round, decode: Decode) -> dict[str, Any]:
    """{node, left: of its token, q, ratio, u, accepted, rest: the mass a rejection leaves,
    top: [text, left, q] of the likeliest, marked: the entry of its token}."""
    x = r.drafted[turn.node]
    ids = _likeliest(turn.left, x)
    return {
        "node": turn.node,
        "left": short(float(turn.left[x])),
        "q": short(float(turn.q[x])),
        "ratio": short(turn.ratio),
        "u": short(turn.uniform),
        "accepted": turn.accepted,
        "rest": None if turn.rest is None else short(turn.rest),
        "top": [[decode([i]), short(float(turn.left[i])), short(float(turn.q[i]))] for i in ids],
        "marked": ids.index(x),
    }


def _last(r: Round, found: Judged, decode: Decode) -> dict[str, Any]:
    """{after: the node it follows, kind: "correction", "bonus" or null if the text ended before
    it, text, u, top: [text, probability] of what it was drawn from, marked}."""
    x = r.verdict.token
    ids = _likeliest(found.left, x)
    ended = r.accepted == len(r.emitted)
    return {
        "after": found.path[-1] if found.path else -1,
        "kind": None if ended else r.kinds[-1],
        "text": decode([x]),
        "u": short(float(r.uniforms[-1])),
        "top": [[decode([i]), short(float(found.left[i]))] for i in ids],
        "marked": ids.index(x),
    }


def _likeliest(row: Rows, token: int) -> list[int]:
    """The likeliest tokens of a row (vocabulary,); `token` comes last if it is none of them."""
    best = namespace(row).argsort(row, descending=True)[:LIKELIEST].tolist()
    best = [x for x in best if x == token or float(row[x]) >= LEAST]
    return best if token in best else [*best[: LIKELIEST - 1], token]


def in_words(shown: dict[str, Any]) -> str:
    """One sentence for who cannot see it."""
    counts, kind = shown["counts"], shown["last"]["kind"]
    then = f", then a {kind}" if kind else ""
    return (
        f"Round {shown['number']}: a tree of {counts['drafted']} drafted tokens on "
        f"{shown['levels']} levels, all verified in one pass; {counts['accepted']} accepted{then}."
    )
