"""Three texts to be distilled on: the corpus, what the draft says, what the target says.

The first is off-policy and costs nothing.  The second is on-policy (REFERENCES.md: zhou2024):
the draft is taught where its own guesses lead.  The third is where a committed text leads.
"""

from collections.abc import Iterator

import torch
from torch import Tensor
from transformers import Qwen3ForCausalLM

from course_utils.lessons.better_drafts.distilled import WINDOWS

BEGINNING = 16  # tokens of the corpus that a sampled window begins with
FRESH = 8  # steps for which windows are sampled at once; then the draft has changed


def sampled_windows(
    model: Qwen3ForCausalLM, corpus: Iterator[Tensor], seed: int, fresh: int = FRESH
) -> Iterator[Tensor]:
    """Windows (WINDOWS, length + 1) that `model`, as it is then, samples at temperature 1."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        beginnings = torch.cat([next(corpus) for _ in range(fresh)])
        length = beginnings.shape[1]
        yield from continued(model, beginnings[:, :BEGINNING], length, generator).split(WINDOWS)


@torch.no_grad()
def continued(
    model: Qwen3ForCausalLM, text: Tensor, length: int, generator: torch.Generator
) -> Tensor:
    """Texts (batch, n) -> (batch, length), each token a draw from the model's row."""
    cache, new = None, text
    while text.shape[1] < length:
        said = model(new, past_key_values=cache, use_cache=True)
        cache = said.past_key_values
        new = torch.multinomial(said.logits[:, -1].float().softmax(-1), 1, generator=generator)
        text = torch.cat([text, new], dim=1)
    return text
