"""The draft heads that were trained on a target, those that ship with the trained pair first."""

from pathlib import Path

from course_utils.models.early_exit import Shared
from course_utils.models.forms import AnyQwen3
from course_utils.models.head_files import load_head
from course_utils.models.heads import Medusa, UnrolledHead
from course_utils.models.medusa_model import MedusaModel
from course_utils.models.pairs import DATA
from course_utils.models.unrolled_model import Unrolled

HEADS = DATA / "heads"


def trained_head(target: AnyQwen3, name: str, folder: Path = HEADS) -> Unrolled | MedusaModel:
    """The head `name` of `folder` at work on `target`, which its `shared` then is.

    Raises:
        FileNotFoundError: there is no such head.
        ValueError: it was trained for another target.
    """
    head = load_head(folder / name, target)
    taps = (target.layers,) if isinstance(head, Medusa) else head.shape.taps
    return at_work(Shared(target, taps), head)


def at_work(shared: Shared, head: Medusa | UnrolledHead) -> Unrolled | MedusaModel:
    """`head` as a language model that drafts for `shared`, which taps what it reads."""
    return (MedusaModel if isinstance(head, Medusa) else Unrolled)(shared, head)
