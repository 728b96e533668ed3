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


@dataclass(frozen=True)
class TiedRecipe(HeadRecipe):
    """A head whose rows stay its target's own, so that they are neither trained nor stored.

    On ONNX Runtime its block is int8.  It begins with less of the target than the others do: from
    the whole, SmolLM2's began at a loss of 15 and learned slowly.
    """

    first_output: float = 0.2  # of the last layer's o_proj and down_proj
    first_norm: float = 0.3  # of the target's last norm


SMOLLM2 = TiedRecipe(3, 0.8, aux_layers=(4, 15, 30), draft_vocabulary=16_384)
BLOCK = {"block": BlockRecipe(6, 0.8, aux_layers=(2, 8, 16), draft_vocabulary=2048)}
