"""The anatomy of a lesson, held by rules: small pure functions, one idea each.

A rule is handed a notebook and yields a `Fault` for each place that breaks it;
it never raises, whatever a notebook of format 4 holds.  `frame` is what every lesson opens
and closes with, `tasks` its exercises and questions, `stored` what a run leaves
in the file, `links` where it leads, `repair` what `make fix` puts right.
"""

from collections.abc import Iterable
from pathlib import Path

from nbformat import NotebookNode

from course_utils.authoring.frame import FRAME
from course_utils.authoring.links import links_lead_somewhere
from course_utils.authoring.problem import Fault
from course_utils.authoring.stored import STORED
from course_utils.authoring.tasks import TASKS, names_are_unique

RULES = (*FRAME, *TASKS, *STORED)


def faults(notebook: NotebookNode, path: Path, others: Iterable[NotebookNode] = ()) -> list[Fault]:
    """All that is wrong with one lesson.

    Args:
        path: where it lies; its links are followed from there.
        others: the other lessons of the course, for names that must not recur.
    """
    found = [fault for rule in RULES for fault in rule(notebook)]
    found += links_lead_somewhere(notebook, path)
    return found + list(names_are_unique(notebook, others))
