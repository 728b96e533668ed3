"""A decoder as one function, whoever wrote it: watched at work, and walked along every path::

    def speculate(target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform):
        '''Yield the new tokens of each round, a list per round.'''

`target` and `draft` have `start(tokens)`, which gives a session; a session has `length`,
`extend(tokens)`, which returns logits as a NumPy array (len(tokens), vocabulary), and
`rollback(length)`.  `uniform()` gives a fresh number in [0, 1), which may only be compared:
`sample(row, uniform())` does.  A text has at most `max_new_tokens` new tokens, and ends with
the first of `stop_tokens`.  A program may also return all its tokens at once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Uniforms
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.enumeration import (
    Distribution,
    Uniform,
    Unrepeatable,
    distribution_distance,
    gathered,
    outcomes,
)
from course_utils.proofs.watched import DRAFT, TARGET, Call, Malformed, Watched

Program = Callable[..., Iterable]
REPEATED = 8  # runs that are made twice before paths are walked
PATIENCE = 20  # times the calls that any round could need
MOST = 200_000  # tokens that are written; what is lossless writes a quarter of them in any exam
ENOUGH = 4_000  # tokens written, after which a walk may end, if a defect is certain
EXACT = 1e-12  # rounding of float64 in the sums over paths


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
    return gathered((weight, written.tokens) for weight, written in paths)


def distance(program: Program, exam: Exam, repeated: int = REPEATED) -> float:
    """Total variation of a program's texts from the target's.  Whatever it raises comes through.

    Where thousands of tokens were written, and the paths walked give a text more than its
    probability already, it is what they show: the whole distance is no smaller.

    Args:
        repeated: runs that are made twice before, to see whether they can be.

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
            certain = fsum(max(0.0, w - truth.get(x, 0.0)) for x, w in gathered(walked).items())
            if certain > EXACT:
                return certain
            if tokens >= MOST:
                raise Endless(
                    f"{len(walked)} paths, and no end; no defect in those that were walked"
                )
    return distribution_distance(gathered(walked), truth)


def as_program(decoder: Decoder) -> Program:
    """A decoder of the course, or of its bug zoo, as a program."""

    def speculate(
        target, draft, prompt, gamma, sampling, max_new_tokens, stop_tokens, uniform
    ) -> Iterator[list[int]]:
        rounds = decoder.run(
            target, draft, prompt, sampling, gamma=gamma, max_new_tokens=max_new_tokens,
            stop_tokens=stop_tokens, noise=lambda seed: _Drawn(uniform),
        )  # fmt: skip
        for r in rounds:
            yield list(r.emitted)

    return speculate


class _Drawn:
    """Addressed uniforms out of a program's: each is drawn when it is first asked for."""

    def __init__(self, uniform: Callable[[], float]):
        self._uniform, self._drawn = uniform, {}

    def round(self, index: int) -> "_DrawnRound":
        return _DrawnRound(self, index)

    def uniforms(self, index: int, purpose: str, count: int) -> Uniforms:
        drawn = self._drawn.setdefault((index, purpose), [])
        drawn += (self._uniform() for _ in range(count - len(drawn)))
        return drawn[:count]


@dataclass(frozen=True)
class _DrawnRound:
    noise: _Drawn
    index: int

    def uniforms(self, purpose: str, count: int) -> Uniforms:
        return self.noise.uniforms(self.index, purpose, count)
