"""Tokens per round and distance of a rule, exactly, on random pairs of small models."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.decoding.contracts import Rule
from course_utils.proofs.decoders import Decoder, exam, tokens_per_round


def place(rule: Rule, seeds: Sequence[int], gamma: int = 2, length: int = 3) -> tuple[float, float]:
    """(tokens per round, TV of texts of `length` tokens), each in the mean over the pairs."""
    decoder, trials = Decoder(rule), [exam(seed=s, gamma=gamma, length=length) for s in seeds]
    tokens = [tokens_per_round(e.first_rounds(decoder)) for e in trials]
    return float(np.mean(tokens)), float(np.mean([e.distance(decoder) for e in trials]))


def places(rules: Mapping[str, Rule], pairs: int, seed: int) -> list[dict[str, object]]:
    """A line a rule, over the same pairs."""
    seeds = range(seed, seed + 2 * pairs, 2)  # target and draft: two each
    lines = []
    for name, rule in rules.items():
        tokens, distance = place(rule, seeds)
        line: dict[str, object] = {"rule": name, "tokens per round": tokens}
        lines.append(line | {"TV of a text of 3 tokens": round(distance, 6)})
    return lines
