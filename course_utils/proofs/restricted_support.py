"""Models of restricted support, for walking every path through a long text.

At each place of a text only the likeliest tokens are possible: one nearly everywhere, a few or
many at the places that an exam tests.  Where only one token is possible for both target and draft,
no path branches, so the text may be long, gamma large, and the vocabulary a real model's.

The row of each text is computed once, so it is the same to the last bit, whatever passes a decoder
makes; the only rounding left is that of float64.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.sessions import common_prefix
from course_utils.models.toys.tables import RowModel
from course_utils.proofs.decoders import Exam

# Between neighbours: half precision has ties, and either of two may be cut off by top-p
TIE_BREAK = 1e-3
MAX_NEW_TOKENS = 32  # for more tokens a new session is started, which computes no rows


class RowReader:
    """A model read one row at a time; its session continues from the common prefix."""

    def __init__(self, model: LanguageModel):
        self.model = model
        self._text: tuple[int, ...] = ()
        self._session: Session | None = None

    def row(self, text: Sequence[int]) -> np.ndarray:
        """Return the logits (vocabulary,) after the text, float64."""
        length = min(common_prefix(self._text, text), len(text) - 1)
        if self._session is None or len(text) - length > MAX_NEW_TOKENS:
            self._session, length = self.model.start(list(text[:-1])), len(text) - 1
        elif length < len(self._text):
            self._session.rollback(length)
        self._text = tuple(text)
        return as_numpy(self._session.extend(list(text[length:])))[-1].astype(np.float64)


class RestrictedModel(RowModel):
    """A model restricted to its likeliest tokens.

    If `widths` contains the length of the text, that many tokens are possible, and also those in
    `always`; elsewhere only the likeliest token of `leader` or, without one, of the model.
    """

    def __init__(
        self, reader: RowReader, widths: Mapping[int, int], always: Sequence[int] = (),
        leader: "RestrictedModel | None" = None,
    ):  # fmt: skip
        self.vocabulary_size = reader.model.vocabulary_size
        self.context = reader.model.context
        self._reader, self._widths, self._always, self._leader = reader, widths, always, leader
        self._support: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # by text: tokens, p

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the distribution (vocabulary,) of the token after `tokens`."""
        if self._leader is not None and len(tokens) not in self._widths:
            return self._leader.distribution(tokens)
        key = hash(tuple(tokens))
        if key not in self._support:
            self._support[key] = self._likeliest(tokens)
        possible, p = self._support[key]
        row = np.zeros(self.vocabulary_size)
        row[possible] = p
        return row

    def _likeliest(self, tokens: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        logits, width = self._reader.row(tokens), self._widths.get(len(tokens), 0)
        possible = np.argsort(-logits, kind="stable")[: width or 1]
        possible = np.union1d(possible, self._always if width else ()).astype(np.int64)
        ranks = np.argsort(np.argsort(-logits[possible], kind="stable"))
        p = np.exp(logits[possible] - logits.max() - TIE_BREAK * ranks)
        return possible, p / p.sum()


Models = tuple[RowReader, RowReader]  # target and draft


def restricted_exam(
    models: Models, prompt: Sequence[int], length: int, at: Mapping[int, tuple[int, int]],
    sampling: Sampling = Sampling(), gamma: int = 4, always: Sequence[int] = (),
    stop_tokens: Sequence[int] = (),
) -> Exam:  # fmt: skip
    """Return an exam of a text of `length` tokens; `at` has the places, from 0, where paths
    branch, and how many tokens are possible there for the target and for the draft."""
    p, q = ({len(prompt) + place: wide[i] for place, wide in at.items()} for i in (0, 1))
    target = RestrictedModel(models[0], p, always)
    draft = RestrictedModel(models[1], q, always, leader=target)
    return Exam(target, draft, sampling, gamma, length, tuple(prompt), tuple(stop_tokens))
