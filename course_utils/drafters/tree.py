"""A language model that guesses a tree: of a fixed shape, or of what it is most sure of.

For the rules of `TREE_RULES`.  Both grow it level by level, one pass of the model for
each level, over those nodes only that get children.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    LanguageModel,
    RoundNoise,
    Rows,
    TreeSession,
)
from course_utils.decoding.loop import catch_up
from course_utils.decoding.optimal_trees import expand, path_values, rerank, restricted
from course_utils.decoding.proposal import check_model, sampling_of
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.trees import checked, children
from course_utils.drafters.cached_prefix import CachedPrefix
from course_utils.drafters.candidates import Draw, likeliest, without_replacement


class CachedTree:
    """What a drafter's model has processed: the text and, behind it, a tree of guesses.

    The tree grows level by level, a pass of the draft model for each.  When the text has
    grown, the path that it took stays in the cache, and the rest of the tree is forgotten.
    Nodes go by their places in the draft.
    A node that gets no children need not be processed: its row is not asked for.
    """

    def __init__(self, model: LanguageModel):
        check_model(model, "draft")
        self.model = model
        self._session: TreeSession | None = None
        self._cached = CachedPrefix()  # of the text
        self._text = 0  # so many tokens of the session are the text
        self._guesses: list[int] = []  # the tree behind it, as the session holds it
        self._parents: list[int] = []
        self._slots: dict[int, int] = {}  # place in the draft -> place in the session's tree

    def after_text(self, tokens: Sequence[int]) -> Rows:
        """Logits (1, vocabulary) of what follows the text; forgets the tree.

        Raises:
            ValueError: the model's sessions hold no trees.
        """
        if self._session is None:  # a prompt is read without a row for each of its tokens
            self._session = _tree_session(self.model, tokens[:-1])
            self._cached.now(tokens[:-1])
            self._text = len(tokens) - 1
        kept = self._cached.agrees_with(tokens)
        if kept == self._text and (path := self._path(tokens[kept:])):
            self._session.keep(kept, path)
            kept += len(path)
        logits = catch_up(self._session, tokens, min(kept, len(tokens) - 1))
        self._cached.now(tokens)
        self._text = len(tokens)
        self._guesses, self._parents, self._slots = [], [], {-1: -1}
        return logits[-1:]

    def after_nodes(
        self, places: Sequence[int], guesses: Sequence[int], parents: Sequence[int]
    ) -> Rows:
        """Logits (len(places), vocabulary) of what follows these nodes of a draft.

        Args:
            places: of nodes of one level, rising, whose parents were asked about before.
            guesses, parents: of the draft so far.
        """
        for place in places:
            self._slots[place] = len(self._guesses)
            self._guesses.append(guesses[place])
            self._parents.append(self._slots[parents[place]])
        return self._session.extend([guesses[place] for place in places], self._parents)

    def _path(self, new: Sequence[int]) -> list[int]:
        """The way that the text took through the tree, as far as it was processed.

        Of siblings with the same token any is right: they have the same keys and values.
        """
        path, at = [], -1
        for token in new:
            same = [
                slot
                for slot, parent in enumerate(self._parents)
                if parent == at and self._guesses[slot] == token
            ]
            if not same:
                break
            at = same[0]
            path.append(at)
        return path


def _tree_session(model: LanguageModel, prompt: Sequence[int]) -> TreeSession:
    session = model.start(prompt)
    if not hasattr(session, "keep"):
        raise ValueError(
            f"the sessions of {type(model).__name__} hold no trees of guesses, only texts: take "
            "a model of the course (Qwen3, tables), or a drafter of chains (Sampled)"
        )
    return session


class Tree:
    """Drafts a tree of a fixed shape: SpecInfer's, Sequoia's, a chain.

    The guesses after a node are drawn from its row, the first for the child of rank 0.
    If a row has fewer tokens than the node has children, the last of these are left out,
    with all behind them: that depends on what was drawn before them, never on them.

    Args:
        shape: parents, as in `decoding.trees`; gamma cuts it to its first gamma nodes.
        sampling: None, the settings of the run.  At temperature 0 the guesses are the
            likeliest tokens, whatever `draw` is.
        draw: how the children of a node are chosen.
    """

    def __init__(
        self,
        model: LanguageModel,
        shape: Sequence[int],
        sampling: Sampling | None = None,
        draw: Draw = without_replacement,
    ):
        self.model = model
        self.shape = checked(shape)
        self.sampling, self.draw = sampling, draw
        self._cached = CachedTree(model)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        nodes = min(gamma, len(self.shape), self.model.context - len(tokens) + 1)
        if nodes < 1:
            return NO_DRAFT
        wanted = children(self.shape[:nodes])
        uniforms, sampling = noise.uniforms("draft", nodes), sampling_of(tokens, self.sampling)
        draw = self.draw
        if sampling.temperature == 0:  # a row of one token has no second
            sampling, draw = Sampling(), likeliest
        guesses: list[int] = []
        parents: list[int] = []
        of_shape: list[int] = []  # which node of the shape each guess is
        drawn_from = []
        level, logits = [-1], self._cached.after_text(tokens)
        while level:
            begin = len(guesses)
            for place, row in zip(level, probabilities(logits, sampling), strict=True):
                following = wanted[of_shape[place] + 1 if place >= 0 else 0]
                own = uniforms[len(guesses) : len(guesses) + len(following)]
                candidates, rows = draw(row, own)
                guesses += candidates
                parents += [place] * len(candidates)
                of_shape += following[: len(candidates)]
                drawn_from += rows or ()
            level = [i for i in range(begin, len(guesses)) if wanted[of_shape[i] + 1]]
            if level:
                logits = self._cached.after_nodes(level, guesses, parents)
        q = namespace(logits).stack(drawn_from) if drawn_from else None
        return Draft(tuple(guesses), q, tuple(parents))


class Expanded:
    """Drafts the tree that the model is most sure of, another in each round: EAGLE-2.

    Li et al. 2024 (REFERENCES.md: li2024eagle2).  The likeliest tokens follow each node
    that is expanded, the `width` most valuable nodes of a level are, and the most
    valuable nodes of all are submitted.  No guess is drawn, so q is None.

    Args:
        width: nodes of a level that get children, and children of each.
        levels: the most guesses on a path.
        nodes: submitted at most; gamma may allow fewer.
        sampling: None, the settings of the run.

    Raises:
        ValueError: a number below 1.
    """

    def __init__(
        self,
        model: LanguageModel,
        width: int,
        levels: int,
        nodes: int,
        sampling: Sampling | None = None,
    ):
        for name, number in (("width", width), ("levels", levels), ("nodes", nodes)):
            if number < 1:
                raise ValueError(f"{name} is {number}; give a whole number, at least 1")
        self.model = model
        self.width, self.levels, self.nodes = width, levels, nodes
        self.sampling = sampling
        self._cached = CachedTree(model)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        room = self.model.context - len(tokens)
        if room < 0 or gamma < 1:
            return NO_DRAFT
        sampling = sampling_of(tokens, self.sampling)
        if sampling.temperature == 0:
            sampling = Sampling()
        guesses: list[int] = []
        parents: list[int] = []
        confidences: list[float] = []
        level, logits = [-1], self._cached.after_text(tokens)
        for left in reversed(range(min(self.levels, gamma, 1 + room // self.width))):
            begin = len(guesses)
            for place, row in zip(level, probabilities(logits, sampling), strict=True):
                for token in likeliest(row, range(self.width))[0]:
                    if row[token] > 0:
                        guesses.append(token)
                        parents.append(place)
                        confidences.append(min(1.0, float(row[token])))
            values = path_values(parents, confidences)
            level = [begin + i for i in expand(values[begin:], self.width)]
            if left:
                logits = self._cached.after_nodes(level, guesses, parents)
        chosen = rerank(parents, values, min(self.nodes, gamma))
        return Draft(tuple(guesses[i] for i in chosen), None, restricted(parents, chosen))
