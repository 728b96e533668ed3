"""What to make of an exam's outcome: is the decoder lossless, and would a log have shown it?

`stage/formulas/verdict.mjs` says the same in the same words.
"""

from dataclasses import dataclass

import numpy as np

from course_utils.lessons.exact_proof.exam import Outcome

EXACT = 1e-12  # a smaller distance is the rounding of a sum


@dataclass(frozen=True)
class ArenaView:
    """What there is to see of an outcome."""

    outcome: Outcome
    status: str  # "lossless", "lossy", or "unseen": wrong, but not by this exam
    errors: tuple[float, ...]  # distribution - truth; 0 where it is rounding


def arena_view(outcome: Outcome) -> ArenaView:
    """The verdict on an outcome.

    Raises:
        ValueError: the distributions are not over the same texts.
    """
    if not len(outcome.texts) == len(outcome.truth) == len(outcome.distribution) > 0:
        raise ValueError(
            f"{len(outcome.texts)} texts, {len(outcome.truth)} true probabilities and "
            f"{len(outcome.distribution)} of the decoder: give one of each for every text"
        )
    off = np.subtract(outcome.distribution, outcome.truth)
    exact = outcome.drift < EXACT
    return ArenaView(
        outcome,
        "lossy" if not exact else "lossless" if outcome.lossless else "unseen",
        tuple(np.where(abs(off) < EXACT, 0.0, off).tolist()),
    )


def distance_told(view: ArenaView) -> str:
    """Is it lossless, and if not, by how much?"""
    o = view.outcome
    if view.status == "lossless":
        return "Lossless: every text has exactly the target's probability."
    if view.status == "lossy":
        return (
            f"Not lossless: {percent(o.drift)} of the probability is at the wrong texts "
            f"(TV {o.drift:.2g})."
        )
    hint = (
        "Let the draft know less of the target."
        if o.agreement > 0.99
        else "Draft more than one token per round."
    )
    return (
        f"Wrong, and not found out: at this setting every text has the target's probability. {hint}"
    )


def log_told(view: ArenaView) -> str:
    """What would a log have shown, beside that of the token-wise rule?"""
    o = view.outcome
    if view.status == "lossless":
        return _speed(o)
    shown, right = f"{o.acceptance:.3f}", f"{o.right_acceptance:.3f}"
    if shown == right:
        return (
            f"A log would show nothing: acceptance {shown}, the token-wise rule's to three digits."
        )
    return f"A log would show acceptance {shown}; the token-wise rule has {right}."


def percent(share: float) -> str:
    """Two digits of a share, however small: 0.0000713 -> "0.0071 %"."""
    return f"{np.format_float_positional(100 * share, 2, fractional=False, trim='-')} %"


def _speed(o: Outcome) -> str:
    more = o.tokens - o.right_tokens
    if abs(more) < EXACT:
        return f"It emits {o.tokens:.2f} tokens per round, as the token-wise rule does."
    word = "more" if more > 0 else "less"
    return (
        f"It emits {o.tokens:.3f} tokens per round, {word} than the token-wise rule "
        f"({o.right_tokens:.3f})."
    )
