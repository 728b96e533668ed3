"""Each figure of this elective, drawn from made-up data."""

from course_utils.lessons.choosing_a_drafter import figures
from course_utils.lessons.choosing_a_drafter.workloads import MIXED, Worked

KINDS = ("code", "prose", "a list", "an edit")
NAMES = ("lookup", "model", "lookup, else model", "Hedge")
FOUND = {
    name: {kind: Worked(160, 100 - 12 * i, 60 * i) for kind in KINDS}
    for i, name in enumerate(NAMES[:3])
}

PICTURES = {
    "by_kind": lambda: figures.by_kind(
        {
            name: {kind: 1 + (i + k) / 5 for k, kind in enumerate((*KINDS, MIXED))}
            for i, name in enumerate(NAMES)
        }
    ),
    "as_the_draft_gets_dearer": lambda: figures.as_the_draft_gets_dearer(FOUND, 0.15),
}
