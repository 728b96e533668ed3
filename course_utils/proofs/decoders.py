"""A decoder as one value: what can be wrong with it, handed to `generate`; and its exam."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import fsum
from typing import Any

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
from course_utils.proofs.synthetic import Mixed

Make = Callable[[Any], Drafter | None]  # of a draft model, or of None


@dataclass(frozen=True)
class Decoder:
    """The parts of a decoder: a rule, a drafter, a target, uniforms."""

    rule: Rule = TOKEN_WISE
    drafter: Make = Sampled
    target: Callable[[Any], LanguageModel] = lambda model: model  # how the target is reached
    noise: Callable[[NoiseSource], NoiseSource] = lambda source: source

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
    """A pair of models, small enough to enumerate, and a prompt (by default `prompt_of`)."""

    target: LanguageModel
    draft: LanguageModel
    sampling: Sampling = Sampling()
    gamma: int = 3
    length: int = 4  # gamma + 1: a rejection leads into a second round
    prompt: tuple[int, ...] = ()
    stop_tokens: tuple[int, ...] = ()
    seed: int = 0  # of the prompt

    def __post_init__(self) -> None:
        if not self.prompt:
            prompt = prompt_of(self.target.vocabulary_size, self.seed)
            object.__setattr__(self, "prompt", prompt)

    def rounds(
        self, decoder: Decoder, length: int | None = None, **options: Any
    ) -> Iterator[Round]:
        """Yield the rounds of a text of `length` tokens, by default the exam's."""
        return decoder.run(
            self.target, self.draft, self.prompt, self.sampling, gamma=self.gamma,
            max_new_tokens=length or self.length, stop_tokens=self.stop_tokens, **options,
        )  # fmt: skip

    def paths(self, decoder: Decoder) -> Iterator[tuple[float, list[Round]]]:
        """Yield every path of the decoder through a text, after its probability."""
        return outcomes(lambda noise: list(self.rounds(decoder, noise=lambda _: noise)))

    def distribution(self, decoder: Decoder) -> Distribution:
        """Return the exact joint distribution of the text."""
        return distribution_of(self.paths(decoder))

    def truth(self) -> Distribution:
        """Return the target's own distribution, worked out apart from the loop."""
        length = min(self.length, self.target.context - len(self.prompt))
        return target_distribution(
            self.target, self.prompt, length, self.sampling, self.stop_tokens
        )

    def distance(self, decoder: Decoder) -> float:
        """Return the total variation of the two."""
        return distribution_distance(self.distribution(decoder), self.truth())

    def rounding(self) -> float:
        """Return the distance that a lossless decoder may have if it computes in float32.

        The product of a few rounded numbers, and, where it adds up a row in that format to draw
        from it, a share of its spacing for each token that is possible at one place.
        """
        widest = max(len(set(tokens)) for tokens in zip_longest(*self.truth()))
        return float(np.finfo(np.float32).eps) * (4 + widest / 8)

    def first_rounds(self, decoder: Decoder) -> list[tuple[float, Round]]:
        """Return every first round of a text that leaves room for a full draft."""
        room = self.gamma + 2
        return list(outcomes(lambda noise: next(self.rounds(decoder, room, noise=lambda _: noise))))


def distribution_of(paths: Iterable[tuple[float, list[Round]]]) -> Distribution:
    """Return the joint distribution of the texts of `paths`: (probability, rounds)."""
    return merge_paths((weight, tuple(emitted_tokens(rounds))) for weight, rounds in paths)


def prompt_of(vocabulary_size: int, seed: int) -> tuple[int, ...]:
    """Return a b b a and two more tokens: another text backwards, sorted, without repetitions or
    cut.  Needs two words."""
    rng = np.random.default_rng([vocabulary_size, seed])
    a, b = rng.permutation(vocabulary_size)[:2].tolist()
    return a, b, b, a, *rng.integers(vocabulary_size, size=2).tolist()


def exam(
    vocabulary_size: int = 3, agreement: float = 0.5, seed: int = 0,
    target_context: int = 1 << 20, **settings: Any,
) -> Exam:  # fmt: skip
    """Return a random pair, each of whose rows depends on the whole text; `agreement` is how much
    of the target the draft knows, from 0 (nothing) to 1 (it is the target)."""
    target, other = (RowPerText(vocabulary_size, s, target_context) for s in (seed, seed + 1))
    return Exam(target, Mixed(target, other, agreement), seed=seed, **settings)


def acceptance_shown(rounds: Sequence[tuple[float, Round]]) -> float:
    """accepted / examined in expectation over the first round: what a log would print."""
    accepted = fsum(weight * r.accepted for weight, r in rounds)
    corrections = fsum(weight * r.kinds.count("correction") for weight, r in rounds)
    return accepted / (accepted + corrections) if accepted + corrections else 0.0


def tokens_per_round(rounds: Sequence[tuple[float, Round]]) -> float:
    """Emitted tokens in expectation over the first round."""
    return fsum(weight * len(r.emitted) for weight, r in rounds)
