"""Checks of this lesson, in the order of its exercises."""

from course_utils.lessons.production_engines.gate_check import (
    acceptance_gate,
    check_acceptance_gate,
)
from course_utils.lessons.production_engines.law_check import (
    check_fit_cost_law,
    check_more_and_faster,
    fit_cost_law,
    more_and_faster,
)
from course_utils.lessons.production_engines.metrics_check import (
    check_read_metrics,
    page,
    read_metrics,
)

__all__ = [
    "acceptance_gate",
    "check_acceptance_gate",
    "check_fit_cost_law",
    "check_more_and_faster",
    "check_read_metrics",
    "fit_cost_law",
    "more_and_faster",
    "page",
    "read_metrics",
]
