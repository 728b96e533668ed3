"""The two heads of this elective as they were measured on held-out text."""

from course_utils.measuring.recorded import recorded_heads, trained_heads


def measured() -> dict[str, dict]:
    """Each head after its training."""
    files = {"eagle": "heads.json", "block": "block.json"}
    return {name: trained_heads(recorded_heads(file))[name] for name, file in files.items()}


def rates() -> dict[str, list[float]]:
    """Acceptance by position of each."""
    return {name: head["own"] for name, head in measured().items()}


def rows() -> list[dict[str, object]]:
    """A row of a table for each."""
    return [
        {"head": name}
        | {f"α{i + 1}": alpha for i, alpha in enumerate(head["own"])}
        | {"τ": head["tau"]}
        for name, head in measured().items()
    ]
