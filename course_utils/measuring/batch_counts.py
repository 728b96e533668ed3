"""What a batch copies, by layout, and how many turns it takes, by schedule: counts, no times.

The same on every machine, but for texts that rounding may change.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.decoding.batch import BatchModel, generate_batch
from course_utils.decoding.batch_theory import (
    continuous_turns,
    rounds_distribution,
    rounds_to,
    static_turns,
    waiting,
)
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batched import BatchSampled
from course_utils.models.batched import Batched
from course_utils.models.layouts import LAYOUTS


def copied_bytes(
    target: Batched, draft: BatchModel, prompts: Sequence[Sequence[int]], sampling: Sampling,
    gamma: int, new_tokens: int,
) -> list[dict[str, object]]:  # fmt: skip
    """A row for each layout: all prompts in one batch, with prompts of unlike lengths.

    "held" is the share of the columns read that hold a text; None where it is not counted.
    """
    rows, first = [], None
    for name, layout in LAYOUTS.items():
        model = layout(target.model, target.context)
        texts: dict[int, list[int]] = {}
        for row, done in generate_batch(
            model, prompts, BatchSampled(draft, sampling), slots=len(prompts), gamma=gamma,
            sampling=sampling, max_new_tokens=new_tokens,
        ):  # fmt: skip
            texts.setdefault(row, []).extend(done.emitted)
        first = first or texts
        passes, columns = getattr(model, "passes", 0), getattr(model, "columns", 0)
        rows.append(
            {
                "layout": name,
                "batch": len(prompts),
                "gamma": gamma,
                "bytes_copied_per_pass": model.copied / passes if passes else 0,
                "held": model.tokens / columns if columns else None,
                "same_texts": texts == first,
            }
        )
    return rows


def round_lengths(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]], sampling: Sampling,
    gamma: int, new_tokens: int, slots: int = 8,
) -> tuple[list[list[int]], float]:  # fmt: skip
    """Tokens emitted in each round of each text; and accepted / examined guesses."""
    emitted: list[list[int]] = [[] for _ in prompts]
    accepted = rejected = 0
    for row, done in generate_batch(
        target, prompts, BatchSampled(draft, sampling), slots=slots, gamma=gamma,
        sampling=sampling, max_new_tokens=new_tokens,
    ):  # fmt: skip
        emitted[row].append(len(done.emitted))
        accepted += done.accepted
        rejected += done.kinds.count("correction")
    return emitted, accepted / max(1, accepted + rejected)


def turns(
    emitted: Sequence[Sequence[int]], alpha: float, gamma: int, batches: Sequence[int],
    lengths: Mapping[str, Sequence[int]], shuffles: int = 50,
) -> list[dict[str, object]]:  # fmt: skip
    """Static and continuous turns of texts with these lengths, in many orders; and what i.i.d.
    acceptance predicts.

    Args:
        lengths: by name, output lengths in tokens, handed out in turn.
    """
    rows, rng = [], np.random.default_rng(0)
    for name, tokens in lengths.items():
        texts = [rounds_to(e, tokens[i % len(tokens)]) for i, e in enumerate(emitted)]
        orders = [rng.permutation(texts).tolist() for _ in range(shuffles)]
        theory = _mean([rounds_distribution(alpha, gamma, n) for n in tokens])
        for batch in batches:
            if batch > len(texts):
                continue
            static, continuous = (
                float(np.mean([count(order, batch) for order in orders]))
                for count in (static_turns, continuous_turns)
            )
            predicted = waiting(theory, batch, len(texts) // batch * batch)
            rows.append(
                {
                    "lengths": name,
                    "batch": batch,
                    "texts": len(texts),
                    "static": static,
                    "continuous": continuous,
                    "gain": static / continuous,
                    "predicted_gain": predicted.gain,
                }
            )
    return rows


def _mean(distributions: Sequence[np.ndarray]) -> np.ndarray:
    longest = max(map(len, distributions))
    padded = [np.pad(each, (0, longest - len(each))) for each in distributions]
    mixed = np.mean(padded, axis=0)
    return mixed / mixed.sum()
