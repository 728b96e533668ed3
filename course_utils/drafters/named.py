"""The table of drafters, by the names used in the commands, the live decoder and the bench.

To add one, write its module and add a line here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.decoding.contracts import Drafter, LanguageModel, Rule
from course_utils.decoding.rules import RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.drafters.choice import FirstToGuess
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.tree import ExpandedTree, Tree
from course_utils.models.qwen3.shared_layers import SharedTarget

# The model that a drafter guesses with: one of the pair, or one created for it.
DRAFT, TARGET = "draft", "target"
COUNTED, INT8, SHARED = "counted", "int8", "shared"
HEADS = ("eagle", "medusa", "mtp", "block")  # draft heads, which read the target's hidden states
ON_THE_TARGET = (SHARED, *HEADS)


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
    return EarlyExit(model) if isinstance(model, SharedTarget) else Sampled(model)


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
    "medusa": NamedDrafter(Sampled, "medusa"),
    "block": NamedDrafter(Sampled, "block"),
    "tree": NamedDrafter(Tree, DRAFT, nodes=Tree.nodes, shaped=True),
    "expanded": NamedDrafter(ExpandedTree, DRAFT, nodes=ExpandedTree.nodes),
}
