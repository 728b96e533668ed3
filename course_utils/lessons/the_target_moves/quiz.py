"""The questions of quiz.md, by their names in capitals."""

from course_utils.classroom.quiz import beside

__getattr__, __dir__ = beside(__file__)
