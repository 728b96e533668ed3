"""A decoder as one function, whoever wrote it: watched at work, and walked along every path::

    def speculate(target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform):
        '''Yield the new tokens of each round, a list per round.'''

`target` and `draft` have `start(tokens)`, which gives a session; a session has `length`,
`extend(tokens)`, which returns logits as a NumPy array (len(tokens), vocabulary), and
`rollback(length)`.  `uniform()` gives a fresh number in [0, 1), which may only be compared:
`sample(row, uniform())` does.  A text has at most `max_new_tokens` new tokens, and ends with
the first of `stop_tokens`.  A program may also return all its tokens at once.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.enumeration import (
    AddressedRound,
    Distribution,
    Uniform,
    Unrepeatable,
    distribution_distance,
    merge_paths,
    outcomes,
)
from course_utils.proofs.synthetic import Mixed

Program = Callable[..., Iterable]
REPEATED = 8  # runs that are made twice before paths are walked
PATIENCE = 20  # times the calls that any round could need
MOST = 200_000  # tokens that are written; what is lossless writes a quarter of them in any exam
ENOUGH = 4_000  # tokens written, after which a walk may end, if a defect is certain
EXACT = 1e-12  # rounding of float64 in the sums over paths
TOO_CLOSE, FAR = 1e-10, 1e-4  # shares of a row that float32 does not hold, and that it does


TARGET, DRAFT = "target", "draft"
START, EXTEND, ROLLBACK = "start", "extend", "rollback"


class Malformed(ValueError):
    """What a program did that no decoder can do, in a sentence."""


@dataclass(frozen=True)
class Call:
    """A call of a model, and the text that its session held before."""

    who: str  # TARGET or DRAFT
    does: str  # START, EXTEND or ROLLBACK
    held: tuple[int, ...]
    tokens: tuple[int, ...]  # that were given; of a rollback, those that are left

    @property
    def after(self) -> tuple[int, ...]:
        """What the session holds after it."""
        return self.held + self.tokens if self.does == EXTEND else self.tokens


class Watched:
    """A model as a program sees it: rows in NumPy, and every call noted."""

    def __init__(self, model: LanguageModel, who: str, calls: list[Call], most: int):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.model, self._who, self._calls, self._most = model, who, calls, most

    def start(self, prompt: Sequence[int]) -> "WatchedSession":
        tokens = self.ids(prompt)
        self.note(START, (), tokens)
        return WatchedSession(self, self.model.start(list(tokens)), tokens)

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

    def note(self, does: str, held: tuple[int, ...], tokens: tuple[int, ...]) -> None:
        """Raises Malformed: too many calls for a program that will ever end."""
        self._calls.append(Call(self._who, does, held, tokens))
        if len(self._calls) > self._most:
            raise Malformed(f"the models were called {self._most} times, and no end is in sight")


class WatchedSession:
    """A session as a program sees it."""

    def __init__(self, model: Watched, session: Session, tokens: tuple[int, ...]):
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


class Unwritten(Malformed):
    """A program that returns nothing."""


class Endless(ValueError):
    """A program of more paths than can be walked."""


@dataclass(frozen=True)
class Written:
    """A text that a program wrote, round by round, and the calls that each round made."""

    prompt: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    calls: tuple[tuple[Call, ...], ...]  # one more than rounds where a round broke off
    error: Exception | None = None  # what broke it off

    @property
    def tokens(self) -> tuple[int, ...]:
        """The new ones."""
        return tuple(token for emitted in self.rounds for token in emitted)


def write(
    program: Program, target: LanguageModel, draft: LanguageModel, prompt: Sequence[int], *,
    gamma: int, max_new_tokens: int, uniform: Callable[[], float],
    sampling: Sampling = Sampling(), stop_tokens: Sequence[int] = (),
) -> Written:  # fmt: skip
    """Let a program write a text; an error of its own breaks the text off.

    Raises:
        Unwritten: it returned nothing.
        Unrepeatable: it draws random numbers of its own.
    """
    calls: list[Call] = []
    most = PATIENCE * (max_new_tokens + 1) * (gamma + 2)
    models = Watched(target, TARGET, calls, most), Watched(draft, DRAFT, calls, most)
    rounds: list[tuple[int, ...]] = []
    noted, seen, error = [], 0, None
    try:
        said = program(
            *models, list(prompt), gamma, sampling, max_new_tokens, tuple(stop_tokens), uniform
        )
        for emitted in _rounds(said):
            rounds.append(models[0].ids(emitted))
            noted.append(tuple(calls[seen:]))
            seen = len(calls)
            if sum(map(len, rounds)) > max_new_tokens or len(rounds) > max_new_tokens:
                break  # one token or round too many is enough to see
    except (Unwritten, Unrepeatable):
        raise
    except Exception as raised:
        error = raised
        noted.append(tuple(calls[seen:]))
    return Written(tuple(prompt), tuple(rounds), tuple(noted), error)


def _rounds(said: object) -> Iterator[Sequence[int]]:
    """What a program yields or returns, as the tokens of each round."""
    if said is None or said is ...:
        raise Unwritten("nothing came back: yield the new tokens of each round")
    if not isinstance(said, Iterable):
        raise Malformed(f"{said!r:.60} came back: yield the new tokens of each round")
    if isinstance(said, Sequence) and all(map(_is_token, said)):
        yield said  # all at once
        return
    for emitted in said:
        yield [emitted] if _is_token(emitted) else emitted


def _is_token(value: object) -> bool:
    return hasattr(value, "__index__") and not np.ndim(value)  # an array has one, too


def write_exam(program: Program, exam: Exam, uniform: Callable[[], float]) -> Written:
    """`write` with what an exam asks for."""
    return write(
        program, exam.target, exam.draft, exam.prompt, gamma=exam.gamma, sampling=exam.sampling,
        max_new_tokens=exam.length, stop_tokens=exam.stop_tokens, uniform=uniform,
    )  # fmt: skip


def texts(program: Program, exam: Exam) -> list[tuple[float, Written]]:
    """Every path of a program through an exam's text, and its probability.

    Raises:
        Unwritten, Unrepeatable: as `write`.
    """
    return list(_walked(program, exam, REPEATED))


def _walked(program: Program, exam: Exam, repeated: int) -> Iterator[tuple[float, Written]]:
    for seed in range(repeated):
        numbers = (np.random.default_rng(seed).random for _ in range(2))
        first, again = (write_exam(program, exam, uniform) for uniform in numbers)
        if first.rounds != again.rounds:
            raise Unrepeatable(
                "the same uniforms led to another text: the program draws random numbers of its "
                "own, or remembers earlier runs"
            )
    yield from outcomes(lambda noise: write_exam(program, exam, lambda: Uniform(noise.path)))


def distribution_of(paths: Iterable[tuple[float, Written]]) -> Distribution:
    """The exact joint distribution of the texts of `texts`."""
    return merge_paths((weight, written.tokens) for weight, written in paths)


def distance(
    program: Program, exam: Exam, repeated: int = REPEATED, rounding: float = EXACT
) -> float:
    """Total variation of a program's texts from the target's.  Whatever it raises comes through.

    Where thousands of tokens were written, and the paths walked give a text more than its
    probability already, it is what they show: the whole distance is no smaller.

    Args:
        repeated: runs that are made twice before, to see whether they can be.
        rounding: the least distance that is a defect.

    Raises:
        Unwritten, Unrepeatable: as `write`.
        Endless: the paths have more than `MOST` tokens, and those show no defect.
    """
    truth, walked = exam.truth(), []
    tokens, due = 0, ENOUGH
    for weight, written in _walked(program, exam, repeated):
        if written.error:
            raise written.error
        walked.append((weight, written.tokens))
        tokens += len(written.tokens)
        if tokens >= due:
            due = min(2 * due, MOST)
            certain = fsum(max(0.0, w - truth.get(x, 0.0)) for x, w in merge_paths(walked).items())
            if certain > rounding:
                return certain
            if tokens >= MOST:
                raise Endless(
                    f"{len(walked)} paths, and no end; no defect in those that were walked"
                )
    return distribution_distance(merge_paths(walked), truth)


def computes_in_float32(program: Program, exam: Exam) -> bool:
    """Does a program round to float32, or to less?

    It does if a number that it compares with a uniform is the same for models that differ by
    less than float32 can hold, and another one for models that differ by more.
    """
    first, second = (RowPerText(exam.target.vocabulary_size, seed) for seed in (101, 102))
    asked = []
    for share in 0.0, TOO_CLOSE, FAR:
        target, draft = Mixed(exam.target, first, 1 - share), Mixed(exam.draft, second, 1 - share)
        nudged = replace(exam, target=target, draft=draft)
        asked.append([end for box, _ in boxes(program, nudged) for ends in box for end in ends])
    same, close, far = map(np.array, asked)
    if not len(same) == len(close) == len(far):
        return False
    return bool(((same == close) & (abs(same - far) > FAR / 100)).any())


def boxes(program: Program, exam: Exam) -> list[tuple[list[tuple[float, float]], Written]]:
    """Of every path the intervals that its uniforms lie in, and what is written."""
    drawn: list[Uniform] = []

    def walk(noise):
        drawn.clear()
        written = write_exam(program, exam, lambda: drawn.append(Uniform(noise.path)) or drawn[-1])
        return [each.interval for each in drawn], written

    return [found for _, found in outcomes(walk)]


def as_program(decoder: Decoder) -> Program:
    """A decoder of the course, or of its bug zoo, as a program."""

    def speculate(
        target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform
    ) -> Iterator[list[int]]:
        rounds = decoder.run(
            target, draft, prompt, sampling, gamma=gamma, max_new_tokens=max_new_tokens,
            stop_tokens=stop_tokens, noise=lambda seed: _Drawn(uniform, {}),
        )  # fmt: skip
        for r in rounds:
            yield list(r.emitted)

    return speculate


@dataclass(frozen=True)
class _Drawn:
    """Addressed uniforms out of a program's."""

    uniform: Callable[[], float]
    drawn: dict[tuple[int, str, int], float]

    def round(self, index: int) -> AddressedRound:
        return AddressedRound(self.uniform, self.drawn, index)
