"""Each figure of this lesson, drawn from made-up data."""

from course_utils.classroom.rounds import round_of
from course_utils.lessons.ngram_drafter import figures

ACCEPTED = {"code": 3, "prose": 2, "lists": 4}  # of four
RUNS = {
    (setting, drafter, kind): [round_of(4, accepted), round_of(4, 0)]
    for setting in ("greedy", "temperature 1")
    for drafter in ("parrot", "counts", "lookup", "lookup first", "draft model")
    for kind, accepted in ACCEPTED.items()
}
PICTURES = {"gains_by_text": lambda: figures.gains_by_text(RUNS)}
