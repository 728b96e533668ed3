"""The bug zoo's trees: a correct decoder of trees with one thing wrong.

`BUGS` is for chains; these drafters, rules and caches need a tree to go wrong.  Two of
them bend no text: what is wrong in the draft's own cache costs accepted tokens only, and
no look at the tokens shows it.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from course_utils.decoding.contracts import (
    Draft,
    LanguageModel,
    RoundNoise,
    Rows,
    Rule,
    TreeSession,
)
from course_utils.decoding.optimal_trees import path_values, rerank, restricted
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import RECURSIVE_REJECTION, recursive_rejection
from course_utils.decoding.trees import Parents
from course_utils.drafters.candidates import with_replacement, without_replacement
from course_utils.drafters.tree import Tree
from course_utils.edits import Edit, slip
from course_utils.proofs.bugs import Bug, Misled
from course_utils.proofs.decoders import Decoder

if TYPE_CHECKING:  # a table needs no torch
    from course_utils.models.qwen3.forms import AnyQwen3
    from course_utils.models.qwen3.readable import Layout

SHAPE: Parents = (-1, -1, 0, 1, 2)


class FirstRowForAll(Tree):
    """Draws siblings without replacement, and reports the row of the first for each."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        xp = namespace(draft.q)
        first = [draft.parents.index(parent) for parent in draft.parents]
        return Draft(draft.tokens, xp.stack([draft.q[i] for i in first]), draft.parents)


class DrawnThenDropped(Tree):
    """EAGLE-2's rerank where it must not be: of guesses that were drawn, all but one stay."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None or len(draft.tokens) < 2:
            return draft
        shares = [min(1.0, float(row[x])) for row, x in zip(draft.q, draft.tokens, strict=True)]
        values = path_values(draft.parents, shares)
        kept = rerank(draft.parents, values, len(draft.tokens) - 1)
        xp = namespace(draft.q)
        return Draft(
            tuple(draft.tokens[i] for i in kept),
            xp.stack([draft.q[i] for i in kept]),
            restricted(draft.parents, kept),
        )


class UnmovedSession:
    """Keeps the first nodes of a tree, whichever path was accepted: nothing is moved to where
    it will be read."""

    def __init__(self, session: TreeSession):
        self._session = session

    @property
    def length(self) -> int:
        return self._session.length

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        return self._session.extend(tokens, *([] if parents is None else [parents]))

    def rollback(self, length: int) -> None:
        self._session.rollback(length)

    def keep(self, length: int, path: Sequence[int]) -> None:
        self._session.rollback(length + len(path))


first_slots_kept = partial(Misled, session=UnmovedSession)


class BySlot:
    """A Qwen3 in any form, for which a node's position is its slot in the cache, not the text's
    length plus its depth."""

    def __init__(self, model: "AnyQwen3"):
        self.model, self.context = model, model.context
        self.vocabulary_size = model.vocabulary_size

    def start(self, prompt: Sequence[int]) -> TreeSession:
        return self.model.start(prompt, layout=self._layout)

    def _layout(self, length: int, n: int, parents: Sequence[int] | None) -> "Layout":
        layout = self.model.layout(length, n, parents)
        return replace(layout, positions=slice(length, length + n))


def by_slot(model: LanguageModel) -> LanguageModel:
    """`BySlot`; a model without positions, such as a table, as it is."""
    return BySlot(model) if hasattr(model, "layout") else model


def _drafted(kind: type[Tree] = Tree, draw=without_replacement, through=lambda model: model):
    return lambda model: kind(through(model), SHAPE, draw=draw)


def _decoder(rule: Rule = RECURSIVE_REJECTION, drafter=_drafted(), **options) -> Decoder:
    return Decoder(rule, drafter, **options)


def _edited(name: str, *edits: Edit) -> Decoder:
    return _decoder(Rule(name, slip(recursive_rejection, *edits), False, "common", trees=True))


CORRECT_TREE = _decoder()
TREE_BUGS = (
    Bug(
        "siblings judged by p", "a rejected sibling leaves p as it was for the next one",
        "common",
        _edited(
            "siblings judged by p",
            (
                "ratio = left[x] if q is None else left[x] / q[i, x]",
                "ratio = p[at + 1, x] if q is None else p[at + 1, x] / q[i, x]",
            ),
        ),
    ),
    Bug(
        "one q for all siblings", "drawn without replacement, verified as if drawn with",
        "common", _decoder(drafter=_drafted(FirstRowForAll)),
    ),
    Bug(
        "drawn, then reranked", "of the guesses that were drawn the least likely is left out",
        "common", _decoder(drafter=_drafted(DrawnThenDropped, with_replacement)),
    ),
    Bug(
        "row found by token", "the row after a node is that after the first with its token",
        "common",
        _edited(
            "row found by token",
            (
                "left = p[at + 1]",
                "left = p[tuple(drafted).index(drafted[at]) + 1 if path else 0]",
            ),
        ),
    ),
    Bug(
        "target path not moved", "the target's cache holds the first nodes, whatever was accepted",
        "common", _decoder(target=first_slots_kept),
    ),
    Bug(
        "draft path not moved", "the draft's cache holds the first nodes, whatever was accepted",
        "common", _decoder(drafter=_drafted(draw=with_replacement, through=first_slots_kept)),
    ),
    Bug(
        "positions by slot", "the draft counts the nodes before a node, not its ancestors",
        "common", _decoder(drafter=_drafted(through=by_slot)),
    ),
)  # fmt: skip
