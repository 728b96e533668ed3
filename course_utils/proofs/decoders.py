"""A decoder as one value: the three things that can be wrong, handed to `generate`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Rule
from course_utils.decoding.rules import CANDIDATE_RULES, TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.tables import TableModel
from course_utils.proofs.enumeration import Law, first_round, law_distance, output_law, target_law


@dataclass(frozen=True)
class Decoder:
    """A rule, how to make a drafter of a draft model, and how the target is reached."""

    rule: Rule = TOKEN_WISE
    drafter: Callable[[LanguageModel, Sampling], Drafter] = Sampled
    target: Callable[[LanguageModel], LanguageModel] = lambda model: model

    @property
    def draws_candidates(self) -> bool:
        """Several for one position, which the tables' sessions can score and no other's."""
        return self.rule in CANDIDATE_RULES


CORRECT = Decoder()


@dataclass(frozen=True)
class Exam:
    """What a decoder is examined on: a pair of tables, small enough to enumerate."""

    target: TableModel
    draft: TableModel
    sampling: Sampling = Sampling()
    gamma: int = 3
    length: int = 4  # gamma + 1: a rejection leads into a second round
    prompt: tuple[int, ...] = (0,)

    def law(self, decoder: Decoder) -> Law:
        """The exact joint law of the text."""
        return output_law(
            decoder.target(self.target), self.prompt, self._drafter(decoder), self.length,
            **self._options(decoder),
        )  # fmt: skip

    def truth(self) -> Law:
        """The law it should be."""
        return target_law(self.target, self.prompt, self.length, self.sampling)

    def distance(self, decoder: Decoder) -> float:
        """Total variation of the two."""
        return law_distance(self.law(decoder), self.truth())

    def first_rounds(self, decoder: Decoder) -> list[tuple[float, Round]]:
        """Every first round and its probability."""
        return first_round(
            decoder.target(self.target), self.prompt, self._drafter(decoder),
            **self._options(decoder),
        )  # fmt: skip

    def _drafter(self, decoder: Decoder) -> Callable[[], Drafter]:
        return lambda: decoder.drafter(self.draft, self.sampling)

    def _options(self, decoder: Decoder) -> dict[str, Any]:
        return {"gamma": self.gamma, "sampling": self.sampling, "rule": decoder.rule}


def exam(vocabulary_size: int = 3, agreement: float = 0.5, seed: int = 0, **settings: Any) -> Exam:
    """A random pair with two tokens of context; `agreement` is how much of the target
    the draft knows, from 0 (nothing) to 1 (it is the target)."""
    target = TableModel.random(vocabulary_size, order=2, seed=seed)
    other = TableModel.random(vocabulary_size, order=2, seed=seed + 1)
    draft = TableModel(agreement * target.table + (1 - agreement) * other.table)
    return Exam(target, draft, **settings)


def acceptance_shown(rounds: Sequence[tuple[float, Round]]) -> float:
    """accepted / examined in expectation over the first round: what a log would print."""
    accepted = fsum(weight * r.accepted for weight, r in rounds)
    corrections = fsum(weight * r.kinds.count("correction") for weight, r in rounds)
    return accepted / (accepted + corrections) if accepted + corrections else 0.0


def tokens_a_round(rounds: Sequence[tuple[float, Round]]) -> float:
    """Emitted tokens in expectation over the first round."""
    return fsum(weight * len(r.emitted) for weight, r in rounds)
