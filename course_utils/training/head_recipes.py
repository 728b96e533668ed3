"""The recipes of the heads that come with the pair."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HeadRecipe:
    """The shape of a head and its loss."""

    steps: int  # guesses from one anchor: the number of Medusa's heads, or of unrolled steps
    weight_decay: float  # factor of the loss from one step to the next
    aux_layers: tuple[int, ...] = ()  # layers whose states are read; none: a Medusa
    draft_vocabulary: int | None = None  # None: the target's own vocabulary, norm and head
    intermediate: int | None = None  # width inside the MLP; None: as in the target
    layers: int = 1  # residual layers per Medusa head


@dataclass(frozen=True)
class BlockRecipe(HeadRecipe):
    """A head that guesses all steps in one pass; its training starts from an unrolled head."""

    adapts: str = "eagle"  # the head that training starts from


RECIPES = {
    "eagle": HeadRecipe(6, 0.8, aux_layers=(2, 8, 16), draft_vocabulary=2048),
    "medusa": HeadRecipe(4, 0.8),
    "mtp": HeadRecipe(3, 0.6, aux_layers=(16,), intermediate=256),
}


@dataclass(frozen=True)
class TiedRecipe(HeadRecipe):
    """A head that uses its target's rows, which are neither trained nor stored.

    On ONNX Runtime its block is int8.  It starts with scaled-down weights of the target: with the
    full ones, SmolLM2's head started at a loss of 15 and learned slowly.
    """

    first_output: float = 0.2  # scale of the last layer's o_proj and down_proj
    first_norm: float = 0.3  # scale of the target's last norm


SMOLLM2 = TiedRecipe(3, 0.8, aux_layers=(4, 15, 30), draft_vocabulary=16_384)
BLOCK = {"block": BlockRecipe(6, 0.8, aux_layers=(2, 8, 16), draft_vocabulary=2048)}
