"""What a draft is worth on held-out prompts, as the target continues them at temperature 1."""

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase, Qwen3ForCausalLM

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.rows import as_numpy
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.better_drafts.distilled import rows_of
from course_utils.models.onnx_qwen3 import OnnxQwen3
from course_utils.models.prompts import held_out_prompts
from course_utils.models.qwen3 import Qwen3
from course_utils.training.losses import acceptance

GAMMA = 4
NEW_TOKENS = 48  # of each continuation
LOOPED = 8  # prompts that the loop is run on
CONTEXT = 512


class Judge:
    """Holds the target's continuations and rows, so that every draft is judged on the same."""

    def __init__(
        self,
        target: Qwen3ForCausalLM,
        tokenizer: PreTrainedTokenizerBase,
        new_tokens: int = NEW_TOKENS,
    ):
        self.new_tokens = new_tokens
        self.target = _quick(target)
        texts = held_out_prompts("code") + held_out_prompts("prose")
        self.prompts = [tokenizer(text)["input_ids"] for text in texts]
        self._continued = [self._continue(i) for i in range(len(self.prompts))]

    def alpha(self, draft: Qwen3ForCausalLM) -> float:
        """Mean acceptance over all tokens of all continuations."""
        found = [
            acceptance(log_p, rows_of(draft, text)[0, -len(log_p) :])
            for text, log_p in self._continued
        ]
        return torch.cat(found).mean().item()

    def tokens_per_round(self, draft: Qwen3ForCausalLM) -> float:
        """In the loop, at gamma 4, on some of the prompts; prompt i has seed i."""
        model, rounds = _quick(draft), []
        for i in range(0, len(self.prompts), max(1, len(self.prompts) // LOOPED)):
            rounds += self._run(i, Sampled(model))
        return summarise(rounds).tokens_per_round

    def _continue(self, i: int) -> tuple[Tensor, Tensor]:
        """(the text (1, n + 1), the target's log rows (m, V) of the m tokens it said)."""
        rounds = self._run(i, None)
        p = np.concatenate([as_numpy(r.p) for r in rounds])
        log_p = torch.from_numpy(p).float().log()
        return torch.tensor([[*self.prompts[i], *emitted_tokens(rounds)]]), log_p

    def _run(self, i: int, drafter: Sampled | None) -> list:
        options = {"gamma": GAMMA, "max_new_tokens": self.new_tokens, "seed": i}
        return list(generate(self.target, self.prompts[i], drafter, **options))


def _quick(model: Qwen3ForCausalLM) -> OnnxQwen3:
    """In float32, on ONNX Runtime."""
    return OnnxQwen3(Qwen3.from_transformers(model, CONTEXT))
