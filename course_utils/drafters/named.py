"""The table of drafters, by the names used in the commands, the live decoder and the bench.

To add one, write its module and add a line here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.decoding.contracts import Drafter, LanguageModel, Rule
from course_utils.decoding.rules import RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.decoding.trees import Parents
from course_utils.drafters.choice import FirstToGuess
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.tree import MostConfident, Tree
from course_utils.models.qwen3.shared_layers import SharedTarget

# The model that a drafter guesses with: one of the pair, or one created for it.
DRAFT, TARGET = "draft", "target"
COUNTED, INT8, SHARED = "counted", "int8", "shared"
HEADS = ("eagle", "medusa", "mtp", "block")  # draft heads, which read the target's hidden states
ON_THE_TARGET = (SHARED, *HEADS)

EXIT_SHARE = 8  # an early exit runs one eighth of the layers

# P(the child of a rank is the accepted one | its parent was reached), of the trained pair:
# drawn without replacement at temperature 1, 8 held-out prompts, 257 parents (`bench --trees` at
# commit 8ba2c985)
BY_RANK = (0.712, 0.091, 0.032, 0.029, 0.025, 0.026, 0.004, 0.004)
SHAPE: Parents = (-1, -1, 0, 0, 1)  # sequoia(BY_RANK, 5, levels=2), the fastest of its on a CPU
EXPANDED = MostConfident(width=3, levels=4, nodes=6)


@dataclass(frozen=True)
class NamedDrafter:
    """The constructor of a drafter, and what it needs.

    Attributes:
        make: called with (model), and with the keyword `longest` if that is set.
        guesses_with: the model that `make` is called with: DRAFT, TARGET, COUNTED (n-grams of the
            standard library), INT8 (the draft, quantised), SHARED (the target as a
            `SharedTarget`, which must then decode), one of HEADS (that head, whose `shared` must
            then decode); None: no model.
        copies: does it copy what followed an n-gram in the text?  Then `make` takes
            `longest`, the largest length of that n-gram.
        nodes: the number of nodes in its trees; None: it drafts chains.
        shaped: do its trees have a fixed shape?  Then `make` takes `shape`.
    """

    make: Callable[..., Drafter | None]
    guesses_with: str | None = None
    copies: bool = False
    nodes: int | None = None
    shaped: bool = False

    @property
    def rule(self) -> Rule:
        """The default rule: the one for its chains or trees."""
        return RECURSIVE_REJECTION if self.nodes else TOKEN_WISE

    @property
    def of_the_pair(self) -> bool:
        """Whether it needs only the pair's two models."""
        return self.guesses_with in (None, DRAFT, TARGET)

    def model(self, target: LanguageModel, draft: LanguageModel | None) -> LanguageModel | None:
        """Return the model of the pair that `make` is called with."""
        if self.guesses_with == DRAFT:
            return draft
        return target if self.guesses_with == TARGET else None


def _early_exit(model: LanguageModel) -> Drafter:
    """Draft with the whole model if it has no layers, as a table in a proof."""
    if not isinstance(model, SharedTarget):
        return Sampled(model)
    return EarlyExit(model, max(1, model.layers // EXIT_SHARE))


def _one_a_head(model: LanguageModel) -> Drafter:
    """Guess no further than a parallel head was trained for."""
    steps = getattr(getattr(model, "head", None), "steps", None)
    return Sampled(model, stop=lambda rows, guesses: steps is not None and len(guesses) >= steps)


DRAFTERS = {
    "none": NamedDrafter(lambda model: None),
    "model": NamedDrafter(Sampled, DRAFT),
    # A draft as expensive as its target: everything is accepted, and the run is still slower.
    "target_as_draft": NamedDrafter(Sampled, TARGET),
    "lookup": NamedDrafter(lambda model, **n: PromptLookup(**n), copies=True),
    "suffix": NamedDrafter(lambda model: SuffixLookup()),
    "ngram": NamedDrafter(Sampled, COUNTED),
    "auto": NamedDrafter(lambda model: FirstToGuess(SuffixLookup(), Sampled(model)), DRAFT),
    "quantised": NamedDrafter(Sampled, INT8),
    "early-exit": NamedDrafter(_early_exit, SHARED),
    "eagle": NamedDrafter(Sampled, "eagle"),
    "mtp": NamedDrafter(Sampled, "mtp"),
    "medusa": NamedDrafter(_one_a_head, "medusa"),
    "block": NamedDrafter(_one_a_head, "block"),
    "tree": NamedDrafter(
        lambda model, shape=SHAPE: Tree(model, shape), DRAFT, nodes=len(SHAPE), shaped=True
    ),
    "expanded": NamedDrafter(lambda model: Tree(model, EXPANDED), DRAFT, nodes=EXPANDED.nodes),
}
