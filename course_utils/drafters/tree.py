"""A language model that guesses trees, of a fixed shape or by confidence.

For the rules in `TREE_RULES`.  Both kinds grow level by level, with one pass of the model
per level, over only those nodes that get children.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    LanguageModel,
    RoundNoise,
    Rows,
    TreeSession,
    Uniforms,
)
from course_utils.decoding.proposal import check_model, sampling_of
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.sampling import Sampling, probabilities_where_open
from course_utils.decoding.sessions import CachedPrefix, catch_up, forward, in_trees
from course_utils.decoding.trees import Parents, checked_parents, children
from course_utils.decoding.whole_numbers import whole_number
from course_utils.drafters.candidates import Draw, likeliest, without_replacement
from course_utils.theory.optimal_trees import path_values, rerank, restricted


class CachedTree:
    """The tokens that a drafter's model has processed: the text and a tree of guesses after it.

    When the text grows, the accepted path stays in the cache and the rest of the tree is
    dropped.  A node without children need not be processed.

    Raises:
        ValueError: the model's sessions cannot hold trees.
    """

    def __init__(self, model: LanguageModel, prompt: Sequence[int]):
        # the prompt is read without computing a row per token
        self._session: TreeSession = in_trees(model.start(prompt))
        self._cached = CachedPrefix()  # the text's tokens
        self._cached.update(prompt)
        self._text = len(prompt)  # the number of the session's tokens that are text
        self._guesses: list[int] = []  # the tree after it, in the session's order
        self._parents: list[int] = []
        self._slots: dict[int, int] = {}  # place in the draft -> place in the session's tree

    def after_text(self, tokens: Sequence[int]) -> Rows:
        """Return the logits (1, vocabulary) after the text; drop the tree."""
        agreed = self._cached.match(tokens)
        if agreed == self._text and (path := self._path(tokens[agreed:])):
            self._session.keep(agreed, path)
            agreed += len(path)
        logits = catch_up(self._session, tokens, min(agreed, len(tokens) - 1))
        self._cached.update(tokens)
        self._text = len(tokens)
        self._guesses, self._parents, self._slots = [], [], {-1: -1}
        return logits[-1:]

    def after_nodes(
        self, places: Sequence[int], guesses: Sequence[int], parents: Sequence[int]
    ) -> Rows:
        """Return the logits (len(places), vocabulary) after nodes of one level, in rising order;
        the logits after their parents must have been requested before."""
        for place in places:
            self._slots[place] = len(self._guesses)
            self._guesses.append(guesses[place])
            self._parents.append(self._slots[parents[place]])
        return forward(self._session, [guesses[place] for place in places], self._parents)

    def _path(self, new: Sequence[int]) -> list[int]:
        """Return the text's path through the tree, as far as it was processed.

        Any of several siblings with the same token will do: they have the same keys and values.
        """
        nodes = list(zip(self._parents, self._guesses, strict=True))
        path, at = [], -1
        for token in new:
            if (at, token) not in nodes:
                break
            at = nodes.index((at, token))
            path.append(at)
        return path


@dataclass(frozen=True)
class MostConfident:
    """The limits of trees grown by confidence, a different one each round: EAGLE-2.

    The `width` most valuable nodes of a level are expanded with their likeliest tokens, and the
    most valuable nodes of all levels are submitted: see `optimal_trees`.  The guesses are not
    drawn, so q is None.

    Raises:
        ValueError: a number below 1.
    """

    width: int  # nodes per level that get children, and children of each
    levels: int  # the most guesses on a path
    nodes: int  # the most nodes submitted; gamma may allow fewer

    def __post_init__(self) -> None:
        for name, number in vars(self).items():
            whole_number(name, number, 1)


# P(the child of a rank is the accepted one | its parent was reached), of the trained pair:
# drawn without replacement at temperature 1, 8 held-out prompts, 257 parents (`bench --trees` at
# commit 8ba2c985)
BY_RANK = (0.712, 0.091, 0.032, 0.029, 0.025, 0.026, 0.004, 0.004)
SHAPE: Parents = (-1, -1, 0, 0, 1)  # sequoia(BY_RANK, 5, levels=2), the fastest of its on a CPU
EXPANDED = MostConfident(width=3, levels=4, nodes=6)


class Tree:
    """Draft a tree after the text.

    With a fixed shape (SpecInfer's, Sequoia's, a chain), the guesses after a node are drawn from
    its row, the first for the child of rank 0.  If a row has fewer tokens than the node has
    children, the last children and their subtrees are left out; that depends only on earlier draws.

    Args:
        shape: parents, as in `decoding.trees`, cut to the first gamma nodes; or `MostConfident`.
        sampling: None uses the settings of the run.  At temperature 0 the guesses are the
            likeliest tokens, whatever `draw` is.
        draw: how to choose the children of a node in a fixed shape.
    """

    rule, nodes = RECURSIVE_REJECTION, len(SHAPE)  # by default

    def __init__(
        self, model: LanguageModel, shape: Sequence[int] | MostConfident = SHAPE,
        sampling: Sampling | None = None, draw: Draw = without_replacement,
    ):  # fmt: skip
        check_model(model, "draft")
        self.model, self.sampling, self.draw = model, sampling, draw
        self.shape = shape if isinstance(shape, MostConfident) else checked_parents(shape)
        self._cached: CachedTree | None = None

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        room = self.model.context - len(tokens)
        if room < 0 or gamma < 1 or not self.shape:
            return NO_DRAFT
        if self._cached is None:
            self._cached = CachedTree(self.model, tokens[:-1])
        sampling, draw = sampling_of(tokens, self.sampling), self.draw
        if sampling.temperature == 0:  # a one-hot row has no second token
            sampling, draw = Sampling(), likeliest
        logits = self._cached.after_text(tokens)
        if isinstance(self.shape, MostConfident):
            levels = min(self.shape.levels, gamma, 1 + room // self.shape.width)
            return _confident(self._cached, logits, self.shape, levels, gamma, sampling)
        shape = self.shape[: min(gamma, room + 1)]
        uniforms = noise.uniforms("draft", len(shape))
        return _shaped(self._cached, logits, shape, uniforms, draw, sampling)


class ExpandedTree(Tree):
    """A `Tree` grown by confidence, by default within the limits `EXPANDED`."""

    nodes = EXPANDED.nodes

    def __init__(self, model: LanguageModel, limits: MostConfident = EXPANDED):
        super().__init__(model, limits)


def _shaped(
    cached: CachedTree, logits: Rows, shape: Parents, uniforms: Uniforms, draw: Draw,
    sampling: Sampling,
) -> Draft:  # fmt: skip
    wanted = children(shape)
    guesses: list[int] = []
    parents: list[int] = []
    of_shape: list[int] = []  # the node of the shape for each guess
    drawn_from: list[Rows] = []
    level = [-1]
    while level:
        begin = len(guesses)
        rows, _ = probabilities_where_open(logits, sampling)
        for place, row in zip(level, rows, strict=True):
            following = wanted[of_shape[place] + 1 if place >= 0 else 0]
            own = uniforms[len(guesses) : len(guesses) + len(following)]
            candidates, drawn = draw(row, own)
            guesses += candidates
            parents += [place] * len(candidates)
            of_shape += following[: len(candidates)]
            drawn_from += drawn or ()
        level = [i for i in range(begin, len(guesses)) if wanted[of_shape[i] + 1]]
        if level:
            logits = cached.after_nodes(level, guesses, parents)
    q = namespace(logits).stack(drawn_from) if drawn_from else None
    return Draft(tuple(guesses), q, tuple(parents))


def _confident(
    cached: CachedTree, logits: Rows, limits: MostConfident, levels: int, gamma: int,
    sampling: Sampling,
) -> Draft:  # fmt: skip
    guesses: list[int] = []
    parents: list[int] = []
    confidences: list[float] = []
    level = [-1]
    for left in reversed(range(levels)):
        begin = len(guesses)
        rows, _ = probabilities_where_open(logits, sampling)
        for place, row in zip(level, rows, strict=True):
            for token in likeliest(row, range(limits.width))[0]:
                if row[token] > 0:
                    guesses.append(token)
                    parents.append(place)
                    confidences.append(min(1.0, float(row[token])))
        newest = path_values(parents, confidences)[begin:]
        level = [begin + i for i in rerank(newest, limits.width)]
        if left:
            logits = cached.after_nodes(level, guesses, parents)
    chosen = rerank(path_values(parents, confidences), min(limits.nodes, gamma))
    return Draft(tuple(guesses[i] for i in chosen), None, restricted(parents, chosen))
