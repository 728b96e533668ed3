"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.decoding_with_a_cache import figures
from course_utils.lessons.decoding_with_a_cache.attention import weights_of
from tests.pictures import RUNS, TEN

PICTURES = {
    "attention_weights": lambda: figures.attention_weights(weights_of(), start=5),
    "naive_against_cached": lambda: figures.naive_against_cached(
        [32, 512, 1000], [9, 85, 230], [6] * 3
    ),
    "cache_through_rounds": lambda: figures.cache_through_rounds(RUNS[4]),
    "acceptance_against": lambda: figures.acceptance_against([0.95, 0.9, 0.8], [0.8, 0.6, 0.5]),
    "verification_cost": lambda: figures.verification_cost({"float32": 1 + TEN / 40}),
    "cache_of_qwen3": figures.cache_of_qwen3,
    "cache_size": lambda: figures.cache_size(
        {"0.6B": 114688, "4B": 147456}, {"0.6B": 1192099840, "4B": 8044936192}
    ),
}
