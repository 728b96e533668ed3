"""What is examined, exams for it, and a decoder of the library in parts that may be faulty."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import fsum
from typing import Any, Protocol

import numpy as np

from course_utils.decoding.contracts import Drafter, LanguageModel, NoiseSource, Round, Rule
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.enumeration import (
    Distribution,
    distribution_distance,
    merge_paths,
    outcomes,
    target_distribution,
)
from course_utils.proofs.programs import Program, RecordedRound
from course_utils.proofs.synthetic import Mixed

Make = Callable[[Any], Drafter | None]  # called with a draft model or None


class Subject(Protocol):
    """Something that writes a text in rounds: a `Decoder`, or anyone's `programs.Program`."""

    @property
    def trees(self) -> bool:
        """Does it draft several tokens for one place?"""

    @property
    def run(self) -> Callable[..., Iterator[Any]]:
        """Called as `Decoder.run`; yields rounds, each with the tokens `emitted`."""


@dataclass(frozen=True)
class Decoder:
    """The parts of a decoder: a rule, a drafter, a target, uniforms."""

    rule: Rule = TOKEN_WISE
    drafter: Make = Sampled
    target: Callable[[Any], LanguageModel] = lambda model: model  # a wrapper around the target
    noise: Callable[[NoiseSource], NoiseSource] = lambda source: source

    @property
    def trees(self) -> bool:
        return self.rule.trees

    def run(
        self, target: LanguageModel, draft: LanguageModel | None, prompt: Sequence[int],
        sampling: Sampling = Sampling(), *, noise: Callable[[int], NoiseSource] = Noise,
        rows: bool = True, **options: Any,
    ) -> Iterator[Round]:  # fmt: skip
        """Yield the rounds of a text; `options` are those of `generate`."""
        return generate(
            self.target(target), prompt, self.drafter(draft), rule=self.rule, sampling=sampling,
            noise=lambda seed: self.noise(noise(seed)), rows=rows, **options,
        )  # fmt: skip


CORRECT = Decoder()


@dataclass(frozen=True)
class Exam:
    """A pair of models small enough to enumerate, and a prompt (by default `prompt_of`)."""

    target: LanguageModel
    draft: LanguageModel
    sampling: Sampling = Sampling()
    gamma: int = 3
    length: int = 4  # gamma + 1: after a rejection there is a second round
    prompt: tuple[int, ...] = ()
    stop_tokens: tuple[int, ...] = ()
    seed: int = 0  # the prompt's seed

    def __post_init__(self) -> None:
        if not self.prompt:
            prompt = prompt_of(self.target.vocabulary_size, self.seed)
            object.__setattr__(self, "prompt", prompt)

    def rounds(self, subject: Subject, length: int | None = None, **options: Any) -> Iterator[Any]:
        """Yield the rounds of a text of `length` tokens, by default the exam's."""
        return subject.run(
            self.target, self.draft, self.prompt, self.sampling, gamma=self.gamma,
            stop_tokens=self.stop_tokens, max_new_tokens=length or self.length, **options,
        )  # fmt: skip

    def record(self, program: Program, **options: Any) -> list[RecordedRound]:
        """Return the rounds of a program's text, the last of which may have an error."""
        return list(self.rounds(replace(program, raises=False), **options))

    def text(self, subject: Subject, noise: NoiseSource) -> tuple[int, ...]:
        """Return the new tokens of a text."""
        return tuple(emitted_tokens(self.rounds(subject, noise=lambda _: noise)))

    def paths(self, subject: Subject) -> Iterator[tuple[float, list[Any]]]:
        """Yield (probability, rounds) of every path of a subject through a text."""
        return outcomes(lambda noise: list(self.rounds(subject, noise=lambda _: noise)))

    def distribution(self, subject: Subject) -> Distribution:
        """Return the exact joint distribution of the text."""
        return distribution_of(self.paths(subject))

    def truth(self) -> Distribution:
        """Return the target's own distribution, computed without the loop."""
        length = min(self.length, self.target.context - len(self.prompt))
        return target_distribution(
            self.target, self.prompt, length, self.sampling, self.stop_tokens
        )

    def distance(self, subject: Subject) -> float:
        """Return the total variation between the subject's texts and the target's."""
        return distribution_distance(self.distribution(subject), self.truth())

    def rounding(self) -> float:
        """Return the largest distance of a lossless decoder that computes in float32.

        It covers the product of a few rounded numbers, which a low temperature magnifies, and, if
        rows are summed in that format to draw from them, a share of its spacing for each token
        possible at one place.
        """
        colder = max(1.0, 1 / (self.sampling.temperature or 1))
        return float(np.finfo(np.float32).eps) * colder * (4 + widest(self.truth()) / 8)

    def cuts_at_a_mass(self, rounding: float = 1e-5) -> bool:
        """Return whether rounding the limit of top-p or min-p admits or excludes a token."""
        s, truth = self.sampling, self.truth()
        for change in (1 - rounding, 1 + rounding):
            top_p = min(1.0, s.top_p * change) if s.top_p < 1 else 1.0
            moved = replace(s, top_p=top_p, min_p=min(1.0, s.min_p * change))
            if replace(self, sampling=moved).truth().keys() != truth.keys():
                return True
        return False

    def first_rounds(self, subject: Subject) -> list[tuple[float, Any]]:
        """Return (probability, round) for every first round with room for a full draft."""
        room = self.gamma + 2
        return list(outcomes(lambda noise: next(self.rounds(subject, room, noise=lambda _: noise))))


def widest(texts: Distribution) -> int:
    """Return the largest number of different tokens at one place of the texts."""
    return max(len({*tokens} - {None}) for tokens in zip_longest(*texts))


def distribution_of(paths: Iterable[tuple[float, list[Any]]]) -> Distribution:
    """Return the joint distribution of the texts of `paths`, (probability, rounds) each."""
    return merge_paths((weight, tuple(emitted_tokens(rounds))) for weight, rounds in paths)


def prompt_of(vocabulary_size: int, seed: int) -> tuple[int, ...]:
    """Return a b b a and two more tokens, a prompt that changes if it is reversed, sorted, cut or
    its repetitions are removed.  The vocabulary needs two tokens."""
    rng = np.random.default_rng([vocabulary_size, seed])
    a, b = rng.permutation(vocabulary_size)[:2].tolist()
    return a, b, b, a, *rng.integers(vocabulary_size, size=2).tolist()


def exam(
    vocabulary_size: int = 3, agreement: float = 0.5, seed: int = 0,
    target_context: int = 1 << 20, **settings: Any,
) -> Exam:  # fmt: skip
    """Return an exam with a random pair whose rows depend on the whole text; `agreement` is the
    target's share in the draft, from 0 to 1 (the draft is the target)."""
    target, other = (RowPerText(vocabulary_size, s, target_context) for s in (seed, seed + 1))
    return Exam(target, Mixed(target, other, agreement), seed=seed, **settings)


def acceptance_shown(rounds: Sequence[tuple[float, Round]]) -> float:
    """Return the expected accepted / examined of the first round, as a log would print it."""
    accepted = fsum(weight * r.accepted for weight, r in rounds)
    corrections = fsum(weight * r.kinds.count("correction") for weight, r in rounds)
    return accepted / (accepted + corrections) if accepted + corrections else 0.0


def tokens_per_round(rounds: Sequence[tuple[float, Any]]) -> float:
    """Return the expected number of tokens emitted in the first round."""
    return fsum(weight * len(r.emitted) for weight, r in rounds)
