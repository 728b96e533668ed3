"""A rule without its bonus beside the right one, both walked along every path of a round."""

from collections.abc import Callable, Sequence

from course_utils.decoding.theory import expected_tokens
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import Decoder, Exam, tokens_per_round


def brought(alpha: float, gamma: int, decoder: Decoder = Decoder()) -> float:
    """Tokens per round of a pair that shares exactly alpha, in expectation over every path."""
    target, draft = TableModel([alpha, 1 - alpha, 0]), TableModel([alpha, 0, 1 - alpha])
    paper = Exam(target, draft, gamma=gamma, length=gamma + 1)
    return tokens_per_round(paper.first_rounds(decoder))


def without_bonus(
    cases: Sequence[tuple[float, int]], lost: Callable[[float, int], float]
) -> list[dict[str, object]]:
    """A row for each (alpha, gamma): what both rules bring, and the difference beside `lost`."""
    found = []
    for alpha, gamma in cases:
        right, wrong = brought(alpha, gamma), brought(alpha, gamma, bug("no bonus").decoder)
        found.append(
            {
                "α": alpha,
                "γ": gamma,
                "with the bonus": right,
                "formula": expected_tokens(alpha, gamma),
                "without": wrong,
                "difference": right - wrong,
                "your number": float(lost(alpha, gamma)),
                "speed lost": f"{1 - wrong / right:.0%}",
            }
        )
    return found
