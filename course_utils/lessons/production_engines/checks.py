"""Checks of this lesson, in the order of its exercises."""

from course_utils.lessons.production_engines.gate_check import (
    acceptance_gate,
    check_acceptance_gate,
)
from course_utils.lessons.production_engines.line_check import (
    check_fit_cost_line,
    check_more_and_faster,
    fit_cost_line,
    more_and_faster,
)
from course_utils.lessons.production_engines.metrics_check import (
    check_read_metrics,
    page,
    read_metrics,
)
from course_utils.lessons.production_engines.surprise_check import check_deviations, deviations

__all__ = [
    "acceptance_gate",
    "check_acceptance_gate",
    "check_deviations",
    "check_fit_cost_line",
    "check_more_and_faster",
    "check_read_metrics",
    "deviations",
    "fit_cost_line",
    "more_and_faster",
    "page",
    "read_metrics",
]
