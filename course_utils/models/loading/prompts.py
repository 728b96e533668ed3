"""Beginnings of held-out files: text that neither model of the trained pair has seen."""

import json

from course_utils.models.names import DATA

PROMPTS = DATA / "prompts.json"


def held_out_prompts(kind: str) -> list[str]:
    """The prompts of kind "code" or "prose".

    Raises:
        ValueError: another kind.
    """
    prompts = json.loads(PROMPTS.read_text("utf-8"))
    if kind not in prompts:
        raise ValueError(f"kind is {kind!r}; choose {' or '.join(prompts)}")
    return [prompt["text"] for prompt in prompts[kind]]
