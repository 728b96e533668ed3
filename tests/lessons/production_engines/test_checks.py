"""Answers of students to lesson 12 that its checks do not list as mistakes."""

from course_utils.lessons.production_engines.checks import check_acceptance_gate

WRONG_ANSWERS = [(check_acceptance_gate, lambda *case: True, 'return "dead" or "alive"')]
