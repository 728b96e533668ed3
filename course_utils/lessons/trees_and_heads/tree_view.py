"""The tree of one round as the scene *tree* draws it: JSON, from a finished round.

`tree_scene` shows the rounds of a run, one at a time (`stage/scenes/tree.mjs`): the drafted tree,
the one pass over all of it, the verdicts from the text down, and the cache afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import short
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import residual, without
from course_utils.decoding.rules.chain import certain
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import children, depths, levels, paths, ranks

# --- a round of recursive rejection, replayed: each judged node with its numbers -----------


@dataclass(frozen=True)
class Judgement:
    """The decision about one node."""

    node: int  # its index among the drafted tokens
    left: Rows  # (vocabulary,), what rejected siblings have left of p; p for the first
    q: Rows  # (vocabulary,), the row it was drawn from; one-hot if it was not sampled
    ratio: float  # left over q at its token; the node's uniform must be smaller
    accepted: bool


@dataclass(frozen=True)
class Replay:
    """A round's judgements in order, and `left`, the row that the last token was drawn from."""

    judgements: tuple[Judgement, ...]
    left: Rows

    @property
    def path(self) -> tuple[int, ...]:
        """The indices of the accepted nodes, from the text down."""
        return tuple(one.node for one in self.judgements if one.accepted)


def parents_of(r: Round) -> tuple[int, ...]:
    """Return the parents of the round's draft; a chain is a tree, too."""
    return tuple(range(-1, len(r.drafted) - 1)) if r.parents is None else r.parents


def replay(r: Round) -> Replay:
    """Repeat what `RECURSIVE_REJECTION` did in a round (course_utils/decoding/rules/recursive.py).

    Raises:
        ValueError: the verdict is another rule's.
    """
    q = certain(r.p, r.drafted) if r.q is None else r.q
    following, at, judgements = children(parents_of(r)), -1, []
    while at is not None:
        left, parent, at = r.p[at + 1], at, None
        for i in following[parent + 1]:
            x = r.drafted[i]
            ratio = float(left[x] / q[i, x])
            judgements.append(Judgement(i, left, q[i], ratio, bool(r.uniforms[i] < ratio)))
            if judgements[-1].accepted:
                at = i
                break
            left = without(left, x) if r.q is None else residual(left, q[i])
    result = Replay(tuple(judgements), left)
    accepted = tuple(range(r.verdict.accepted)) if r.verdict.path is None else r.verdict.path
    if result.path != accepted or sample(left, r.uniforms[-1]) != r.verdict.token:
        raise ValueError(
            f"round {r.index + 1} was not judged by recursive rejection, which accepts nodes "
            f"{result.path} and not {accepted}: generate it with rule=RECURSIVE_REJECTION"
        )
    return result


# --- what the scene draws -------------------------------------------------------------

MOST_NODES = 64  # more are not readable
LIKELIEST = 5  # entries shown of a distribution
LEAST = 0.0005  # less would be printed as 0.00, so it is left out


def tree_scene(
    rounds: Sequence[Round], decode: Decode, prompt: str | None = None, between: str = ""
) -> Scene:
    """Draw the rounds of a run with rule=RECURSIVE_REJECTION that drafted something.

    It opens with the round of highest `interest`.  `between` separates tokens: " " for words.

    Raises:
        ValueError: nothing was drafted in any round, a tree of more than `MOST_NODES` nodes,
            or a round that another rule judged.
    """
    data = scene_data(rounds, decode, prompt) | {"between": between}
    first = data["rounds"][data["chosen"]]
    counts, kind = first["counts"], first["last"]["kind"]
    then = f", then a {kind}" if kind else ""
    alt = (
        f"Round {first['number']}: a tree of {counts['drafted']} drafted tokens on "
        f"{first['levels']} levels, all verified in one pass; {counts['accepted']} accepted{then}."
    )
    return Scene("tree", data, alt)


def scene_data(rounds: Sequence[Round], decode: Decode, prompt: str | None = None) -> dict:
    """Return {"prompt", "pieces": the text that each emitted token adds, "rounds": `tree_data` of
    those that drafted something, "chosen": the index of the round to open with}."""
    data, start = [], 0
    for r in rounds:
        if r.drafted:
            data.append({"start": start, **tree_data(r, decode)})
        start += len(r.emitted)
    if not data:
        raise ValueError("no round drafted anything: pass a run whose drafter guesses trees")
    return {
        "prompt": prompt,
        "pieces": pieces([token for r in rounds for token in r.emitted], decode),
        "rounds": data,
        "chosen": max(range(len(data)), key=lambda i: interest(data[i])),
    }


def interest(data: dict[str, Any]) -> tuple[bool, bool, int]:
    """Rank a round: is a later child accepted, a first child too, and how long is the path?"""
    path_ranks = [data["nodes"][i]["rank"] for i in data["path"]]
    return any(path_ranks), any(path_ranks) and not all(path_ranks), len(path_ranks)


