"""Each figure of this lesson, drawn from made-up data."""

from course_utils.decoding.metrics import summarise
from course_utils.lessons.start_here import figures, why_figures
from tests.pictures import METRICS, PLAIN, RUNS

PICTURES = {
    "two_ways": figures.two_ways,
    "by_gamma": lambda: figures.by_gamma(
        [{"gamma": gamma, "calls": 80 // gamma, "wasted": 3 * gamma} for gamma in range(1, 11)]
    ),
    "one_round": why_figures.one_round,
    "call_strips": lambda: figures.call_strips(
        summarise(PLAIN), METRICS[4], [len(r.emitted) for r in RUNS[4]]
    ),
}
