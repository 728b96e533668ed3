"""What a run of rounds amounts to.

"Acceptance rate" means at least four numbers; each has its own name here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Round


@dataclass(frozen=True)
class Metrics:
    """Counts over a whole generation; rates are None where nothing was drafted."""

    tokens: int  # emitted
    rounds: int
    drafted: int
    accepted: int  # drafted and committed; no corrections, no bonuses
    examined: int  # drafted tokens whose fate was decided one by one
    corrections: int
    bonuses: int  # tokens after a fully accepted draft
    draft_seconds: float
    verify_seconds: float
    host_seconds: float
    stop_reason: str | None

    @property
    def target_forwards(self) -> int:
        """Forward passes after the prompt: one a round."""
        return self.rounds

    @property
    def seconds(self) -> float:
        return self.draft_seconds + self.verify_seconds + self.host_seconds

    @property
    def tokens_per_round(self) -> float:
        return self.tokens / self.rounds

    @property
    def accepted_per_drafted(self) -> float | None:
        """What vLLM and llama.cpp print; falls as gamma grows."""
        return self.accepted / self.drafted if self.drafted else None

    @property
    def accepted_per_examined(self) -> float | None:
        """The consistent estimator of alpha: tokens after a rejection do not count."""
        return self.accepted / self.examined if self.examined else None

    @property
    def accepted_per_emitted(self) -> float:
        return self.accepted / self.tokens


def summarise(rounds: Iterable[Round]) -> Metrics:
    """Add up a generation.

    Raises:
        ValueError: no rounds.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("no rounds to add up: run generate() to its end first")
    kinds = [kind for r in rounds for kind in r.kinds]
    accepted = sum(r.accepted for r in rounds)
    corrections = kinds.count("correction")
    return Metrics(
        tokens=len(kinds),
        rounds=len(rounds),
        drafted=sum(len(r.drafted) for r in rounds),
        accepted=accepted,
        examined=accepted + corrections,
        corrections=corrections,
        bonuses=kinds.count("bonus"),
        draft_seconds=sum(r.seconds.draft for r in rounds),
        verify_seconds=sum(r.seconds.verify for r in rounds),
        host_seconds=sum(r.seconds.host for r in rounds),
        stop_reason=rounds[-1].stop_reason,
    )


def emitted_tokens(rounds: Iterable[Round]) -> list[int]:
    """The new tokens, in order."""
    return [token for r in rounds for token in r.emitted]


def acceptance_by_position(rounds: Sequence[Round], gamma: int) -> list[float | None]:
    """P(token i is accepted | the i - 1 before it were), for i = 1..gamma."""
    rates = []
    for i in range(gamma):
        reached = [r for r in rounds if len(r.drafted) > i and r.verdict.accepted >= i]
        kept = sum(r.verdict.accepted > i for r in reached)
        rates.append(kept / len(reached) if reached else None)
    return rates
