"""How long a cell will take, said before it runs, and how much of it fits a budget.

On the trained pair a cell takes a second or two; on Qwen3 without a GPU it may take an hour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from course_utils.decoding.contracts import LanguageModel
from course_utils.measuring.clocked import passes_in_turn

WORTH_SAYING = 10.0  # seconds
REPEATS = 3


@dataclass(frozen=True)
class Budget:
    """Medians of a few passes, and the seconds that a cell may take."""

    target: float  # seconds of the target's pass over gamma + 1 tokens
    draft: float  # of the draft's over one
    gamma: int
    seconds: float  # per cell

    def round(self, gamma: int | None = None) -> float:
        """About the seconds of a round with so many guesses; a pass costs no less with fewer."""
        return self.target + (self.gamma if gamma is None else gamma) * self.draft

    def fit(self, wanted: int, rounds: float, what: str, gamma: int | None = None) -> int:
        """So many of the `wanted` as fit, one at least; the seconds are printed if there are many.

        Args:
            rounds: of each of them, about.
            what: what they are, for the sentence.
        """
        each = rounds * self.round(gamma)
        count = max(1, min(wanted, int(self.seconds / each)))
        if count * each > WORTH_SAYING:
            said = f"about {count * each:.0f} s for {count} of {wanted} {what}"
            more = "" if count == wanted else f"; budget = {wanted * each:.0f} runs all"
            print(said + more)
        return count


def measured_budget(
    target: LanguageModel, draft: LanguageModel, text: Sequence[int], gamma: int, seconds: float
) -> Budget:
    """Time a few passes of both models behind `text`.

    Raises:
        ValueError: no seconds.
    """
    if not seconds > 0:
        raise ValueError(f"budget is {seconds!r}; give the seconds that a cell may take")
    known, new = list(text[:-1]), [text[-1]] * (gamma + 1)
    slow, fast = (
        passes_in_turn({"": model.start(known)}, new[:size], REPEATS, warm_up=1)[""][size]
        for model, size in ((target, gamma + 1), (draft, 1))
    )
    return Budget(median(slow), median(fast), gamma, seconds)
