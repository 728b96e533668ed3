"""How long a cell will take, said before it runs, and how much of it fits a budget.

On the trained pair a cell takes a few seconds; on Qwen3 without a GPU it may take an hour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled

WORTH_SAYING = 10.0  # seconds
TOKENS = 12  # of each run that is timed
# Of the target in `certify_program` with two prompts, counted on the trained pair; more where less
# is accepted.
PASSES = 1200


@dataclass(frozen=True)
class Budget:
    """Seconds."""

    plain: float  # per token, without a draft
    drafted: float  # per token, with one
    per_cell: float  # that a cell may take

    def fit(self, wanted: int, what: str, *, plain: float = 0.0, drafted: float = 0.0) -> int:
        """So many of the `wanted` as fit, one at least; many seconds are said.

        Args:
            what: they are, for the sentence.
            plain, drafted: tokens that each of them takes, without a draft and with one.
        """
        each = plain * self.plain + drafted * self.drafted
        count = max(1, min(wanted, int(self.per_cell / each)))
        if count * each > WORTH_SAYING:
            said = f"about {count * each:.0f} s for {count} of {wanted} {what}"
            more = "" if count == wanted else f"; with budget = {wanted * each:.0f} all of them"
            print(said + more)
        return count


def measured_budget(
    models: tuple[LanguageModel, LanguageModel],
    prompt: Sequence[int],
    per_cell: float,
    sampling: Sampling,
    **options: int,
) -> Budget:
    """Time a few rounds of the target (the first of `models`) without a draft and a few with one.

    Args:
        options: of `generate`.

    Raises:
        ValueError: no seconds per cell.
    """
    if not per_cell > 0:
        raise ValueError(f"budget is {per_cell!r}; give the seconds that a cell may take")
    target, draft = models
    options |= {"sampling": sampling, "max_new_tokens": TOKENS}
    plain, drafted = (
        list(generate(target, prompt, drafter, **options)) for drafter in (None, Sampled(draft))
    )
    return Budget(_seconds_per_token(plain), _seconds_per_token(drafted), per_cell)


def _seconds_per_token(rounds: Sequence[Round]) -> float:
    """Of a median round; the first one warms up."""
    taken = [r.seconds.draft + r.seconds.verify + r.seconds.host for r in rounds[1:] or rounds]
    return median(taken) * len(rounds) / sum(len(r.emitted) for r in rounds)
