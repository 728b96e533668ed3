"""Each figure of this elective, drawn from made-up data."""

from course_utils.lessons.other_tokenizers import figures
from course_utils.lessons.other_tokenizers.other_tokenizer import Intersection

COUNTED = Intersection(0.2, 0.85, 0.7, 0.68, 0.96, 1.44, 0.18, 0.17)
PICTURES = {
    "restriction": figures.restriction,
    "shared": lambda: figures.shared(COUNTED, 0.25, (0.72, 0.57)),
}
