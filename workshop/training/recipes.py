"""The sizes of the pair's models, and the training lengths of models and heads."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Recipe:
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

    @property
    def steps(self) -> int:
        return self.tokens // self.batch_tokens


TARGET = Recipe(layers=16, hidden=256, intermediate=512, tokens=10_000_000)
DRAFT = Recipe(layers=2, hidden=256, intermediate=512, tokens=8_000_000)
PLAIN = Recipe(layers=1, hidden=128, intermediate=256, tokens=3_000_000)  # to be distilled live


def going_on(recipe: Recipe) -> Recipe:
    """Return the recipe for a model already trained: a lower peak, a longer decay."""
    return replace(recipe, learning_rate=3e-3, decay=0.75)


@dataclass(frozen=True)
class Schooling:
    """The length of the heads' training, and its windows."""

    tokens: int = 2_000_000  # training tokens, repeats included
    learning_rate: float = 3e-3
    batch_tokens: int = 2048
    length: int = 256  # tokens per window
    stride: int = 2  # distance of anchors


SCHOOLING = Schooling()


@dataclass(frozen=True)
class WrittenSchooling(Schooling):
    """The amount of text that a target writes, and the length of its head's training."""

    written: int = 1_024_000  # tokens, without held-out ones
    texts: int = 64  # written at once


WRITTEN = WrittenSchooling(
    4_000_000, learning_rate=1e-2, batch_tokens=8 * 320, length=320, stride=4
)


def steps_of(schooling: Schooling, decay: float = 0.9) -> Recipe:
    """Return a recipe for `pretrain.train`; its rate falls almost from the start."""
    return Recipe(
        0, 0, 0, schooling.tokens, schooling.learning_rate, schooling.batch_tokens,
        schooling.length, long_share=0.0, warmup=0.03, decay=decay,
    )  # fmt: skip
