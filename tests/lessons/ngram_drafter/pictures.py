"""Each figure of this lesson, drawn from made-up data."""

from course_utils.classroom.rounds import round_of
from course_utils.decoding.metrics import summarise
from course_utils.lessons.ngram_drafter import automaton_figures, figures
from course_utils.lessons.ngram_drafter.automaton import Automaton

ACCEPTED = {"code": 3, "prose": 2, "lists": 4}  # of four
RUNS = {
    (setting, drafter, kind): summarise([round_of(4, accepted), round_of(4, 0)])
    for setting in ("greedy", "temperature 1")
    for drafter in ("trigram", "lookup", "lookup first", "draft model")
    for kind, accepted in ACCEPTED.items()
}
PICTURES = {
    "acceptance_bars": lambda: figures.acceptance_bars(RUNS),
    "automaton_picture": lambda: automaton_figures.automaton_picture(Automaton([7, 8, 9, 7, 8])),
    "copied_map": lambda: automaton_figures.copied_map([round_of(4, 2)], [5, 7, 5]),
}
