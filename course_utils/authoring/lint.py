"""The form of a lesson, held by rules: small functions, one idea each.

A rule is handed a notebook and yields a `Problem` for each place that breaks it;
it never raises, whatever a notebook of format 4 holds.  `frame` is what every lesson opens
and closes with, `tasks` its exercises and questions, `stored` what a run leaves
in the file, `links`, `glossary` and `core_path` where it leads, `timetable` what other pages
say of its minutes, `repair` what `make fix` puts right.
"""

from collections.abc import Iterable
from pathlib import Path

from nbformat import NotebookNode

from course_utils.authoring.core_path import CORE_PATH
from course_utils.authoring.frame import FRAME
from course_utils.authoring.glossary import terms_lead_to_the_glossary
from course_utils.authoring.links import links_lead_somewhere
from course_utils.authoring.problem import Problem
from course_utils.authoring.stored import STORED
from course_utils.authoring.tasks import TASKS, names_are_unique
from course_utils.authoring.timetable import minutes_agree

RULES = (*FRAME, *TASKS, *STORED)
# They look at the other lessons and at the pages beside them, too.
RULES_OF_PLACE = (links_lead_somewhere, terms_lead_to_the_glossary, minutes_agree, *CORE_PATH)


def problems(
    notebook: NotebookNode, path: Path, others: Iterable[NotebookNode] = ()
) -> list[Problem]:
    """All that is wrong with one lesson.

    Args:
        path: where it lies; its links are followed from there, and its neighbours are found.
        others: the other lessons of the course, for names that must not recur.
    """
    found = [problem for rule in RULES for problem in rule(notebook)]
    found += [problem for rule in RULES_OF_PLACE for problem in rule(notebook, path)]
    return found + list(names_are_unique(notebook, others))
