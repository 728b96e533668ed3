"""What long runs of the shipped heads brought, beside what their training had promised."""

import json
from pathlib import Path

import numpy as np

from course_utils.models.pairs import DATA

RECORD = DATA / "heads.json"


def report(file: Path = RECORD) -> dict:
    """What `python -m course_utils.training.head_report` measured on held-out text."""
    return json.loads(file.read_text())


def baseline(report: dict, name: str = "eagle") -> float:
    """The mean of sum min(p, q) over the guesses of a trained head, on its own states."""
    (own,) = (head["own"] for head in report["heads"] if _is_trained(head, name))
    return float(np.mean(own))


def service(report: dict) -> list[dict[str, object]]:
    """A row for each head: tau as the end of its training knew it, and what long runs brought."""
    trained = {head["name"]: head["tau"] for head in report["heads"] if _is_trained(head)}
    return [
        {
            "head": kept["name"],
            "chains of": kept["gamma"],
            "τ, training": trained[kept["name"]],
            "τ, logged rows": kept["predicted"],
            "tokens per round": kept["served"],
            "off training's": f"{kept['served'] / trained[kept['name']] - 1:+.1%}",
            "off the rows'": f"{kept['served'] / kept['predicted'] - 1:+.1%}",
            "two standard errors": f"{kept['error'] / kept['served']:.1%}",
            "rounds": kept["rounds"],
        }
        for kept in report["served"]
    ]


def _is_trained(head: dict, name: str | None = None) -> bool:
    return head["trained_tokens"] > 0 and name in (None, head["name"])
