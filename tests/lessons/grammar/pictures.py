"""The figure of this elective, drawn from made-up numbers."""

from course_utils.lessons.grammar import figures

PICTURES = {
    "along": lambda: figures.along(
        ['{"', "name", '":', '"', "x y", '"}'], [0.01, 0.2, 0.4, 0.9, 0.6, 0.1],
        [1, 1, 1, 1, 0.7, 0.5], [1, 1, 1, 9, 400, 300],
    ),
}  # fmt: skip
