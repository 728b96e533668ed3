"""Checks of this lesson, in the order of its exercises."""

from course_utils.lessons.trees_and_heads.head_checks import (
    broken_runs,
    check_broken_runs,
    check_predicted_tau,
    check_unrolled_loss,
    predicted_tau,
    unrolled_loss,
)
from course_utils.lessons.trees_and_heads.mask_checks import (
    check_ancestor_mask,
    check_placed,
    placed,
)
from course_utils.lessons.trees_and_heads.walk_check import check_walk, walk

__all__ = [
    "broken_runs",
    "check_ancestor_mask",
    "check_broken_runs",
    "check_placed",
    "check_predicted_tau",
    "check_unrolled_loss",
    "check_walk",
    "placed",
    "predicted_tau",
    "unrolled_loss",
    "walk",
]
