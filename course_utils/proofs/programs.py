"""A decoder as one function, by any author: recorded while it runs, and walked on every path::

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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np

from course_utils.decoding.contracts import LanguageModel, NoiseSource, Session
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.enumeration import (
    UNREPEATABLE,
    AddressedRound,
    Uniform,
    Unrepeatable,
    distribution_distance,
    merge_paths,
    outcomes,
)

Program = Callable[..., Iterable]
REPEATED_RUNS = 8  # runs compared before paths are walked
MAX_CALLS_PER_ROUND = 20  # as a multiple of what any round could need

TARGET, DRAFT = "target", "draft"
START, EXTEND, ROLLBACK = "start", "extend", "rollback"


class Malformed(ValueError):
    """A program did something that no decoder can do; the message says what."""


class NoOutput(Malformed):
    """A program returned nothing."""


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


class Recorder:
    """A model as a program sees it: rows in NumPy, and every call recorded in `calls`."""

    def __init__(self, model: LanguageModel, who: str, calls: list[Call], max_calls: int):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.model, self._who, self._calls, self._max_calls = model, who, calls, max_calls

    def start(self, prompt: Sequence[int]) -> "RecordedSession":
        tokens = self.ids(prompt)
        self.note(START, (), tokens)
        return RecordedSession(self, self.model.start(list(tokens)), tokens)

    def ids(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """Return the tokens as a tuple; raise Malformed if they are not tokens of this model."""
        try:
            ids = tuple(map(operator.index, tokens))
        except TypeError:
            raise Malformed(f"the {self._who} gets {tokens!r:.60}: pass token ids") from None
        unknown = [x for x in ids if not 0 <= x < self.vocabulary_size]
        if unknown:
            raise Malformed(f"the {self._who} gets token {unknown[0]}, which it does not know")
        return ids

    def note(self, does: str, before: tuple[int, ...], tokens: tuple[int, ...]) -> None:
        """Record a call; raise Malformed after more calls than a program that ends can need."""
        self._calls.append(Call(self._who, does, before, tokens))
        if len(self._calls) > self._max_calls:
            raise Malformed(f"{self._max_calls} calls of the models, and the text has not ended")


class RecordedSession:
    """A session as a program sees it."""

    def __init__(self, model: Recorder, session: Session, tokens: tuple[int, ...]):
        self._model, self._session, self._tokens = model, session, tokens

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the logits (len(tokens), vocabulary).

        Raises:
            Malformed: no tokens, or tokens that are not this model's.
        """
        new = self._model.ids(tokens)
        self._model.note(EXTEND, self._tokens, new)
        if not new:
            raise Malformed("extend([]) has no token to read: pass at least one")
        rows = as_numpy(self._session.extend(list(new))).astype(np.float64)
        self._tokens += new
        return rows

    def rollback(self, length: int) -> None:
        """Roll back; raise Malformed for a length beyond the session's."""
        length = operator.index(length)
        if not 0 <= length <= self.length:
            raise Malformed(f"rollback({length}) of a session with {self.length} tokens")
        self._model.note(ROLLBACK, self._tokens, self._tokens[:length])
        self._session.rollback(length)
        self._tokens = self._tokens[:length]


@dataclass(frozen=True)
class Transcript:
    """A program's text, round by round, and the calls of each round."""

    prompt: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    calls: tuple[tuple[Call, ...], ...]  # one more than rounds if a round broke off
    error: Exception | None = None  # the error that broke it off

    @property
    def tokens(self) -> tuple[int, ...]:
        """The new tokens."""
        return tuple(token for emitted in self.rounds for token in emitted)


def write(program: Program, exam: Exam, uniform: Callable[[], Any]) -> Transcript:
    """Let a program write an exam's text; an error of the program ends the text.

    Raises:
        NoOutput: it returned nothing.
        Unrepeatable: it draws its own random numbers.
    """
    calls: list[Call] = []
    max_calls = MAX_CALLS_PER_ROUND * (exam.length + 1) * (exam.gamma + 2)
    target = Recorder(exam.target, TARGET, calls, max_calls)
    draft = Recorder(exam.draft, DRAFT, calls, max_calls)
    rounds: list[tuple[int, ...]] = []
    by_round: list[tuple[Call, ...]] = []
    error = None
    try:
        output = program(
            target, draft, list(exam.prompt), exam.gamma, exam.sampling, exam.length,
            exam.stop_tokens, uniform,
        )  # fmt: skip
        if output is None or output is ...:  # type: ignore[comparison-overlap]  # a stub's
            raise NoOutput("the program returned nothing: yield the new tokens of each round")
        for emitted in output:
            single = hasattr(emitted, "__index__") and not np.ndim(emitted)  # an array has one, too
            rounds.append(target.ids([emitted] if single else emitted))
            by_round.append(tuple(calls[sum(map(len, by_round)) :]))
            if sum(map(len, rounds)) > exam.length or len(rounds) > exam.length:
                break  # one token or round too many is enough evidence
    except (NoOutput, Unrepeatable):
        raise
    except Exception as raised:
        error = raised
        by_round.append(tuple(calls[sum(map(len, by_round)) :]))
    return Transcript(exam.prompt, tuple(rounds), tuple(by_round), error)


def write_text(decoder: Decoder | Program, exam: Exam, noise: NoiseSource) -> tuple[int, ...]:
    """Return the new tokens of an exam's text; errors of the decoder propagate."""
    if isinstance(decoder, Decoder):
        return tuple(emitted_tokens(exam.rounds(decoder, noise=lambda _: noise)))
    uniforms = (noise.round(index).uniforms("other", 1)[0] for index in count())
    transcript = write(decoder, exam, uniforms.__next__)
    if transcript.error:
        raise transcript.error
    return transcript.tokens


def check_repeatable(run: Callable[[int], Any]) -> None:
    """Raise Unrepeatable if `run(seed)` gives different results."""
    first, second = ([run(seed) for seed in range(REPEATED_RUNS)] for _ in range(2))
    if first != second:
        raise Unrepeatable(UNREPEATABLE)


def texts(program: Program, exam: Exam) -> list[tuple[float, Transcript]]:
    """Return (probability, transcript) of every path of a program through an exam's text.

    Raises:
        NoOutput, Unrepeatable: as `write`.
    """
    check_repeatable(lambda seed: write(program, exam, np.random.default_rng(seed).random).rounds)
    return list(outcomes(lambda noise: write(program, exam, lambda: Uniform(noise.path))))


def distance(program: Program, exam: Exam) -> float:
    """Return the total variation of a program's texts from the target's; its errors propagate."""
    paths = texts(program, exam)
    for _, transcript in paths:
        if transcript.error:
            raise transcript.error
    written = merge_paths((weight, transcript.tokens) for weight, transcript in paths)
    return distribution_distance(written, exam.truth())


def as_program(decoder: Decoder) -> Program:
    """Return a decoder of the course that drafts chains as a program."""

    def speculate(  # type: ignore[no-untyped-def]  # the eight arguments of a `Program`
        target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform
    ):
        drawn: dict[tuple[int, str, int], Any] = {}
        source = SimpleNamespace(round=lambda index: AddressedRound(uniform, drawn, index))
        rounds = decoder.run(
            target, draft, prompt, sampling, gamma=gamma, max_new_tokens=max_new_tokens,
            stop_tokens=stop_tokens, noise=lambda seed: source,
        )  # fmt: skip
        for r in rounds:
            yield list(r.emitted)

    return speculate
