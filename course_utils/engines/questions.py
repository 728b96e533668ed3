"""What both decoders are asked: beginnings of held-out files, as token ids."""

from collections.abc import Callable, Sequence

from course_utils.engines.client import Question
from course_utils.models.prompts import held_out_prompts

Encode = Callable[[str], Sequence[int]]
NEW = 64  # tokens behind each


def questions(encode: Encode) -> list[Question]:
    """Eight prompts, code and prose, greedy."""
    texts = [*held_out_prompts("code")[:4], *held_out_prompts("prose")[:4]]
    return [Question(tuple(encode(text)), NEW, temperature=0.0) for text in texts]


def sampled_questions(encode: Encode) -> list[Question]:
    """Sixteen prompts at temperature 1, each with a seed of its own."""
    texts = [*held_out_prompts("code")[:8], *held_out_prompts("prose")[:8]]
    return [Question(tuple(encode(text)), NEW, 1.0, seed) for seed, text in enumerate(texts)]
