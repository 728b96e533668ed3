"""Recorded results of the bench and of the heads, for the lessons."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course_utils.models.names import DATA

RESULTS = DATA / "bench"


def recorded_bench(folder: Path = RESULTS, name: str = "run-*.json") -> dict[str, Any]:
    """Return the last recorded run of this name; its "command" is the command that made it.

    Raises:
        FileNotFoundError: nothing is recorded.
    """
    paths = sorted(folder.glob(name))
    if not paths:
        raise FileNotFoundError(f"no results in {folder}: run make bench BENCH_ARGS='--out FILE'")
    return json.loads(paths[-1].read_text(encoding="utf-8"))


def recorded_heads(name: str = "heads.json") -> dict:
    """Return the heads' results on held-out text; data/README.md names the command.

    Raises:
        FileNotFoundError: there is no record.
    """
    file = DATA / name
    if not file.is_file():
        raise FileNotFoundError(f"there is no {file}: restore it from the course's repository")
    return json.loads(file.read_text())


def trained_heads(report: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return {name: trained head}; a report also has each untrained head."""
    return {head["name"]: head for head in report["heads"] if head["trained_tokens"]}
