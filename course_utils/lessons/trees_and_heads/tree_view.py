"""The tree of one round as the scene *tree* draws it: JSON, from a finished round.

`tree_scene` shows the rounds of a run, one at a time (`stage/scenes/tree.mjs`): the tree as it
was drafted, the one pass over all of it, the verdicts from the text on, and what became of
the cache.
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

# --- a round of recursive rejection, told again: each node that was judged, by what numbers


@dataclass(frozen=True)
class Turn:
    """One node that was judged."""

    node: int  # its place among the drafted tokens
    left: Rows  # (vocabulary,), what rejected nodes before it have left of p; p for the first
    q: Rows  # (vocabulary,), what it was drawn from; one-hot if it was chosen without chance
    ratio: float  # left over q at its token; the node's uniform must be smaller
    accepted: bool


@dataclass(frozen=True)
class Judged:
    """All of a round: `turns` in their order, and `left`, what the last token was drawn from."""

    turns: tuple[Turn, ...]
    left: Rows

    @property
    def path(self) -> tuple[int, ...]:
        """Places of the accepted nodes, from the text on."""
        return tuple(turn.node for turn in self.turns if turn.accepted)


def parents_of(r: Round) -> tuple[int, ...]:
    """The parents of its draft; a chain is a tree, too."""
    return tuple(range(-1, len(r.drafted) - 1)) if r.parents is None else r.parents


def judged(r: Round) -> Judged:
    """What `RECURSIVE_REJECTION` did in that round (course_utils/decoding/rules/recursive.py).

    Raises:
        ValueError: another rule made the verdict, so these are not its numbers.
    """
    q = certain(r.p, r.drafted) if r.q is None else r.q
    following, at, turns = children(parents_of(r)), -1, []
    while at is not None:
        left, parent, at = r.p[at + 1], at, None
        for i in following[parent + 1]:
            x = r.drafted[i]
            ratio = float(left[x] / q[i, x])
            turns.append(Turn(i, left, q[i], ratio, bool(r.uniforms[i] < ratio)))
            if turns[-1].accepted:
                at = i
                break
            left = without(left, x) if r.q is None else residual(left, q[i])
    found = Judged(tuple(turns), left)
    accepted = tuple(range(r.verdict.accepted)) if r.verdict.path is None else r.verdict.path
    if found.path != accepted or sample(left, r.uniforms[-1]) != r.verdict.token:
        raise ValueError(
            f"round {r.index + 1} was not judged by recursive rejection, which accepts nodes "
            f"{found.path} and not {accepted}: generate it with rule=RECURSIVE_REJECTION"
        )
    return found


# --- what the scene draws -------------------------------------------------------------

MOST_NODES = 64  # more cannot be read
LIKELIEST = 5  # entries shown of a distribution
LEAST = 0.0005  # what is less likely shows as 0.00: it is left out


def tree_scene(
    rounds: Sequence[Round], decode: Decode, prompt: str | None = None, between: str = ""
) -> Scene:
    """The rounds of a run with rule=RECURSIVE_REJECTION that drafted something; shown first is
    the most `telling` one.  `between` stands between two tokens: " " where each is a word.

    Raises:
        ValueError: nothing was drafted in any round, a tree of more than `MOST_NODES` nodes,
            or a round that another rule judged.
    """
    data = scene_data(rounds, decode, prompt) | {"between": between}
    shown = data["rounds"][data["chosen"]]
    counts, kind = shown["counts"], shown["last"]["kind"]
    then = f", then a {kind}" if kind else ""
    alt = (
        f"Round {shown['number']}: a tree of {counts['drafted']} drafted tokens on "
        f"{shown['levels']} levels, all verified in one pass; {counts['accepted']} accepted{then}."
    )
    return Scene("tree", data, alt)


def scene_data(rounds: Sequence[Round], decode: Decode, prompt: str | None = None) -> dict:
    """{"prompt": as given, "pieces": the text that each emitted token adds, "rounds": those
    that drafted something, see `tree_data`, "chosen": which of them is shown first}."""
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
        number, from 1; context: committed tokens before it; levels; certain: is there no q?
        nodes: see `_nodes`.  path: places of the accepted ones.
        judged: in the order of their turns, see `_judged`.  last: see `_last`.
        emitted, kinds: the texts that were committed, and the kind of each.
        counts: nodes drafted, judged, accepted and rejected; tokens.  chain: see `first_path`.
        cache: tokens before the round, during it and after it; kept: places of the nodes that
            stay, in order.
    """
    if len(r.drafted) > MOST_NODES:
        raise ValueError(
            f"round {r.index + 1} drafted {len(r.drafted)} nodes, and at most {MOST_NODES} can "
            "be read: give a smaller gamma"
        )
    found, parents = judged(r), parents_of(r)
    path = found.path[: len(r.emitted)]
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
            "rejected": sum(not turn.accepted for turn in found.turns),
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
    """What the chain of all first children would have brought, from the text to a leaf.

    A first child is judged by p and its own q, as in a chain.  So the first path is accepted as
    far as the accepted `path` follows it, and a token of the target's comes after that.
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


def _nodes(r: Round, found: Judged, decode: Decode) -> list[dict[str, Any]]:
    """{text, parent, depth, rank, path: from the text to it, q, p: the target's after its parent,
    position, slot, fate: "accepted", "rejected" or "lost" (not judged, or after the end)}."""
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


def _judged(turn: Turn, r: Round, decode: Decode) -> dict[str, Any]:
    """{node, ratio, u, accepted, rest: the mass a rejection leaves, top: [text, left, q] of the
    likeliest, marked: the entry of its token}."""
    x = r.drafted[turn.node]
    ids = _likeliest(turn.left, x)
    return {
        "node": turn.node,
        "ratio": short(turn.ratio),
        "u": short(float(r.uniforms[turn.node])),
        "accepted": turn.accepted,
        "rest": None if turn.accepted else short(float((turn.left - turn.q).clip(min=0).sum())),
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
