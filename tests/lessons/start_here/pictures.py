"""Each figure of this lesson, drawn from made-up data."""

from course_utils.decoding.metrics import summarise
from course_utils.lessons.start_here import diagrams, figures
from tests.pictures import METRICS, PLAIN, RUNS

PICTURES = {
    "one_fetch": lambda: diagrams.one_fetch(42_000_000, {1: 0.0071, 6: 0.0092}),
    "one_round": diagrams.one_round,
    "call_strips": lambda: figures.call_strips(
        summarise(PLAIN), METRICS[4], [len(r.emitted) for r in RUNS[4]]
    ),
}
