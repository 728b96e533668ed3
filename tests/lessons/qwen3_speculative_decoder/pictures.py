"""Each figure of this lesson, drawn from made-up data."""

from types import SimpleNamespace

from course_utils.lessons.qwen3_speculative_decoder import figures, tie_figures
from tests.pictures import METRICS, ROWS, P, Q, bench_row


def _divergence(alone, among, verdict):
    return SimpleNamespace(
        alone=SimpleNamespace(margin=alone), among=SimpleNamespace(margin=among), verdict=verdict
    )


PICTURES = {
    "floors": lambda: figures.floors([bench_row("plain", None, 350), *ROWS[:3]]),
    "acceptance_over_gamma": lambda: figures.acceptance_over_gamma(METRICS),
    "speedup_over_gamma": lambda: figures.speedup_over_gamma({1: 1.2, 2: 1.4}, {1: 1.3, 2: 1.35}),
    "distributions_at_one_position": lambda: figures.distributions_at_one_position(
        {"p at temperature 1": P, "p at temperature 0.7": P**1.4, "the article": Q}
    ),
    "speed_within_reach": lambda: figures.speed_within_reach(
        {"as printed": (20, 60), "one pass per round": (10, 50)}, 50, 2.72, {"weights": 0.15}
    ),
    "leads": lambda: tie_figures.leads(
        [_divergence(0.1, 0.0, "numerical tie")],
        [_divergence(1.2, 1.1, "bug"), _divergence(0.1, -0.1, "numerical tie")],
        0.3,
    ),
}
