"""Each figure of this elective, drawn from made-up data."""

from course_utils.lessons.what_tests_see import figures

PICTURES = {
    "texts_needed": lambda: figures.texts_needed(
        {"a gross bug": 31.0, "a bug": 700.0, "another": 240_000.0, "a subtle one": 2.2e9}, 135
    ),
}
