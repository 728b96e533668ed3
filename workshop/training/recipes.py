"""The sizes of the pair's models, the training lengths of models and heads, and special heads."""

from dataclasses import dataclass, replace
from typing import ClassVar

from course_utils.training.recipes import HeadRecipe, Schedule


class Length:
    """What follows from the length of a training: its steps and their rate."""

    @property
    def steps(self) -> int:
        return self.tokens // self.batch_tokens

    @property
    def schedule(self) -> Schedule:
        return Schedule(self.steps, self.learning_rate, self.warmup, self.decay)

    def length_at(self, step: int) -> int:
        """Return the tokens per window of this step."""
        return self.length


@dataclass(frozen=True)
class Recipe(Length):
    """The shape of a model and the length of its training."""

    layers: int
    hidden: int  # width of the residual stream
    intermediate: int  # width inside the MLP
    tokens: int  # training tokens in total, repeats included
    learning_rate: float = 4e-3
    batch_tokens: int = 4096  # tokens per optimiser step
    length: int = 256  # tokens per window, for most of the run
    long_length: int = 1024  # in the last part: the context that the model can use
    long_share: float = 0.12  # share of that last part
    warmup: float = 0.01
    decay: float = 0.4  # share of the run in which the rate falls to zero
    rows: str = "KL + TV"  # a draft's loss, by name in `losses.DISTILLED`

    def length_at(self, step: int) -> int:
        late = step / self.steps >= 1 - self.long_share
        return self.long_length if late else self.length


TARGET = Recipe(layers=16, hidden=256, intermediate=512, tokens=10_000_000)
DRAFT = Recipe(layers=2, hidden=256, intermediate=512, tokens=8_000_000)
PLAIN = Recipe(layers=1, hidden=128, intermediate=256, tokens=3_000_000)  # to be distilled live


def going_on(recipe: Recipe) -> Recipe:
    """Return the recipe for a model already trained: a lower peak, a longer decay."""
    return replace(recipe, learning_rate=3e-3, decay=0.75)


@dataclass(frozen=True)
class Schooling(Length):
    """The length of the heads' training, and its windows; the rate falls almost from the start."""

    warmup: ClassVar[float] = 0.03
    decay: ClassVar[float] = 0.9

    tokens: int = 2_000_000  # training tokens, repeats included
    learning_rate: float = 3e-3
    batch_tokens: int = 2048
    length: int = 256  # tokens per window
    stride: int = 2  # distance of anchors


SCHOOLING = Schooling()


@dataclass(frozen=True)
class WrittenSchooling(Schooling):
    """The amount of text that a target writes, and the length of its head's training."""

    decay: ClassVar[float] = 0.7

    written: int = 1_024_000  # tokens, without held-out ones
    texts: int = 64  # written at once


WRITTEN = WrittenSchooling(
    4_000_000, learning_rate=1e-2, batch_tokens=8 * 320, length=320, stride=4
)


@dataclass(frozen=True)
class BlockRecipe(HeadRecipe):
    """A head that guesses all steps in one pass; its training starts from an unrolled head."""

    adapts: str = "eagle"  # the head that training starts from


BLOCK = {"block": BlockRecipe(6, 0.8, aux_layers=(2, 8, 16), draft_vocabulary=2048)}


@dataclass(frozen=True)
class TiedRecipe(HeadRecipe):
    """A head that uses its target's rows, which are neither trained nor stored.

    On ONNX Runtime its block is int8.  It starts with scaled-down weights of the target: with the
    full ones, SmolLM2's head started at a loss of 15 and learned slowly.
    """

    first_output: float = 0.2  # scale of the last layer's o_proj and down_proj
    first_norm: float = 0.3  # scale of the target's last norm


SMOLLM2 = TiedRecipe(3, 0.8, aux_layers=(4, 15, 30), draft_vocabulary=16_384)
