"""The recorded results of the bench, for lessons that show them; or new ones."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

RESULTS = Path(__file__).parents[2] / "data" / "bench"


def recorded_bench(folder: Path = RESULTS) -> dict[str, object]:
    """The last of the recorded runs; its "command" and "machine" say how it was made.

    Raises:
        FileNotFoundError: nothing is recorded.
    """
    paths = sorted(folder.glob("run-*.json"))
    if not paths:
        raise FileNotFoundError(f"no results in {folder}: make bench BENCH_ARGS='--out FILE'")
    return json.loads(paths[-1].read_text(encoding="utf-8"))


def rows_of(
    report: Mapping[str, object], temperature: float, dtype: str, drafter: str = ""
) -> list[dict[str, object]]:
    """The rows of one setting; those whose name starts with `drafter`."""
    rows: Sequence[dict[str, object]] = report["rows"]
    return [
        row
        for row in rows
        if (row["temperature"], row["dtype"]) == (temperature, dtype)
        and row["name"].startswith(drafter)
    ]
