"""The two heads of this elective as they were measured on held-out text."""

import json
from pathlib import Path

from course_utils.models.pairs import DATA


def measured(folder: Path = DATA) -> dict[str, dict]:
    """What `python -m course_utils.training.head_report` wrote of each head after its training."""
    heads = {}
    for name, file in {"eagle": "heads.json", "block": "block.json"}.items():
        known = json.loads((folder / file).read_text())["heads"]
        heads[name] = next(h for h in known if h["name"] == name and h["trained_tokens"])
    return heads


def rates(folder: Path = DATA) -> dict[str, list[float]]:
    """Acceptance by position of each."""
    return {name: head["own"] for name, head in measured(folder).items()}


def rows(folder: Path = DATA) -> list[dict[str, object]]:
    """A row of a table for each."""
    return [
        {"head": name}
        | {f"α{i + 1}": alpha for i, alpha in enumerate(head["own"])}
        | {"τ": head["tau"]}
        for name, head in measured(folder).items()
    ]
