"""What every lesson takes from the classroom, in one line of its first cell."""

from course_utils.classroom.feedback import yours
from course_utils.classroom.live import live
from course_utils.classroom.quiz import ask
from course_utils.classroom.source import Source
from course_utils.classroom.stepper import stepper
from course_utils.classroom.table import table
from course_utils.classroom.tokens import coloured, pieces

__all__ = ["Source", "ask", "coloured", "live", "pieces", "stepper", "table", "yours"]
