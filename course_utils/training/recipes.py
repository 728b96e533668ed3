"""The recipes of a training run, and of the heads that come with the pair."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """The learning rate over a run."""

    steps: int
    peak: float
    warmup: float  # share of the steps in which the rate rises from zero
    decay: float  # share in which it falls to zero, at the end

    def rate(self, step: int) -> float:
        """Return the learning rate in the middle of this step, counted from 0."""
        done = (step + 0.5) / self.steps
        return self.peak * min(1.0, done / self.warmup, (1 - done) / self.decay)


@dataclass(frozen=True)
class HeadRecipe:
    """The shape of a head and its loss."""

    steps: int  # guesses from one anchor: the number of Medusa's heads, or of unrolled steps
    weight_decay: float  # factor of the loss from one step to the next
    aux_layers: tuple[int, ...] = ()  # layers whose states are read; none: a Medusa
    draft_vocabulary: int | None = None  # None: the target's own vocabulary, norm and head
    intermediate: int | None = None  # width inside the MLP; None: as in the target
    layers: int = 1  # residual layers per Medusa head


RECIPES = {
    "eagle": HeadRecipe(6, 0.8, aux_layers=(2, 8, 16), draft_vocabulary=2048),
    "medusa": HeadRecipe(4, 0.8),
    "mtp": HeadRecipe(3, 0.6, aux_layers=(16,), intermediate=256),
}
