"""Number formats of one target, compared by its logits."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.proofs.passes import score
from course_utils.proofs.ties import SAFETY, noise_floor


def by_format(
    targets: Mapping[str, LanguageModel], texts: Sequence[Sequence[int]], groups: Sequence[int]
) -> list[dict[str, object]]:
    """Return a record for each format of one target: how far its logits are from the first's,
    scored alone, and the largest change that grouping makes to a lead."""
    first = next(iter(targets))
    exact = [as_numpy(score(targets[first], text[:1], text[1:])) for text in texts]
    records = []
    for name, target in targets.items():
        alone = [score(target, text[:1], text[1:]) for text in texts]
        pairs = zip(alone, exact, strict=True)
        distances = np.concatenate([np.abs(as_numpy(a) - b) for a, b in pairs])
        records.append(
            {
                "format": name,
                f"from {first}, median": float(np.median(distances)),
                f"from {first}, greatest": float(distances.max()),
                "a lead, by grouping": noise_floor(target, texts, groups) / SAFETY,
            }
        )
    return records
