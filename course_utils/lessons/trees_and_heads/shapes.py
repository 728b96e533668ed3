"""How often the child of each rank is accepted, on the trained pair."""

from collections.abc import Iterable, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import residual, without
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.candidates import Draw


def ranks_on_text(
    target: LanguageModel, draft: LanguageModel, texts: Iterable[Sequence[int]], draw: Draw,
    most: int, seed: int = 0,
) -> list[float]:  # fmt: skip
    """Acceptance by rank, at temperature 1.

    Behind each token of the texts but the first, one set of candidates is drawn and judged, as
    `recursive_rejection` does it with the children of one node.
    """
    rng, accepted, places = np.random.default_rng(seed), np.zeros(most), 0
    for text in texts:
        # both at once: a head reads the states of the target's session
        sessions = [model.start(text[:1]) for model in (target, draft)]
        p, q = (
            as_numpy(probabilities(session.extend(text[1:]), Sampling())).astype(np.float64)
            for session in sessions
        )
        for left, row in zip(p, q, strict=True):
            tokens, rows = draw(row, rng.random(most).tolist())
            places += 1
            for rank, token in enumerate(tokens):
                ratio = left[token] if rows is None else left[token] / rows[rank][token]
                if rng.random() < ratio:
                    accepted[rank] += 1
                    break
                left = without(left, token) if rows is None else residual(left, rows[rank])
    return (accepted / places).tolist()
