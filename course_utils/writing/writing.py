"""From a prompt to a text: the code behind `Pair.write` and the command `generate`::

    text -> tokens -> decoding.generate(target, drafter, rule) -> rounds -> pieces of text

`decoding.generate` takes tokens and objects.  Here a request has names, a chat is sampled as the
target's makers recommend, and tokens become text as soon as it is readable.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, emitted_tokens, summarise
from course_utils.drafters.registry import (
    COUNTED,
    DRAFT,
    HEADS,
    INT8,
    ON_THE_TARGET,
    SHARED,
    TARGET,
    NamedDrafter,
)
from course_utils.writing.request import Request
from course_utils.writing.text import stream_text

if TYPE_CHECKING:
    from course_utils.models.load import Models


class Piece(str):
    """A piece of text, and the `kind` of the token that completed it, as in `Round.kinds`."""

    kind: str


class Writing(Iterator[Piece]):
    """A text being written: an iterator over its pieces, with the numbers of the run.

    Attributes:
        prompt: the prompt's tokens.
        rounds: the rounds so far, as `decoding.generate` yields them.
        text: the text so far, without the prompt; it ends before a stop token.
        sampling, rule: those in use.
        gamma: the most guesses per round; 0: no draft, for example because "auto" predicts that
            none is fast enough.
        choosing_seconds: the time of the measurement for "auto" or "adaptive"; else None.
        predicted_speedup: over decoding without a draft, for "auto"; else None.
    """

    def __init__(self, models: "Models", request: Request):
        named, self.rule = request.drafting(models.draft)
        self.sampling = request.sampling(models.chat_sampling if request.chat else Sampling())
        self.prompt = _prompt(models, request)
        self.rounds: list[Round] = []
        self.text = ""
        self.choosing_seconds: float | None = None
        self.predicted_speedup: float | None = None
        guesses_with = guessing_model(named, models)
        target = decoding_target(models, guesses_with)
        if named.rule.trees and not getattr(target, "verifies_trees", False):
            raise ValueError(
                "the drafter drafts trees, which only the course's own Qwen3 can verify in one "
                "pass, not this target: take drafter model"
            )
        drafter = named.make(guesses_with)
        self.gamma = named.gamma_of(drafter, request.gamma)
        if isinstance(self.gamma, str):
            ...
