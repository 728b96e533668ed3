"""A text that a decoder wrote, kept with all it takes to look at every round again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.decoders import Decoder


@dataclass(frozen=True)
class Run:
    """The rounds of one run, and the run's arguments."""

    decoder: Decoder
    target: LanguageModel
    draft: LanguageModel | None
    prompt: tuple[int, ...]
    sampling: Sampling
    gamma: int
    end: int  # tokens of prompt and text at most
    seed: int
    stop_tokens: tuple[int, ...]
    rounds: tuple[Round, ...]

    @property
    def tokens(self) -> list[int]:
        """The new ones."""
        return emitted_tokens(self.rounds)

    def texts(self) -> Iterator[tuple[list[int], Round]]:
        """(text before the round, round)"""
        text = list(self.prompt)
        for r in self.rounds:
            yield text, r
            text = [*text, *r.emitted]

    def limit(self, r: Round) -> int:
        """How many tokens could be drafted in the round."""
        return min(self.gamma, self.end - r.context - 1)


def run_of(
    decoder: Decoder,
    target: LanguageModel,
    draft: LanguageModel | None,
    prompt: Sequence[int],
    sampling: Sampling,
    length: int,
    *,
    gamma: int = 4,
    seed: int = 0,
    stop_tokens: Sequence[int] = (),
) -> Run:
    """Let the decoder write `length` tokens, or fewer if a stop token or the context ends it."""
    rounds = decoder.run(
        target, draft, prompt, sampling,
        gamma=gamma, max_new_tokens=length, seed=seed, stop_tokens=stop_tokens,
    )  # fmt: skip
    return Run(
        decoder, target, draft, tuple(prompt), sampling, gamma,
        min(len(prompt) + length, target.context), seed, tuple(stop_tokens), tuple(rounds),
    )  # fmt: skip
