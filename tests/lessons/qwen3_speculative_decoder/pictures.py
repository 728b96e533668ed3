"""Each figure of this lesson, drawn from made-up data."""

from types import SimpleNamespace

import numpy as np

from course_utils.lessons.qwen3_speculative_decoder import (
    checks,
    figures,
    reading_figures,
    tie_figures,
)
from tests.pictures import METRICS, P, Q


def _divergence(alone, among, verdict):
    return SimpleNamespace(
        alone=SimpleNamespace(margin=alone), among=SimpleNamespace(margin=among), verdict=verdict
    )


PICTURES = {
    "acceptance_over_gamma": lambda: figures.acceptance_over_gamma(METRICS),
    "speedup_over_gamma": lambda: figures.speedup_over_gamma(
        {1: 1.2, 2: 1.4}, {1: 1.9, 2: 1.35}, {1: 1.8, 2: 2.4}
    ),
    "distributions_at_one_position": lambda: reading_figures.distributions_at_one_position(
        {"p at temperature 1": P, "p at temperature 0.7": P**1.4, "the article": Q}
    ),
    "tokens_to_notice": lambda: reading_figures.tokens_to_notice(
        checks.on_a_miss,
        {"even": lambda size: np.full(size, 1 / size), "as drawn": checks.placeholders},
        [4, 64, 4096],
    ),
    "leads": lambda: tie_figures.leads(
        [_divergence(0.1, 0.0, "numerical tie")],
        [_divergence(1.2, 1.1, "bug"), _divergence(0.1, -0.1, "numerical tie")],
        0.3,
    ),
}
