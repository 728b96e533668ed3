"""What each of the two heads learned from as many tokens, as it was measured on held-out text."""

import json
from pathlib import Path

from course_utils.models.pairs import DATA


def rows(folder: Path = DATA) -> list[dict[str, object]]:
    """The block, and the mean of the EAGLE-like heads that learned from as many tokens."""
    block, heads = (
        json.loads((folder / f"{name}.json").read_text()) for name in ("block", "heads")
    )
    trained = block["heads"][-1]
    alike = {key: trained[key] for key in ("unrolled", "trained_tokens")}
    eagle = next(row for row in heads["unrolling"] if alike.items() <= row.items())
    shipped = next(
        row for row in heads["heads"] if row["name"] == "eagle" and row["trained_tokens"] > 0
    )
    return [
        {"head": row["name"], "learned from": f"{row['trained_tokens']:,} tokens"}
        | {f"α{i + 1}": alpha for i, alpha in enumerate(row["own"])}
        | {"τ": row["tau"]}
        for row in (trained, eagle, shipped)
    ]
