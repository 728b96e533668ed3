"""The figure of this elective, of a few steps."""

from course_utils.lessons.what_cannot_be_cropped import figures

PICTURES = {"inverted": lambda: figures.inverted(steps=4, gates=(0.9, 0.5))}
