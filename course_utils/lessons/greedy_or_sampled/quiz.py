"""The questions of quiz.md, by their names in capitals."""

from course_utils.classroom.quiz import module_attributes

__getattr__, __dir__ = module_attributes(__file__)
