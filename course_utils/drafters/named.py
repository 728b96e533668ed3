"""The one table of drafters: those that the commands and the bench know by name.

To add one, write its module and a line here: `generate`, `certify`, the live decoder
and the bench then offer it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled

DRAFT, TARGET = "draft", "target"  # which model of a pair


@dataclass(frozen=True)
class NamedDrafter:
    """How a drafter is made, and what it needs.

    make: called with (model, sampling), and with `longest` by name where that is given.
    guesses_with: the model that `make` is called with, DRAFT or TARGET; None: no model.
    copies: does it copy what followed an n-gram in the text?  Then `make` takes
        `longest`, the most tokens of that n-gram.
    """

    make: Callable[..., Drafter | None]
    guesses_with: str | None = None
    copies: bool = False

    def model(self, target: LanguageModel, draft: LanguageModel | None) -> LanguageModel | None:
        """The one of the pair that `make` is called with."""
        return {DRAFT: draft, TARGET: target}.get(self.guesses_with)


DRAFTERS = {
    "none": NamedDrafter(lambda model, sampling: None),
    "model": NamedDrafter(Sampled, DRAFT),
    # A draft as expensive as its target: all is accepted, and the run is slower all the same.
    "target_as_draft": NamedDrafter(Sampled, TARGET),
    "lookup": NamedDrafter(lambda model, sampling, **n: PromptLookup(**n), copies=True),
}
