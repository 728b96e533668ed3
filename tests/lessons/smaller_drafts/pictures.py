"""Each figure of this elective, drawn from made-up data."""

from course_utils.lessons.smaller_drafts import figures
from course_utils.measuring.exits import Known

BARE = {n: Known(0.06 * n + 0.04, 0.05 * n + 0.2) for n in (1, 2, 4, 8, 12, 16)}
PICTURES = {
    "by_layer": lambda: figures.by_layer(
        BARE, {1: 0.15, 2: 0.2, 4: 0.33, 8: 0.57}, {2: Known(0.35, 0.4), 4: Known(0.5, 0.5)}
    ),
}
