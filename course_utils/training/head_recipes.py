"""The recipes of the heads that are shipped with the pair."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HeadRecipe:
    """The shape of a head and its loss."""

    steps: int  # guesses from one anchor: Medusa's heads, or how often the block is unrolled
    weight_decay: float  # of the loss from one step to the next
    aux_layers: tuple[int, ...] = ()  # after so many layers; none: a Medusa
    draft_vocabulary: int | None = None  # None: the target's own vocabulary, norm and head
    intermediate: int | None = None  # width inside the MLP; None: as in the target
    layers: int = 1  # residual layers a Medusa head


@dataclass(frozen=True)
class BlockRecipe(HeadRecipe):
    """A head that guesses all steps in one pass; its training starts from an unrolled head."""

    adapts: str = "eagle"  # the head that it starts from


RECIPES = {
    "eagle": HeadRecipe(6, 0.8, aux_layers=(2, 8, 16), draft_vocabulary=2048),
    "medusa": HeadRecipe(4, 0.8),
    "mtp": HeadRecipe(3, 0.6, aux_layers=(16,), intermediate=256),
}


BLOCK = {"block": BlockRecipe(6, 0.8, aux_layers=(2, 8, 16), draft_vocabulary=2048)}
