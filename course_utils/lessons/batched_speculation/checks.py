"""Checks of this lesson, in the order of its exercises."""

from course_utils.lessons.batched_speculation.bonus_checks import (
    bonus_lost,
    check_bonus_lost,
    check_repaired_row,
    repaired_row,
)
from course_utils.lessons.batched_speculation.judging_checks import (
    check_judged_rows,
    judged_rows,
)
from course_utils.lessons.batched_speculation.placing_checks import (
    check_committed_lengths,
    check_rows_placed,
    check_seen_columns,
    committed_lengths,
    rows_placed,
    seen_columns,
)
from course_utils.lessons.batched_speculation.waiting_checks import (
    check_finished_at,
    check_slowest_of,
    finished_at,
    slowest_of,
)

__all__ = [
    "bonus_lost",
    "check_bonus_lost",
    "check_committed_lengths",
    "check_finished_at",
    "check_judged_rows",
    "check_repaired_row",
    "check_rows_placed",
    "check_seen_columns",
    "check_slowest_of",
    "committed_lengths",
    "finished_at",
    "judged_rows",
    "repaired_row",
    "rows_placed",
    "seen_columns",
    "slowest_of",
]