def tree_data(r: Round, decode: Decode) -> dict[str, Any]:
    """Return what the scene draws of one round.

    Returns: a dict of
        number, from 1; context: committed tokens before it; levels; certain: is there no q?
        nodes: see `_nodes`.  path: indices of the accepted ones.
        judged: in order, see `_judged`.  last: see `_last`.
        emitted, kinds: the committed texts, and the kind of each.
        counts: nodes drafted, judged, accepted and rejected; tokens.  chain: see `first_path`.
        cache: tokens before, during and after the round; kept: indices of the nodes that stay,
            in order.
    """
    if len(r.drafted) > MOST_NODES:
        raise ValueError(
            f"round {r.index + 1} drafted {len(r.drafted)} nodes, and the scene is readable up to "
            f"{MOST_NODES}: choose a smaller gamma"
        )
    replayed, parents = replay(r), parents_of(r)
    path = replayed.path[: len(r.emitted)]
    return {
        "number": r.index + 1,
        "context": r.context,
        "certain": r.q is None,
        "levels": levels(parents),
        "nodes": _nodes(r, replayed, decode),
        "path": list(path),
        "judged": [_judged(one, r, decode) for one in replayed.judgements],
        "last": _last(r, replayed, decode),
        "emitted": pieces(r.emitted, decode),
        "kinds": list(r.kinds),
        "counts": {
            "drafted": len(r.drafted),
            "judged": len(replayed.judgements),
            "accepted": r.accepted,
            "rejected": sum(not one.accepted for one in replayed.judgements),
            "tokens": len(r.emitted),
        },
        "chain": first_path(parents, path, len(r.emitted)),
        "cache": {
            "before": r.cache_before,
            "during": r.context + len(r.drafted),
            "after": r.cache_after,
            "kept": list(path[: len(r.emitted) - 1]),
        },
    }


def first_path(parents: Sequence[int], path: Sequence[int], emitted: int) -> dict[str, int | bool]:
    """Return what the chain of all first children would have given, from the text to a leaf.

    A first child is judged by p and its own q, as in a chain.  So this chain is accepted as far
    as the accepted `path` follows it, and then comes one token of the target.
    """
    following, first = children(parents), []
    while after := following[first[-1] + 1 if first else 0]:
        first.append(after[0])
    shared = next((k for k, i in enumerate(first) if path[k : k + 1] != (i,)), len(first))
    return {
        "nodes": len(first),
        "tokens": min(shared + 1, emitted),  # fewer at a stop token
        "whole": shared == len(first),
    }


def _nodes(r: Round, replayed: Replay, decode: Decode) -> list[dict[str, Any]]:
    """Return for each {text, parent, depth, rank, path: from the text to it, q, p: the target's
    after its parent, position, slot, fate: "accepted", "rejected" or "lost" (not judged, or after
    the end)}."""
    parents = parents_of(r)
    fates = {one.node: "accepted" if one.accepted else "rejected" for one in replayed.judgements}
    fates |= dict.fromkeys(replayed.path[len(r.emitted) :], "lost")
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


def _judged(one: Judgement, r: Round, decode: Decode) -> dict[str, Any]:
    """Return {node, ratio, u, accepted, rest: the mass a rejection leaves, top: [text, left, q] of
    the likeliest, marked: the entry of its token}."""
    x = r.drafted[one.node]
    ids = _likeliest(one.left, x)
    return {
        "node": one.node,
        "ratio": short(one.ratio),
        "u": short(float(r.uniforms[one.node])),
        "accepted": one.accepted,
        "rest": None if one.accepted else short(float((one.left - one.q).clip(min=0).sum())),
        "top": [[decode([i]), short(float(one.left[i])), short(float(one.q[i]))] for i in ids],
        "marked": ids.index(x),
    }


def _last(r: Round, replayed: Replay, decode: Decode) -> dict[str, Any]:
    """Return {after: the node it follows, kind: "correction", "bonus" or null if the text ended
    before it, text, u, top: [text, probability] of its row, marked}."""
    x = r.verdict.token
    ids = _likeliest(replayed.left, x)
    ended = r.accepted == len(r.emitted)
    return {
        "after": replayed.path[-1] if replayed.path else -1,
        "kind": None if ended else r.kinds[-1],
        "text": decode([x]),
        "u": short(float(r.uniforms[-1])),
        "top": [[decode([i]), short(float(replayed.left[i]))] for i in ids],
        "marked": ids.index(x),
    }


def _likeliest(row: Rows, token: int) -> list[int]:
    """Return a row's likeliest tokens; if `token` is not among them, it comes last."""
    best = namespace(row).argsort(row, descending=True)[:LIKELIEST].tolist()
    best = [x for x in best if x == token or float(row[x]) >= LEAST]
    return best if token in best else [*best[: LIKELIEST - 1], token]
