"""An adapter between a target's first layers and its head, trained while the target stands still.

The head reads the hidden states of the last layer; after a few layers they are others.  The
adapter learns to make the one of the other, each token on its own: in Kangaroo
(REFERENCES.md: liu2024) it has an attention, and so a cache of its own; here it has none.
LayerSkip (REFERENCES.md: elhoushi2024) trains the target itself for the purpose instead.
"""

from collections.abc import Callable, Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_utils.decoding.contracts import LanguageModel
from course_utils.models.qwen3 import Qwen3


class Adapter(nn.Module):
    """Hidden states (n, hidden) -> (n, hidden): a matrix, and a small MLP beside it.

    Untrained it changes nothing but the length of the states, which the last norm undoes.
    """

    def __init__(self, hidden: int, width: int):
        super().__init__()
        self.straight = nn.Parameter(torch.eye(hidden))
        self.up = nn.Parameter(torch.randn(width, hidden) / hidden**0.5)
        self.down = nn.Parameter(torch.zeros(hidden, width))

    def forward(self, x: Tensor) -> Tensor:
        x = F.rms_norm(x.float(), x.shape[-1:])
        return F.linear(x, self.straight) + F.linear(F.silu(F.linear(x, self.up)), self.down)


def exit_head(model: LanguageModel, adapter: Adapter) -> Callable[[Tensor], Tensor]:
    """A head for an early exit of `model`: hidden states -> logits."""

    @torch.no_grad()
    def head(hidden: Tensor) -> Tensor:
        return model.logits(adapter(hidden))

    return head


@torch.no_grad()
def states_of(target: Qwen3, texts: Sequence[Sequence[int]], layers: int) -> tuple[Tensor, Tensor]:
    """Hidden states of all tokens after `layers` layers and after all, (n, hidden) each."""
    early, last = [], []
    for text in texts:
        session = target.start([])
        last.append(session.process(text))
        session.rollback(0)
        early.append(session.first(layers).process(text))
    return torch.cat(early).clone(), torch.cat(last).clone()


def trained(
    adapter: Adapter,
    target: Qwen3,
    early: Tensor,
    last: Tensor,
    steps: int = 150,
    batch: int = 256,
    seed: int = 0,
) -> Iterator[float]:
    """Train in place; yields the loss of each step, KL(p, q) in nats.

    p are the target's rows from the states `last`, q those that its norm and head make of
    what the adapter makes of `early`.  AdamW, a warm-up and a linear decay.
    """
    optimiser = torch.optim.AdamW(adapter.parameters(), lr=3e-3, betas=(0.9, 0.98), weight_decay=0)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / 20) * (1 - step / steps)
    )
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        chosen = torch.randint(len(early), (batch,), generator=generator)
        with torch.no_grad():
            log_p = target.logits(last[chosen]).log_softmax(-1)
        log_q = target.logits(adapter(early[chosen])).log_softmax(-1)
        loss = F.kl_div(log_q, log_p, reduction="batchmean", log_target=True)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        rates.step()
        yield loss.item()
