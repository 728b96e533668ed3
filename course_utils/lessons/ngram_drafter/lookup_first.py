"""Copy where there is something to copy, guess with a model where there is not."""

from collections.abc import Sequence

from course_utils.decoding.contracts import LanguageModel, Rows
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.cascade import Cascade
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled

LONGEST = 3  # tokens of a match


def row_after(model: LanguageModel, tokens: Sequence[int], sampling: Sampling) -> Rows:
    """Distribution (vocabulary,) of the token after `tokens`, one or more, as `sampling` says.

    A new session each time: simple, and fast for a model that only counts.
    """
    tokens = list(tokens)
    logits = model.start(tokens[:-1]).extend(tokens[-1:])
    return probabilities(logits, sampling)[0]


class LookupFirst(Cascade):
    """Two drafters of the course in one; which of them guesses depends on the text alone."""

    def __init__(self, model: LanguageModel, sampling: Sampling):
        super().__init__(PromptLookup(LONGEST), Sampled(model, sampling))
