"""What a target's token is to a draft that has tokens of its own: a table, no tokenizer in it."""

from collections.abc import Sequence
from dataclasses import dataclass


class VocabularyMismatch(ValueError):
    """Target and draft do not share one vocabulary."""


@dataclass(frozen=True)
class Translation:
    """Each target token in the draft's tokens.

    spellings: for each target token, how the draft reads it: one token of its own or several.
    shared: for each target token, the draft's token that means the same, -1 if it has none;
        no two have the same one.

    Raises:
        VocabularyMismatch: the two have no token in common.
        ValueError: lists of two lengths, a token that is spelt in none, or two that share one.
    """

    spellings: tuple[tuple[int, ...], ...]
    shared: tuple[int, ...]

    def __post_init__(self) -> None:
        found = [token for token in self.shared if token >= 0]
        if len(self.spellings) != len(self.shared) or not all(self.spellings):
            raise ValueError(
                f"{len(self.spellings)} spellings and {len(self.shared)} shared tokens: give one "
                "of each for every target token, and at least one draft token in each spelling"
            )
        if not found:
            raise VocabularyMismatch(
                "the two vocabularies have no token in common: such a draft can propose nothing. "
                "Take a draft whose tokenizer shares some of the target's tokens"
            )
        if len(set(found)) < len(found):
            raise ValueError("two target tokens share one draft token: each needs its own")

    @property
    def pairs(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(target tokens, draft tokens) that mean the same, in the target's order."""
        held = [token for token, same in enumerate(self.shared) if same >= 0]
        return tuple(held), tuple(self.shared[token] for token in held)

    def spell(self, tokens: Sequence[int]) -> list[int]:
        """A text in target tokens, in the draft's."""
        return [piece for token in tokens for piece in self.spellings[token]]
