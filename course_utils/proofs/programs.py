"""A decoder as one function, by any author, and strict models that record what it calls::

    def speculate(
        target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform
    ):
        '''Yield the new tokens of each round, a list per round.'''

`target` and `draft` have `start(tokens)`, which returns a session; a session has `length`,
`extend(tokens)`, which returns logits as a NumPy array (len(tokens), vocabulary), and
`rollback(length)`.  `uniform()` returns a new number in [0, 1), which may only be compared, as
`sample(row, uniform())` does.  A text has at most `max_new_tokens` new tokens, and ends with
the first of `stop_tokens`.  A program may also return all its tokens at once.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from course_utils.decoding.contracts import LanguageModel, NoiseSource, Session
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.enumeration import Unrepeatable, comparing
from course_utils.refused import NothingReturned, Refused, require, returned

MAX_CALLS_PER_ROUND = 20  # as a multiple of what any round could need

TARGET, DRAFT = "target", "draft"
START, EXTEND, ROLLBACK = "start", "extend", "rollback"


@dataclass(frozen=True)
class Call:
    """A call of a model, and its session's text before the call."""

    who: str  # TARGET or DRAFT
    does: str  # START, EXTEND or ROLLBACK
    before: tuple[int, ...]
    tokens: tuple[int, ...]  # the arguments; for a rollback, the tokens left

    @property
    def after(self) -> tuple[int, ...]:
        """The session's text after the call."""
        return self.before + self.tokens if self.does == EXTEND else self.tokens


class StrictModel:
    """A model as a program sees it: rows in NumPy, and every call recorded in `calls`.

    It and its sessions raise Refused for a call that no model can answer.
    """

    def __init__(
        self, model: LanguageModel, who: str, calls: list[Call], max_calls: float = np.inf
    ):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.model, self._who, self._calls, self._max_calls = model, who, calls, max_calls

    def start(self, prompt: Sequence[int]) -> "StrictSession":
        tokens = self.ids(prompt)
        self.record(START, (), tokens)
        return StrictSession(self, self.model.start(list(tokens)), tokens)

    def ids(self, tokens: Any) -> tuple[int, ...]:
        """Return the tokens as a tuple."""
        try:
            ids = tuple(map(operator.index, tokens))
        except TypeError:
            raise Refused(f"the {self._who} gets {tokens!r:.60}: pass token ids") from None
        unknown = [x for x in ids if not 0 <= x < self.vocabulary_size]
        require(not unknown, f"the {self._who} gets tokens {unknown}, which are not its own")
        return ids

    def record(self, does: str, before: tuple[int, ...], tokens: tuple[int, ...]) -> None:
        """Record a call; refuse more calls than a program that ends can need."""
        self._calls.append(Call(self._who, does, before, tokens))
        fine = len(self._calls) <= self._max_calls
        require(fine, f"{self._max_calls} calls of the models, and the text has not ended")


class StrictSession:
    """A session as a program sees it."""

    def __init__(self, model: StrictModel, session: Session, tokens: tuple[int, ...]):
        self._model, self._session, self._tokens = model, session, tokens

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the logits (len(tokens), vocabulary), float64."""
        new = self._model.ids(tokens)
        self._model.record(EXTEND, self._tokens, new)
        require(new, "extend([]) has no token to read: pass at least one")
        rows = as_numpy(self._session.extend(list(new))).astype(np.float64)
        self._tokens += new
        return rows

    def rollback(self, length: int) -> None:
        """Keep the first `length` tokens."""
        fine = 0 <= operator.index(length) <= self.length
        require(fine, f"rollback({length}) of a session with {self.length} tokens")
        self._model.record(ROLLBACK, self._tokens, self._tokens[:length])
        self._session.rollback(length)
        self._tokens = self._tokens[:length]


@dataclass(frozen=True)
class RecordedRound:
    """The new tokens of a program's round, and what it called for them."""

    emitted: tuple[int, ...]
    calls: tuple[Call, ...]
    error: Exception | None = None  # which broke the round off


@dataclass(frozen=True)
class Program:
    """A function with the signature above as a subject of proofs."""

    function: Callable[..., Iterable]
    raises: bool = True  # its own errors; otherwise an error is the last round
    trees = False

    def run(
        self, target: LanguageModel, draft: LanguageModel, prompt: Sequence[int],
        sampling: Sampling = Sampling(), *, gamma: int, max_new_tokens: int,
        stop_tokens: Sequence[int] = (), noise: Callable[[int], NoiseSource] = Noise, seed: int = 0,
    ) -> Iterator[RecordedRound]:  # fmt: skip
        """Yield the rounds of a text, which fits the target's context.

        Raises:
            NothingReturned, Unrepeatable: it cannot be examined at all.
            Exception: the program's own, if `raises`.
        """
        calls: list[Call] = []
        room = min(max_new_tokens, target.context - len(prompt))
        max_calls = MAX_CALLS_PER_ROUND * (room + 1) * (gamma + 2)
        models = [
            StrictModel(model, who, calls, max_calls)
            for model, who in ((target, TARGET), (draft, DRAFT))
        ]
        source, written = noise(seed), 0
        uniform = (source.round(index).uniforms("other", 1)[0] for index in count()).__next__
        try:
            with comparing():
                output = returned(self.function(
                    *models, list(prompt), gamma, sampling, room, stop_tokens, uniform
                ))  # fmt: skip
                for rounds, new in enumerate(output):
                    single = hasattr(new, "__index__") and not np.ndim(new)  # an array has one, too
                    emitted = models[0].ids([new] if single else new)
                    yield RecordedRound(emitted, tuple(calls))
                    calls.clear()
                    written += len(emitted)
                    if written > room or rounds >= room:
                        return  # one token or round too many is enough evidence
        except (NothingReturned, Unrepeatable):
            raise
        except Exception as error:
            if self.raises:
                raise
            yield RecordedRound((), tuple(calls), error)
