"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.qwen3_speculative_decoder import figures

PICTURES = {
    "speedup_over_gamma": lambda: figures.speedup_over_gamma(
        {1: 1.2, 2: 1.4}, {1: 1.9, 2: 1.35}, {1: 1.8, 2: 2.4}
    ),
}
