"""What a draft would gain on a large GPU, at best: weights and caches from memory, products."""

from collections.abc import Mapping, Sequence

from course_utils.decoding.theory import expected_tokens
from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import Costs, best_k, cached_bytes, roofline, speedup

TARGET, DRAFT = MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"]


def h200(context: int = 0, draft_context: int | None = None) -> Costs:
    """Qwen3-4B with Qwen3-0.6B on an H200, with `context` tokens in each row's cache.

    Args:
        draft_context: tokens that the draft holds and reads of them, as with the windows of
            REFERENCES.md: magicdec2024; None for all.
    """
    machine = ACCELERATORS["H200"]
    return roofline(machine, TARGET, DRAFT, context=context, draft_context=draft_context)


def gain(costs: Costs, rows: int, alpha: float, largest: int = 8) -> tuple[int, float] | None:
    """The best gamma of so many rows and its speedup; None if their caches do not fit."""
    if rows > costs.most_rows:
        return None
    gamma = best_k(costs, rows, alpha, largest)
    return gamma, speedup(costs, rows, gamma, expected_tokens(alpha, gamma))


def gains(servers: Mapping[str, Costs], rows: Sequence[int], alpha: float) -> list[dict]:
    """A table's lines: for so many rows what each server gains."""

    def said(found: tuple[int, float] | None) -> str:
        return "does not fit" if found is None else "{1:.2f}x (γ = {0})".format(*found)

    return [
        {"rows": n} | {name: said(gain(costs, n, alpha)) for name, costs in servers.items()}
        for n in rows
    ]


def cache_share() -> float:
    """Bytes of the draft's cache for a token over those of the target's."""
    return cached_bytes(DRAFT) / cached_bytes(TARGET)
