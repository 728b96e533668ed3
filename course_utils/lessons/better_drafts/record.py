"""The recorded table of losses on three texts (data/distillation.json).

`python -m workshop.training.distillation` of commit e7ce89a7 made it.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from course_utils.models.names import DATA

FILE = DATA / "distillation.json"
CORPUS, OWN, TARGETS = "the corpus", "its own text", "the target's text"
CONTROL = "next token"  # the draft is trained on the text, without the target


@cache
def results() -> dict[str, Any]:
    """Return the shipped table: "entries", "settings", and the run that made it."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def by_loss_and_text(entries: Sequence[dict], what: str) -> dict[tuple[str, str], list[float]]:
    """Return {(loss, text): `what` of each seed}."""
    by_key: dict[tuple[str, str], list[float]] = {}
    for entry in entries:
        by_key.setdefault((entry["loss"], entry["text"]), []).append(entry[what])
    return by_key
