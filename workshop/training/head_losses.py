"""What a draft head learns: the target's rows, at every position that it will be asked for.

The target runs once over the windows; what it knew of them is a `Studied`, from which any head
can learn, as often as it likes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_utils.models.qwen3.heads import EagleHead, Ends, Medusa
from course_utils.training.losses import EMULATED
from workshop.training.unrolled import unrolled

Head = Medusa | EagleHead
Costs = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Studied:
    """Windows that the target has read.  d is its width, B windows of L tokens."""

    tokens: Tensor  # (B, L)
    aux_states: Tensor  # (aux_layers, B, L, d): states after the tapped layers
    last: Tensor  # (B, L, d): states after its last norm
    log_sum_exp: Tensor | None = None  # (B, L): of its logits, if known; else they are all taken


@torch.no_grad()
def study(target: nn.Module, windows: Tensor, aux_layers: Sequence[int]) -> Studied:
    """Run a transformers `Qwen3ForCausalLM` over windows (B, L).

    Tap i is the state after i layers.  That after all of them is taken *before* the last norm;
    the `hidden_states` of transformers end with the one after it.
    """
    model = target.model
    with precision():
        x = model.embed_tokens(windows)
        places = torch.arange(windows.shape[1])[None]
        turns = model.rotary_emb(x, places)
        states = [x]
        for layer in model.layers:
            states.append(layer(states[-1], attention_mask=None, position_embeddings=turns))
        last = model.norm(states[-1]).float()
        tapped = last.new_empty(len(aux_layers), *last.shape)
        for place, tap in enumerate(aux_layers):
            tapped[place] = states[tap]
    return Studied(windows, tapped, last)


def guesses(head: Head, studied: Studied, steps: int, anchors: Tensor) -> list[Tensor]:
    """Logits (B, A, D or V) of the steps 0 .. steps-1 from the anchors (A,)."""
    if isinstance(head, Medusa):
        return list(head(studied.last[:, anchors])[:steps])
    return unrolled(head, studied.aux_states, studied.tokens, steps, anchors)


def anchors_of(tokens: Tensor, steps: int, stride: int = 1, start: int = 0) -> Tensor:
    """Every `stride`-th position from `start` on, of windows (B, L), with `steps` rows behind it.

    The first one depends on the text alone, so that a run that goes on takes the same.
    """
    first = tokens.sum() % stride
    return torch.arange(start, tokens.shape[1] - steps - stride + 1, stride) + first


def compared(
    head: Head,
    ends: Ends,
    studied: Studied,
    steps: int,
    stride: int = 1,
    costs: Costs | None = None,
    start: int = 0,
) -> tuple[list[Tensor], list[Tensor]]:
    """KL(p, q) and alpha of every step, each (B, A), from every `stride`-th anchor after `start`.

    With a draft vocabulary KL is to p given that vocabulary; alpha, which is what is accepted,
    is taken over all tokens: sum of min(p, q), where q is 0 outside.
    """
    anchors = anchors_of(studied.tokens, steps, stride, start)
    known = getattr(head, "draft_tokens", None)
    needed = (anchors[:, None] + torch.arange(1, steps + 1)).unique()  # whose rows are guessed
    with torch.no_grad():
        last = studied.last[:, needed]
        if known is None or studied.log_sum_exp is None:
            log_p = F.linear(last, ends.lm_head).float().log_softmax(-1)
            log_p = log_p if known is None else log_p[..., known]
        else:  # of an eighth of the tokens, say
            logits = F.linear(last, ends.lm_head[known]).float()
            log_p = logits - studied.log_sum_exp[:, needed, None]
        p = log_p.exp()
        inside = log_p.logsumexp(-1, keepdim=True)
        entropy = -(p * (log_p - inside)).sum(-1) / p.sum(-1)  # of p given the vocabulary
    costs = costs or row_costs
    divergences, alphas = [], []
    for step, logits in enumerate(guesses(head, studied, steps, anchors)):
        here = torch.searchsorted(needed, anchors + step + 1)  # x_{a+2+s} is drawn from that row
        crossed, alpha = costs(p[:, here], logits)
        divergences.append(crossed - entropy[:, here])
        alphas.append(alpha)
    return divergences, alphas


def row_costs(p: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
    """Rows (..., V): cross-entropy of p, scaled to sum to 1, and q; and sum of min(p, q)."""
    log_q = logits.float().log_softmax(-1)
    crossed = -(p * log_q).sum(-1) / p.sum(-1)
    return crossed, torch.minimum(p, log_q.exp()).sum(-1)


def weighted(divergences: list[Tensor], alphas: list[Tensor], decay: float) -> Tensor:
    """KL(p, q) + TV(p, q), weights decay^s that sum to 1: a scalar."""
    costs = [kl.mean() + (1 - alpha).mean() for kl, alpha in zip(divergences, alphas, strict=True)]
    weights = [decay**step for step in range(len(costs))]
    return sum(w * cost for w, cost in zip(weights, costs, strict=True)) / sum(weights)


def tokens_a_round(alphas: list[Tensor]) -> Tensor:
    """tau = 1 + sum over k of the product of the first k alphas, at each anchor (B, A).

    What the target is expected to emit in a round in which the head drafts a chain of as many
    tokens as there are alphas, sampled at temperature 1.
    """
    return 1 + torch.stack(alphas).cumprod(0).sum(0)


def precision() -> torch.autocast:
    """bfloat16 products where the processor has them; weights stay float32."""
    return torch.autocast("cpu", torch.bfloat16, enabled=not EMULATED)
