"""What acceptance and cost of a draft promise: on this machine, and by bytes alone."""

from dataclasses import replace

from course_utils.decoding.theory import expected_tokens, optimal_gamma
from course_utils.engines.accelerators import MODELS


def best_gain(alpha: float, c: float, per_row: float, largest: int = 16) -> tuple[int, float]:
    """The best gamma up to `largest`, and the speedup there, with v(k) = 1 + per_row (k - 1)."""
    gain, gamma = max(
        (expected_tokens(alpha, gamma) / (gamma * c + 1 + per_row * gamma), gamma)
        for gamma in range(1, largest + 1)
    )
    return gamma, gain


def on_a_gpu(alpha: float, target: str = "Qwen3-8B", draft: str = "Qwen3-0.6B") -> list[dict]:
    """A row for each format of the draft: its c if reading the weights is all that takes time, and
    the best speedup at `alpha`.  The target stays in bfloat16."""
    of_target = MODELS[target].size
    found = []
    for name, width in (("bfloat16", 2.0), ("int8", 1.0), ("four bits", 0.5)):
        c = replace(MODELS[draft], width=width).size / of_target
        gamma, gain = optimal_gamma(alpha, c)
        found.append({f"{draft} in": name, "c": c, "best γ": gamma, "speedup": f"{gain:.2f}x"})
    return found
