"""The model that a named drafter guesses with, and the target that decodes beside it."""

from course_utils.decoding.contracts import LanguageModel
from course_utils.drafters.named import COUNTED, DRAFTERS, HEADS, INT8, SHARED
from course_utils.models.early_exit import Shared
from course_utils.models.forms import READABLE
from course_utils.models.head_models import trained_head
from course_utils.models.pairs import Pair, load_pair
from course_utils.models.quantised import quantised
from course_utils.training.counted import counted_library


def guessing_model(drafter: str, pair: Pair, draft: str | None) -> LanguageModel | None:
    """What `drafter_factory(drafter)` is called with; your own drafter gets the draft model.

    Args:
        draft: folder or hub id of the draft model, from which a quantised one is made.

    Raises:
        FileNotFoundError: n-grams are to be counted, and this Python has no sources; or there
            is no such head.
        ValueError: the draft model or the target is none that can be used so.
    """
    if drafter not in DRAFTERS:
        return pair.draft
    kind = DRAFTERS[drafter].guesses_with
    if kind == COUNTED:
        return counted_library(pair.encode, pair.target.vocabulary_size)
    if kind == INT8:
        return quantised(load_pair(draft, dtype="float32", form=READABLE).target)
    if kind == SHARED:
        return Shared(pair.target)
    if kind in HEADS:
        return trained_head(pair.target, kind)
    return DRAFTERS[drafter].model(pair.target, pair.draft)


def decoding_target(pair: Pair, model: LanguageModel | None) -> LanguageModel:
    """The pair's target, or the same as the `Shared` one that the drafter works with."""
    return model if isinstance(model, Shared) else getattr(model, "shared", pair.target)
