"""Tools for the course's authors: lint, notebooks, site, training, bench, rehearsal of a class.

`course_utils` never imports it.
"""
