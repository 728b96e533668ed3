"""The checks of the reading exercise: published batch code whose rounds never emit the bonus."""

from collections.abc import Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import expected_tokens


def published_row(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """What one row emits in a round at temperature 0, as eBay/spec_dec at commit 96e1d12 has it.

    In our words and without its tensors; REFERENCES.md: eqspec2025.

    Args:
        guesses: the gamma tokens that were drafted.
        said: the target's likeliest token after the text, and after each guess: gamma + 1.
    """
    said = said[:-1]
    same = [guess == token for guess, token in zip(guesses, said, strict=True)]
    first_other = same.index(False) if False in same else len(same) - 1
    return [*guesses[:first_other], said[first_other]]


def repaired_row(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """The accepted guesses and one token of the target: the correction, or the bonus."""
    same = [guess == token for guess, token in zip(guesses, said, strict=False)]
    first_other = same.index(False) if False in same else len(same)
    return [*guesses[:first_other], said[first_other]]


def _matches(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """Takes every guess that agrees, wherever it stands."""
    kept = [guess for guess, token in zip(guesses, said, strict=False) if guess == token]
    return [*kept, said[len(kept)]]


def _counted(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    """Takes as many guesses as agree, wherever these stand."""
    right = sum(guess == token for guess, token in zip(guesses, said, strict=False))
    return [*guesses[:right], said[right]]


def _always_bonus(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    return [*repaired_row(guesses, said)[:-1], said[-1]]


def _both(guesses: Sequence[int], said: Sequence[int]) -> list[int]:
    right = repaired_row(guesses, said)
    return [*right, said[-1]] if len(right) <= len(guesses) else right


check_repaired_row = Exercise(
    "repaired_row",
    cases=[
        ([3, 5, 7], [3, 5, 7, 9]),
        ([3, 5, 7], [3, 6, 7, 9]),
        ([3, 5, 7], [4, 5, 7, 9]),
        ([8], [8, 2]),
        ([8], [1, 2]),
        ([2, 2, 2, 2], [2, 2, 2, 1, 6]),
    ],
    right=repaired_row,
    mistakes={
        "That is the published code. Look at a draft that was accepted whole: how many tokens come "
        "out, and for how many did the target compute a row?": published_row,
        "The row after the last guess is there now, but the round still ends one early: after a "
        "whole draft `first_other` must be the place BEHIND the last guess.": (
            lambda guesses, said: (
                published_row(guesses, said)
                if list(guesses) != list(said[:-1])
                else [*guesses[:-1], said[-1]]
            )
        ),
        "A guess counts only if all before it were right. Yours takes agreeing guesses behind a "
        "wrong one, whose rows belong to another text.": _matches,
        "Yours counts all guesses that agree. A guess counts only if all before it were right: "
        "count up to the first that is not.": _counted,
        "The last row follows the whole draft. Behind a wrong guess it belongs to a text that "
        "nobody says: there the correction is the token.": _always_bonus,
        "One token of the target a round: the correction OR the bonus.": _both,
        "The target's own token is missing: each round emits one besides what it accepts.": (
            lambda guesses, said: repaired_row(guesses, said)[:-1]
        ),
        "You emit all the target said. Behind a wrong guess its answers follow that guess.": (
            lambda guesses, said: list(said)
        ),
    },
    insight="gamma + 1 tokens of a round whose guesses are all right, from a row already paid for.",
)


def bonus_lost(alpha: float, gamma: int) -> float:
    """Tokens per round that go with the bonus, in expectation."""
    return alpha**gamma


check_bonus_lost = Exercise(
    "bonus_lost",
    cases=[(0.5, 1), (0.8, 4), (0.95, 2), (0.0, 3), (1.0, 5), (0.7, 8)],
    right=bonus_lost,
    mistakes={
        "That is what a round brings with the bonus, not what is lost.": expected_tokens,
        "That is what a round brings without the bonus, not what is lost.": (
            lambda alpha, gamma: expected_tokens(alpha, gamma - 1)
        ),
        "A token is lost only in rounds that accept the whole draft, not in each.": (
            lambda alpha, gamma: 1.0
        ),
        "One factor too many: the bonus comes after gamma accepted guesses, and it needs no "
        "acceptance of its own.": lambda alpha, gamma: alpha ** (gamma + 1),
        "That is the share of the tokens. Asked is how many tokens per round.": (
            lambda alpha, gamma: alpha**gamma / expected_tokens(alpha, gamma)
        ),
        "That is the probability that some guess is rejected; then there is a correction, and no "
        "bonus that could be lost.": lambda alpha, gamma: 1 - alpha**gamma,
        "gamma guesses must be right one after the other: a power, no product.": (
            lambda alpha, gamma: alpha * gamma
        ),
    },
    insight="The better the draft, the dearer: at alpha = 1 a whole token of gamma + 1.",
)
