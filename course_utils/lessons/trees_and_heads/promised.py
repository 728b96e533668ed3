"""What a head promises in training, and what its rounds then bring: the same number, or a bug.

On one set of texts: tau from the head's definition, at every anchor of the text, and the tokens
per round of chains that were served behind the same beginnings.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.metrics import Kept, promise_kept
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.trees_and_heads.shapes import rounds_of


def kept(
    target: LanguageModel, model: LanguageModel, texts: Sequence[Sequence[int]], gamma: int,
    new_tokens: int,
) -> Kept:  # fmt: skip
    """Chains of `gamma` from `model` behind each text, at temperature 1."""
    how = Sampling()
    found = rounds_of(target, lambda: Sampled(model, how), texts, how, new_tokens, gamma)
    return promise_kept([r for r in found if len(r.drafted) == gamma])
