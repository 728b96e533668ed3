"""The figure of this elective, drawn from made-up data."""

from course_utils.lessons.engines_compared import figures
from course_utils.lessons.engines_compared.figures import Priced

PICTURES = {
    "prices": lambda: figures.prices(
        [
            Priced("one: drawn from q", 2.9, 2.1),
            Priced("ONNX Runtime GenAI: drawn from q", 2.8, 4.1),
            Priced("another: likeliest token", 1.6, 1.7),
        ]
    ),
    "prices, all pay": lambda: figures.prices([Priced("one", 2.9, 2.1)]),
}
