"""The heads that are shipped with the pair, ready to guess; and the draft model beside them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.measuring.recorded import recorded_heads
from course_utils.models.qwen3.head_models import HEADS, at_work
from course_utils.models.qwen3.heads import EagleHead, Medusa, load_head
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.pairs import Pair
from course_utils.training.head_recipes import RECIPES

recorded = recorded_heads
NAMES = ("medusa", "mtp", "eagle")


@dataclass(frozen=True)
class Guesser:
    """A head, as a language model that drafts; `steps` guesses in a row at most were trained."""

    head: Medusa | EagleHead
    model: LanguageModel
    steps: int


def guessers(pair: Pair, folder: Path = HEADS) -> tuple[SharedTarget, dict[str, Guesser]]:
    """The target with the aux_layers that all the heads need, and each head on it.

    Raises:
        FileNotFoundError: the heads are not there; says how they are made.
    """
    aux_layers = sorted({tap for recipe in RECIPES.values() for tap in recipe.aux_layers})
    shared = SharedTarget(pair.target, tuple(aux_layers))
    found = {}
    for name in NAMES:
        head = load_head(folder / name, shared)
        found[name] = Guesser(head, at_work(shared, head), RECIPES[name].steps)
    return shared, found


def unrolling_rows(report: dict) -> list[dict[str, object]]:
    """The same head learned from the same tokens, unrolled or not: means over the seeds."""
    rows = []
    for steps in sorted({head["unrolled"] for head in report["unrolling"]}):
        ones = [head for head in report["unrolling"] if head["unrolled"] == steps]
        first, last, given = (
            float(np.mean([head[side][at] for head in ones]))
            for side, at in (("own", 0), ("own", -1), ("given", -1))
        )
        taus = [head["tau"] for head in ones]
        rows.append(
            {
                "unrolled": steps,
                "learned from": f"{ones[0]['trained_tokens']:,} tokens",
                "seeds": len(ones),
                "α1, own": first,
                "last α, own": last,
                "last α, given": given,
                "τ": float(np.mean(taus)),
                "τ, ± at most": float(np.ptp(taus) / 2),
            }
        )
    return rows
