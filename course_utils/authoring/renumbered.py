"""Where lessons went that once had another number, or were one lesson and are several now."""

# {name of a lesson once: its names today; what stands in its place comes first}
MOVED = {
    "03_acceptance_rule": ("03_acceptance_rule", "04_exact_proof", "05_verification_rules"),
    "04_speedup_theory": ("06_speedup_theory",),
    "05_decoding_with_a_cache": ("07_decoding_with_a_cache",),
    "11_qwen3_speculative_decoder": ("13_qwen3_speculative_decoder",),
}


def where(beginning: str) -> str:
    """What to tell somebody who asks for a lesson by an old name; "" if none was called so.

    >>> where("11")
    '11_qwen3_speculative_decoder is 13_qwen3_speculative_decoder now'
    """
    found = [
        (old, today) for old, today in MOVED.items() if beginning and old.startswith(beginning)
    ]
    return "; ".join(f"{old} is {', '.join(today)} now" for old, today in found)
