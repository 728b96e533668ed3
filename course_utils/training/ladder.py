"""The recorded ladder of drafts of several shapes (data/ladder.json).

`python -m workshop.training.ladder` of commit 09ddc0db made it.
"""

import json
from dataclasses import dataclass

from course_utils.models.names import DATA


@dataclass(frozen=True)
class Rung:
    """The shape of a draft, and its quality after training."""

    layers: int
    hidden: int
    parameters: int
    alpha: float  # mean of sum(min(p, q)) at temperature 1, teacher-forced
    loss: float  # nats per held-out token


def recorded() -> list[Rung]:
    """Return the rungs in data/ladder.json, from the smallest to the largest."""
    report = json.loads((DATA / "ladder.json").read_text("utf-8"))
    return sorted((Rung(**rung) for rung in report["rungs"]), key=lambda rung: rung.parameters)
