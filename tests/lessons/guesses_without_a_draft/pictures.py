"""The figure of this elective, drawn from made-up data."""

from course_utils.lessons.guesses_without_a_draft import figures

WAYS = ("Jacobi", "Jacobi and a pool", "prompt lookup", "blockwise", "draft model")
PICTURES = {
    "brought": lambda: figures.brought(
        {
            kind: {way: 1 + i / 2 + t for i, way in enumerate(WAYS)}
            for t, kind in enumerate(("code", "prose"))
        }
    )
}
