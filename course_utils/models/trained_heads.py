"""The draft heads that were trained on a target, those that ship with the trained pair first."""

from pathlib import Path

from course_utils.models.early_exit import Shared
from course_utils.models.head_files import load_head
from course_utils.models.heads import Medusa
from course_utils.models.medusa_model import MedusaModel
from course_utils.models.packed import PackedQwen3
from course_utils.models.pairs import DATA
from course_utils.models.qwen3 import Qwen3
from course_utils.models.unrolled_model import Unrolled

HEADS = DATA / "heads"


def trained_head(
    target: Qwen3 | PackedQwen3, name: str, folder: Path = HEADS
) -> Unrolled | MedusaModel:
    """The head `name` of `folder` at work on `target`, which its `shared` then is.

    Raises:
        FileNotFoundError: there is no such head.
        ValueError: it was trained for another target.
    """
    head = load_head(folder / name, target)
    if isinstance(head, Medusa):
        return MedusaModel(Shared(target, (target.layers,)), head)
    return Unrolled(Shared(target, head.shape.taps), head)
