"""Models of restricted support, so that every path through a long text can be walked.

At each place of a text only the likeliest tokens are possible: one nearly everywhere, a few
or many at the places an exam is about.  Where one token is possible for target and draft alike
nothing is decided and no path branches, so a text may be long, gamma large, and the
vocabulary a real model's.

A model is asked once for the row of each text, so a text has one row, to the last bit,
whichever passes a decoder makes: what is left of rounding is float64's.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.models.toys.tables import SequenceSession
from course_utils.proofs.decoders import Exam

MAX_NEW_TOKENS = 32  # to read, beyond which a session is started anew: that needs no rows


class RowReader:
    """A model that is asked for one row after another; its session goes on where texts agree."""

    def __init__(self, model: LanguageModel):
        self.model = model
        self._text: tuple[int, ...] = ()
        self._session: Session | None = None

    def row(self, text: Sequence[int]) -> np.ndarray:
        """Logits (vocabulary,) of what follows the text, float64."""
        length = min(common_prefix(self._text, text), len(text) - 1)
        if self._session is None or len(text) - length > MAX_NEW_TOKENS:
            self._session, length = self.model.start(list(text[:-1])), len(text) - 1
        elif length < len(self._text):
            self._session.rollback(length)
        self._text = tuple(text)
        return as_numpy(self._session.extend(list(text[length:])))[-1].astype(np.float64)


class RestrictedModel:
    """What a model says, of its likeliest tokens only.

    Where `widths` has the length of the text, of so many, and of those that are `always`
    possible, too; elsewhere what `leader` says, or of one.
    """

    def __init__(
        self, reader: RowReader, widths: Mapping[int, int], always: Sequence[int] = (),
        leader: "RestrictedModel | None" = None,
    ):  # fmt: skip
        self.vocabulary_size = reader.model.vocabulary_size
        self.context = reader.model.context
        self._reader, self._widths, self._always, self._leader = reader, widths, always, leader
        self._support: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # of a text: tokens, p

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
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
        p = np.exp(logits[possible] - logits.max())
        return possible, p / p.sum()


Models = tuple[RowReader, RowReader]  # of target and draft


def restricted_exam(
    models: Models, prompt: Sequence[int], length: int, at: Mapping[int, tuple[int, int]],
    sampling: Sampling = Sampling(), gamma: int = 4, always: Sequence[int] = (),
    stop_tokens: Sequence[int] = (),
) -> Exam:  # fmt: skip
    """An exam of a text of `length` tokens; `at` has the places, from 0, where something is
    decided, and how many tokens are possible there for the target and for the draft."""
    p, q = ({len(prompt) + place: wide[i] for place, wide in at.items()} for i in (0, 1))
    target = RestrictedModel(models[0], p, always)
    draft = RestrictedModel(models[1], q, always, leader=target)
    return Exam(target, draft, sampling, gamma, length, tuple(prompt), tuple(stop_tokens))
