"""Counts, rates and seconds of a run.

"Acceptance rate" means at least four numbers; each has its own name here.  A fifth, `overlap`,
estimates the same alpha as accepted / examined, without the noise of the uniforms.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from course_utils.decoding.contracts import Round


@dataclass(frozen=True)
class Metrics:
    """Counts over a whole run; rates are None if nothing was drafted."""

    tokens: int  # emitted
    rounds: int
    drafted: int
    accepted: int  # drafted and committed, without corrections and bonuses
    examined: int  # drafted tokens judged one by one: the accepted and the first rejected
    corrections: int
    bonuses: int  # tokens after a fully accepted draft
    overlap: float | None  # mean of sum(min(p, q)) where examined; None for candidate trees
    draft_seconds: float
    verify_seconds: float
    host_seconds: float
    stop_reason: str | None

    @property
    def target_forwards(self) -> int:
        """Forward passes after the prompt: one per round."""
        return self.rounds

    @property
    def seconds(self) -> float:
        return self.draft_seconds + self.verify_seconds + self.host_seconds

    @property
    def tokens_per_round(self) -> float:
        return self.tokens / self.rounds

    @property
    def accepted_per_drafted(self) -> float | None:
        """The rate that vLLM and llama.cpp print; it falls as gamma grows."""
        return self.accepted / self.drafted if self.drafted else None

    @property
    def accepted_per_examined(self) -> float | None:
        """The consistent estimator of alpha: it leaves out tokens after a rejection."""
        return self.accepted / self.examined if self.examined else None

    @property
    def accepted_per_emitted(self) -> float:
        """The share of the text that was drafted."""
        return self.accepted / self.tokens


def summarise(rounds: Iterable[Round]) -> Metrics:
    """Return the metrics of a run.

    Raises:
        ValueError: no rounds.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there are no rounds to add up: run generate() to its end first")
    kinds = [kind for r in rounds for kind in r.kinds]
    accepted, corrections = kinds.count("accepted"), kinds.count("correction")
    examined = accepted + corrections
    # candidates share a position, so no sum(min(p, q)) is the probability of accepting one
    trees = any(r.drafted and r.parents is not None for r in rounds)
    overlaps = fsum(share for r in rounds for share in r.examined_overlaps()) if not trees else 0.0
    return Metrics(
        tokens=len(kinds),
        rounds=len(rounds),
        drafted=sum(len(r.drafted) for r in rounds),
        accepted=accepted,
        examined=examined,
        corrections=corrections,
        bonuses=kinds.count("bonus"),
        overlap=overlaps / examined if examined and not trees else None,
        draft_seconds=sum(r.seconds.draft for r in rounds),
        verify_seconds=sum(r.seconds.verify for r in rounds),
        host_seconds=sum(r.seconds.host for r in rounds),
        stop_reason=rounds[-1].stop_reason,
    )


def emitted_tokens(rounds: Iterable[Round]) -> list[int]:
    """Return the new tokens, in order."""
    return [token for r in rounds for token in r.emitted]


def acceptance_counts(rounds: Sequence[Round], gamma: int) -> list[tuple[int, int]]:
    """Return (accepted, reached) for i = 1..gamma: how often drafted token i was accepted, and
    how often all i - 1 before it were."""
    counts = []
    for i in range(gamma):
        reached = [r for r in rounds if len(r.drafted) > i and r.verdict.accepted >= i]
        counts.append((sum(r.verdict.accepted > i for r in reached), len(reached)))
    return counts


def acceptance_by_position(rounds: Sequence[Round], gamma: int) -> list[float | None]:
    """Return P(token i is accepted | the i - 1 before it were), for i = 1..gamma."""
    counts = acceptance_counts(rounds, gamma)
    return [accepted / reached if reached else None for accepted, reached in counts]
