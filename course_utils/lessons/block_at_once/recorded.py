"""What each of the two heads learned from as many tokens, as it was measured on held-out text."""

import json
from pathlib import Path

from course_utils.models.pairs import DATA


def measured(folder: Path = DATA) -> list[dict]:
    """The block, the EAGLE-like head that learned from as many tokens, and the one shipped."""
    block, heads = (
        json.loads((folder / name).read_text()) for name in ("block.json", "heads.json")
    )
    trained = block["heads"][-1]
    alike = {key: trained[key] for key in ("unrolled", "trained_tokens")}
    eagles = [row for row in heads["heads"] if row["name"] == "eagle" and row["trained_tokens"]]
    same = [row for row in heads["unrolling"] + eagles if alike.items() <= row.items()]
    return [trained, same[0], eagles[0]]


def rates(folder: Path = DATA) -> dict[str, list[float]]:
    """Acceptance by position of the two heads that are shipped."""
    block, _, eagle = measured(folder)
    return {"eagle": eagle["own"], "block": block["own"]}


def rows(folder: Path = DATA) -> list[dict[str, object]]:
    """A row of a table for each of them."""
    return [
        {"head": row["name"], "learned from": f"{row['trained_tokens']:,} tokens"}
        | {f"α{i + 1}": alpha for i, alpha in enumerate(row["own"])}
        | {"τ": row["tau"]}
        for row in measured(folder)
    ]
