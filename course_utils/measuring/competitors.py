"""What transformers offers for the same two models: its own modes of generation.

Its draft settings are read from the draft model's generation config, not from
the arguments of `generate`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product

import torch
from transformers import AutoModelForCausalLM, GenerationConfig, PreTrainedModel
from transformers.utils import logging

from course_utils.measuring.protocol import Contender

ASSISTED = tuple(product(range(1, 9), ("constant", "heuristic"), (0.0, 0.4)))
"""(num_assistant_tokens, schedule, confidence threshold): the settings that are tried."""


class Competitors:
    """The pair as transformers runs it, in one dtype."""

    def __init__(self, target: str, draft: str, dtype: torch.dtype):
        logging.set_verbosity_error()
        self.target = AutoModelForCausalLM.from_pretrained(target, dtype=dtype).eval()
        self.draft = AutoModelForCausalLM.from_pretrained(draft, dtype=dtype).eval()

    def plain(self, temperature: float, new_tokens: int) -> Contender:
        return lambda number, prompt: _continued(
            self.target, number, prompt, temperature, new_tokens
        )

    def lookup(self, temperature: float, new_tokens: int) -> Contender:
        return lambda number, prompt: _continued(
            self.target, number, prompt, temperature, new_tokens, prompt_lookup_num_tokens=4
        )

    def assisted(
        self, temperature: float, new_tokens: int, gamma: int, schedule: str, threshold: float
    ) -> Contender:
        def contender(number: int, prompt: Sequence[int]) -> tuple[int, Mapping[str, float]]:
            settings = self.draft.generation_config
            # set anew each time: the heuristic schedule changes it while it runs
            settings.num_assistant_tokens = gamma
            settings.num_assistant_tokens_schedule = schedule
            settings.assistant_confidence_threshold = threshold
            return _continued(
                self.target, number, prompt, temperature, new_tokens, assistant_model=self.draft
            )

        return contender


def _continued(
    model: PreTrainedModel,
    number: int,
    prompt: Sequence[int],
    temperature: float,
    new_tokens: int,
    **mode: object,
) -> tuple[int, Mapping[str, float]]:
    """Exactly `new_tokens` more tokens, stop tokens ignored."""
    torch.manual_seed(number)
    sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
    config = GenerationConfig(
        max_new_tokens=new_tokens, pad_token_id=0,
        **(sampling if temperature else {"do_sample": False}),
    )  # fmt: skip
    with suppress(AttributeError):  # what an earlier mode left behind
        del model.generation_config.prompt_lookup_num_tokens
    ids = torch.tensor([prompt])
    output = model.generate(
        ids, attention_mask=torch.ones_like(ids), generation_config=config, **mode
    )
    return output.shape[1] - len(prompt), {}
