"""A wrong answer that needs the names of the notebook."""

from course_utils.edits import slip
from course_utils.lessons.start_here.checks import by_gamma, check_by_gamma

WRONG_ANSWERS = [
    # the notebook's gamma, some constant, instead of the loop's
    (check_by_gamma, slip(by_gamma, ("gamma=gamma", "gamma=5")), "the gamma of your loop"),
]
