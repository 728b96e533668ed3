"""A drafter's session that holds the text and, behind it, a tree of guesses.

The tree grows level by level, a pass of the draft model for each.  When the text has
grown, the path that it took stays in the cache, and the rest of the tree is forgotten.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import LanguageModel, Rows, TreeSession
from course_utils.decoding.loop import catch_up
from course_utils.drafters.held import Held


class HeldTree:
    """What a drafter's model has processed; nodes go by their places in the draft.

    A node that gets no children need not be processed: its row is not asked for.
    """

    def __init__(self, model: LanguageModel):
        self.model = model
        self._session: TreeSession | None = None
        self._held = Held()  # of the text
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
            self._held.now(tokens[:-1])
            self._text = len(tokens) - 1
        kept = self._held.agrees_with(tokens)
        if kept == self._text and (path := self._path(tokens[kept:])):
            self._session.keep(kept, path)
            kept += len(path)
        logits = catch_up(self._session, tokens, min(kept, len(tokens) - 1))
        self._held.now(tokens)
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
            "a model of the course (Qwen3, PackedQwen3, tables), or a drafter of chains (Sampled)"
        )
    return session
