"""The table of drafters, by the names used in the commands, the live decoder and the bench.

To add one, write its module and add a line here; a module is imported when its drafter is made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from course_utils.decoding.contracts import Drafter, LanguageModel, Rule
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.plugins import is_plugin, load_plugin

# The model that a drafter guesses with: one of the pair, or one created for it.
DRAFT, TARGET = "draft", "target"
COUNTED, INT8, SHARED = "counted", "int8", "shared"
HEADS = ("eagle", "medusa", "mtp", "block")  # draft heads, which read the target's hidden states
ON_THE_TARGET = (SHARED, *HEADS)


@dataclass(frozen=True)
class NamedDrafter:
    """A drafter's name, its class, and the model that it guesses with.

    Attributes:
        where: MODULE.CLASS below `drafters`, or what is called with (model).
        guesses_with: DRAFT, TARGET, COUNTED (n-grams of the standard library), INT8 (the draft,
            quantised), SHARED (the target as a `SharedTarget`, which must then decode), one of
            HEADS (that head, whose `shared` must then decode); None: no model.
    """

    name: str
    where: str | Callable[..., Drafter | None]
    guesses_with: str | None = None

    @cached_property
    def constructor(self) -> Any:
        """The class or function that makes it."""
        if not isinstance(self.where, str):
            return self.where
        module, _, name = self.where.partition(".")
        return getattr(import_module(f"course_utils.drafters.{module}"), name)

    def make(self, model: LanguageModel | None = None, **settings: Any) -> Drafter | None:
        """Return a new drafter, with its class's `settings`; None decodes without a draft."""
        return self.constructor(*([] if self.guesses_with is None else [model]), **settings)

    @property
    def rule(self) -> Rule:
        """The default rule: the one for its chains or trees."""
        return getattr(self.constructor, "rule", TOKEN_WISE)

    @property
    def nodes(self) -> int | None:
        """The number of nodes in its trees; None: it drafts chains."""
        return getattr(self.constructor, "nodes", None)

    @property
    def of_the_pair(self) -> bool:
        """Whether it needs only the pair's two models."""
        return self.guesses_with in (None, DRAFT, TARGET)


def _suffix_or_model(model: LanguageModel) -> Drafter:
    from course_utils.drafters.choice import FirstToGuess
    from course_utils.drafters.sampled import Sampled
    from course_utils.drafters.suffix import SuffixLookup

    return FirstToGuess(SuffixLookup(), Sampled(model))


def _early_exit(model: Any) -> Drafter:
    """Draft with the whole model if it has no layers, as a table in a proof."""
    if not hasattr(model, "layers"):
        from course_utils.drafters.sampled import Sampled

        return Sampled(model)
    from course_utils.drafters.early_exit import EarlyExit

    return EarlyExit(model)


DRAFTERS = {
    each.name: each
    for each in (
        NamedDrafter("none", lambda: None),
        NamedDrafter("model", "sampled.Sampled", DRAFT),
        # As expensive as its target: everything is accepted, and the run is still slower.
        NamedDrafter("target_as_draft", "sampled.Sampled", TARGET),
        NamedDrafter("lookup", "lookup.PromptLookup"),
        NamedDrafter("suffix", "suffix.SuffixLookup"),
        NamedDrafter("ngram", "sampled.Sampled", COUNTED),
        NamedDrafter("auto", _suffix_or_model, DRAFT),
        NamedDrafter("quantised", "sampled.Sampled", INT8),
        NamedDrafter("early-exit", _early_exit, SHARED),
        NamedDrafter("eagle", "sampled.Sampled", "eagle"),
        NamedDrafter("mtp", "sampled.Sampled", "mtp"),
        NamedDrafter("medusa", "sampled.Sampled", "medusa"),
        NamedDrafter("block", "sampled.Sampled", "block"),
        NamedDrafter("tree", "tree.Tree", DRAFT),
        NamedDrafter("expanded", "tree.ExpandedTree", DRAFT),
    )
}


def named_drafter(drafter: str | Drafter | NamedDrafter) -> NamedDrafter:
    """Return a drafter from `DRAFTERS`, your own class as MODULE:NAME or FILE.py:NAME, called
    with (draft model), or a drafter object.

    Raises:
        ValueError: there is no such drafter, module or name; or the module fails.
    """
    if isinstance(drafter, NamedDrafter):
        return drafter
    if not isinstance(drafter, str):
        return NamedDrafter(type(drafter).__name__, lambda: drafter)
    if drafter in DRAFTERS:
        return DRAFTERS[drafter]
    if not is_plugin(drafter):
        raise ValueError(
            f"drafter is {drafter!r}; choose {', '.join(DRAFTERS)}, or MODULE:NAME for your own"
        )
    plugin = load_plugin("drafter", drafter, "draft model")
    return NamedDrafter(drafter, plugin, DRAFT)
