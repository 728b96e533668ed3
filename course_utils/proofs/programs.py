"""A decoder as one function, whoever wrote it: recorded at work, and walked along every path::

    def speculate(
        target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform
    ):
        '''Yield the new tokens of each round, a list per round.'''

`target` and `draft` have `start(tokens)`, which gives a session; a session has `length`,
`extend(tokens)`, which returns logits as a NumPy array (len(tokens), vocabulary), and
`rollback(length)`.  `uniform()` gives a fresh number in [0, 1), which may only be compared:
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
    AddressedRound,
    Uniform,
    Unrepeatable,
    distribution_distance,
    merge_paths,
    outcomes,
)

Program = Callable[..., Iterable]
REPEATED_RUNS = 8  # before paths are walked
MAX_CALLS_PER_ROUND = 20  # times those that any round could need

TARGET, DRAFT = "target", "draft"
START, EXTEND, ROLLBACK = "start", "extend", "rollback"


class Malformed(ValueError):
    """What a program did that no decoder can do, in a sentence."""


class NoOutput(Malformed):
    """A program that returns nothing."""


@dataclass(frozen=True)
class Call:
    """A call of a model, and the text that its session held before."""

    who: str  # TARGET or DRAFT
    does: str  # START, EXTEND or ROLLBACK
    before: tuple[int, ...]
    tokens: tuple[int, ...]  # that were given; of a rollback, those that are left

    @property
    def after(self) -> tuple[int, ...]:
        """The text that the session holds after it."""
        return self.before + self.tokens if self.does == EXTEND else self.tokens


class Recorder:
    """A model as a program sees it: rows in NumPy, and every call noted in `calls`."""

    def __init__(self, model: LanguageModel, who: str, calls: list[Call], max_calls: int):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.model, self._who, self._calls, self._max_calls = model, who, calls, max_calls

    def start(self, prompt: Sequence[int]) -> "RecordedSession":
        tokens = self.ids(prompt)
        self.note(START, (), tokens)
        return RecordedSession(self, self.model.start(list(tokens)), tokens)

    def ids(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """Raises Malformed: no tokens of this model."""
        try:
            ids = tuple(map(operator.index, tokens))
        except TypeError:
            raise Malformed(f"the {self._who} was given {tokens!r:.60}: give token ids") from None
        unknown = [x for x in ids if not 0 <= x < self.vocabulary_size]
        if unknown:
            raise Malformed(f"the {self._who} was given token {unknown[0]}, which it does not know")
        return ids

    def note(self, does: str, before: tuple[int, ...], tokens: tuple[int, ...]) -> None:
        """Raises Malformed: too many calls for a program that will ever end."""
        self._calls.append(Call(self._who, does, before, tokens))
        if len(self._calls) > self._max_calls:
            raise Malformed(f"{self._max_calls} calls of the models, and no end is in sight")


class RecordedSession:
    """A session as a program sees it."""

    def __init__(self, model: Recorder, session: Session, tokens: tuple[int, ...]):
        self._model, self._session, self._tokens = model, session, tokens

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> np.ndarray:
        """Logits (len(tokens), vocabulary).

        Raises:
            Malformed: no tokens, or none of this model's.
        """
        new = self._model.ids(tokens)
        self._model.note(EXTEND, self._tokens, new)
        if not new:
            raise Malformed("extend([]) has no token to read, so no row comes back")
        rows = as_numpy(self._session.extend(list(new))).astype(np.float64)
        self._tokens += new
        return rows

    def rollback(self, length: int) -> None:
        """Raises Malformed: a length that the session never had."""
        length = operator.index(length)
        if not 0 <= length <= self.length:
            raise Malformed(f"rollback({length}) of a session that holds {self.length} tokens")
        self._model.note(ROLLBACK, self._tokens, self._tokens[:length])
        self._session.rollback(length)
        self._tokens = self._tokens[:length]


@dataclass(frozen=True)
class Transcript:
    """A text that a program wrote, round by round, and the calls that each round made."""

    prompt: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    calls: tuple[tuple[Call, ...], ...]  # one more than rounds where a round broke off
    error: Exception | None = None  # what broke it off

    @property
    def tokens(self) -> tuple[int, ...]:
        """The new ones."""
        return tuple(token for emitted in self.rounds for token in emitted)


def write(program: Program, exam: Exam, uniform: Callable[[], Any]) -> Transcript:
    """Let a program write an exam's text; an error of its own breaks the text off.

    Raises:
        NoOutput: it returned nothing.
        Unrepeatable: it draws random numbers of its own.
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
            raise NoOutput("nothing came back: yield the new tokens of each round")
        for emitted in output:
            single = hasattr(emitted, "__index__") and not np.ndim(emitted)  # an array has one, too
            rounds.append(target.ids([emitted] if single else emitted))
            by_round.append(tuple(calls[sum(map(len, by_round)) :]))
            if sum(map(len, rounds)) > exam.length or len(rounds) > exam.length:
                break  # one token or round too many is enough to see
    except (NoOutput, Unrepeatable):
        raise
    except Exception as raised:
        error = raised
        by_round.append(tuple(calls[sum(map(len, by_round)) :]))
    return Transcript(exam.prompt, tuple(rounds), tuple(by_round), error)


def write_text(decoder: Decoder | Program, exam: Exam, noise: NoiseSource) -> tuple[int, ...]:
    """The new tokens of an exam's text.  What the decoder raises comes through."""
    if isinstance(decoder, Decoder):
        return tuple(emitted_tokens(exam.rounds(decoder, noise=lambda _: noise)))
    uniforms = (noise.round(index).uniforms("other", 1)[0] for index in count())
    transcript = write(decoder, exam, uniforms.__next__)
    if transcript.error:
        raise transcript.error
    return transcript.tokens


def check_repeatable(run: Callable[[int], Any]) -> None:
    """Raise Unrepeatable if `run(seed)` is not the same twice."""
    if any(run(seed) != run(seed) for seed in range(REPEATED_RUNS)):
        raise Unrepeatable(
            "the same uniforms led to another text: the program draws random numbers of its "
            "own, or remembers earlier runs"
        )


def texts(program: Program, exam: Exam) -> list[tuple[float, Transcript]]:
    """Every path of a program through an exam's text, and its probability.

    Raises:
        NoOutput, Unrepeatable: as `write`.
    """
    check_repeatable(lambda seed: write(program, exam, np.random.default_rng(seed).random).rounds)
    return list(outcomes(lambda noise: write(program, exam, lambda: Uniform(noise.path))))


def distance(program: Program, exam: Exam) -> float:
    """Total variation of a program's texts from the target's.  Whatever it raises comes through."""
    paths = texts(program, exam)
    for _, transcript in paths:
        if transcript.error:
            raise transcript.error
    written = merge_paths((weight, transcript.tokens) for weight, transcript in paths)
    return distribution_distance(written, exam.truth())


def as_program(decoder: Decoder) -> Program:
    """A decoder of the course that drafts chains, as a program."""

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
