"""Each figure of this elective, drawn from made-up data."""

from course_utils.lessons.suffix_automaton import figures
from course_utils.lessons.suffix_automaton.automaton import Automaton
from course_utils.measuring.lookups import AUTOMATON, SEARCH, THEIRS

ROWS = [
    {"text": text, "context": length, THEIRS: length / 5, SEARCH: length / 2, AUTOMATON: 20}
    for text in ("a program", "random tokens")
    for length in (1000, 4000, 16000)
]
PICTURES = {
    "automaton_picture": lambda: figures.automaton_picture(Automaton([7, 8, 9, 7, 8])),
    "proposal_times": lambda: figures.proposal_times(ROWS, 1.7e-3, "a model"),
}
