"""The speed that measured costs and measured acceptance predict, for each gamma."""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.theory.speedup import expected_tokens, expected_tokens_by_position


@dataclass(frozen=True)
class Costs:
    """Seconds; lists hold gamma = 0 (no draft), 1, 2, ..."""

    draft: list[float]  # one draft step, in a round of gamma
    verify: list[float]  # the target's pass over gamma + 1 tokens
    host: float  # everything but the pass, in a round without a draft
    host_per_draft: float  # added by each drafted token

    @property
    def c(self) -> float:
        """t_draft / t_target for one token."""
        return self.draft[1] / self.verify[0]

    @property
    def v(self) -> list[float]:
        """v(1), v(2), ...: the time of a pass over k tokens, in one-token passes."""
        return [seconds / self.verify[0] for seconds in self.verify]

    def round_seconds(self, gamma: int) -> float:
        """Return the time of a round with `gamma` drafted tokens."""
        host = self.host + gamma * self.host_per_draft
        return gamma * self.draft[gamma] + self.verify[gamma] + host


@dataclass(frozen=True)
class Prediction:
    """The predicted tokens per round and speedup for one gamma."""

    gamma: int
    tokens_per_round: float
    speedup: float  # over the same loop without a draft
    iid_speedup: float  # the same, from one alpha for all positions


def predict(costs: Costs, rates: Sequence[float | None], alpha: float) -> list[Prediction]:
    """Predict tokens per round and speedup for every measured gamma."""
    plain = costs.round_seconds(0)
    return [
        Prediction(
            gamma,
            tokens := expected_tokens_by_position([rate or 0.0 for rate in rates[:gamma]]),
            tokens * plain / costs.round_seconds(gamma),
            expected_tokens(alpha, gamma) * plain / costs.round_seconds(gamma),
        )
        for gamma in range(1, len(costs.verify))
    ]


def best_prediction(predictions: Sequence[Prediction]) -> Prediction:
    """Return the prediction with the largest speedup; gamma is 0 if no draft pays off."""
    nothing = Prediction(0, 1.0, 1.0, 1.0)
    return max([nothing, *predictions], key=lambda prediction: prediction.speedup)
