"""What a batch asks of a model and of a drafter: the contracts of `generate_batch`.

They say of several texts what `contracts` says of one.  A slot is a place in a model's
batch; a row is one of the texts, numbered as the prompts are.  A row keeps its number and
its random numbers whatever slot it is given, and a slot has one row after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from course_utils.decoding.contracts import Draft, LanguageModel, Round, RoundNoise, Rows


class SlotSession(Protocol):
    """One slot's text; the half of a Session that moves an integer."""

    @property
    def length(self) -> int:
        """Tokens processed so far."""

    def rollback(self, length: int) -> None:
        """Forget all but the first `length` tokens; no other slot notices."""


class BatchSession(Protocol):
    """Several texts being processed by one model."""

    slots: int

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        """Forget what the slot held and process `prompt`, which may be empty."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        """One pass over the named slots, each of which reads its own tokens, one at least.

        Returns:
            for each of them logits (its tokens, vocabulary), as `Session.extend`.
        """


class BatchModel(LanguageModel, Protocol):
    """A LanguageModel that can process several texts in one pass."""

    def start_batch(self, slots: int) -> BatchSession:
        """A new session of so many empty slots."""


@dataclass(frozen=True)
class Request:
    """One row that is to be drafted."""

    row: int
    tokens: Sequence[int]  # the row's text; the same object in all its rounds
    gamma: int  # the most guesses
    noise: RoundNoise  # one uniform for each of them


class BatchDrafter(Protocol):
    """Guesses for several rows at once; for each row all holds that a `Drafter` promises."""

    def propose(self, requests: Sequence[Request]) -> Sequence[Draft]:
        """A draft for each request, in their order.

        A row that was asked for before and is not now has ended: it never comes again.
        """


class LearningBatchDrafter(BatchDrafter, Protocol):
    """A batch drafter that adapts to what became of its guesses."""

    def learn(self, row: int, done: Round) -> None:
        """See a row's round before; it is the record itself, to be read only."""
