"""What only authors of the course run: lint, notebooks, site, training, bench, a class rehearsed.

`course_utils` never imports it.
"""
