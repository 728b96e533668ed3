"""What a bench found: a row for each contender, and the headline figures."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from course_utils.measuring.costs import Costs


@dataclass(frozen=True)
class Row:
    """One contender; the last columns are None for transformers, which does not tell."""

    name: str
    gamma: int | None
    temperature: float
    dtype: str
    tokens_per_second: float
    spread: float  # between the quartiles over prompts
    ratio_vs_hf: float
    ratio_vs_autoregressive: float
    forwards_per_token: float | None = None
    tokens_per_round: float | None = None
    alpha: float | None = None  # accepted / examined
    draft_share: float | None = None  # of the time: the draft's passes
    verify_share: float | None = None  # the target's passes
    host_share: float | None = None  # all the rest, prompts apart
    floor_ratio: float | None = None  # time over that of the passes alone
    memory_ratio: float | None = None  # time over that of reading the passes' weights
    decode_ratio: float | None = None  # against autoregressive, without reading the prompt
    predicted_ratio: float | None = None  # what costs and acceptance predict for that
    iid_ratio: float | None = None  # the same by the i.i.d. formula


def summary(rows: Sequence[Row]) -> dict[str, dict[str, object]]:
    """The headline figures, by "T=... dtype"."""
    found: dict[str, dict[str, object]] = {
        name: {}
        for name in (
            "best_hf", "best_ours", "ratio_vs_hf", "ratio_vs_autoregressive", "predicted_ratio",
            "auto_gamma", "auto_loss",
        )
    }  # fmt: skip
    for key in dict.fromkeys((row.temperature, row.dtype) for row in rows):
        here = [row for row in rows if (row.temperature, row.dtype) == key]
        label = f"T={key[0]:g} {key[1]}"
        hf = max((r for r in here if r.name.startswith("hf")), key=_speed)
        ours = max((r for r in here if not r.name.startswith("hf")), key=_speed)
        model = [r for r in here if r.name.startswith("model")]
        chosen = max(model, key=lambda r: r.predicted_ratio)
        found["best_hf"][label] = hf.name
        found["best_ours"][label] = ours.name
        found["ratio_vs_hf"][label] = ours.ratio_vs_hf
        found["ratio_vs_autoregressive"][label] = ours.ratio_vs_autoregressive
        found["predicted_ratio"][label] = ours.predicted_ratio
        found["auto_gamma"][label] = chosen.gamma
        found["auto_loss"][label] = 1 - _speed(chosen) / max(map(_speed, model))
    return found


def _speed(row: Row) -> float:
    return row.tokens_per_second


def as_json(rows: Sequence[Row], costs: Mapping[str, Costs]) -> dict[str, object]:
    """Rows, headline figures and costs in JSON's types."""
    return {
        "rows": [asdict(row) for row in rows],
        **summary(rows),
        "costs": {
            label: asdict(found) | {"c": found.c, "v": found.v} for label, found in costs.items()
        },
    }


def prediction_errors(rows: Sequence[Mapping[str, float | None]]) -> tuple[float, float]:
    """Largest and median relative error of the predicted speedups; rows as in JSON.

    Costs are measured in decoding, so it is the decoding ratio that they predict.
    """
    errors = [
        abs(row["predicted_ratio"] / row["decode_ratio"] - 1)
        for row in rows
        if row["predicted_ratio"]
    ]
    return max(errors), median(errors)
