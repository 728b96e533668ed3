"""Losses of draft heads: the target's rows, at every position that the heads guess.

The target runs once over the windows; its states are a `Studied`, from which any number of heads
can learn, repeatedly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_utils.models.qwen3.heads import EagleHead, Ends, Medusa
from course_utils.training.loop import Figures
from course_utils.training.losses import EMULATED, Loss
from course_utils.training.recipes import HeadRecipe
from workshop.training.unrolled import unrolled

QUICK_STRIDE = 4  # distance of held-out anchors during training

Head = Medusa | EagleHead
Costs = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Studied:
    """Windows with the target's states; d is its width, B windows of L tokens."""

    tokens: Tensor  # (B, L)
    aux_states: Tensor  # (aux_layers, B, L, d): states after the tapped layers
    last: Tensor  # (B, L, d): states after its last norm
    log_sum_exp: Tensor | None = None  # (B, L): of its logits; None: computed from all logits


@torch.no_grad()
def study(target: nn.Module, windows: Tensor, aux_layers: Sequence[int]) -> Studied:
    """Run a transformers `Qwen3ForCausalLM` over windows (B, L).

    Tap i is the state after i layers.  The last one is taken *before* the last norm, while the
    `hidden_states` of transformers end with the state after it.
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
    """Return logits (B, A, D or V) of the steps 0 .. steps-1 from the anchors (A,)."""
    if isinstance(head, Medusa):
        return list(head(studied.last[:, anchors])[:steps])
    return unrolled(head, studied.aux_states, studied.tokens, steps, anchors)


def anchors_of(tokens: Tensor, steps: int, stride: int = 1, start: int = 0) -> Tensor:
    """Return every `stride`-th position of windows (B, L) with `steps` rows after it.

    The first one depends only on the text and `start`, so that a resumed run takes the same.
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
    """Return KL(p, q) and alpha of every step, each (B, A), from every `stride`-th anchor.

    With a draft vocabulary KL uses p given that vocabulary; alpha, the acceptance probability, is
    over all tokens: sum of min(p, q), with q = 0 outside.
    """
    anchors = anchors_of(studied.tokens, steps, stride, start)
    known = getattr(head, "draft_tokens", None)
    needed = (anchors[:, None] + torch.arange(1, steps + 1)).unique()  # positions guessed
    with torch.no_grad():
        last = studied.last[:, needed]
        if known is None or studied.log_sum_exp is None:
            log_p = F.linear(last, ends.lm_head).float().log_softmax(-1)
            log_p = log_p if known is None else log_p[..., known]
        else:  # with a draft vocabulary
            logits = F.linear(last, ends.lm_head[known]).float()
            log_p = logits - studied.log_sum_exp[:, needed, None]
        p = log_p.exp()
        inside = log_p.logsumexp(-1, keepdim=True)
        entropy = -(p * (log_p - inside)).sum(-1) / p.sum(-1)  # entropy of p given the vocabulary
    costs = costs or row_costs
    divergences, alphas = [], []
    for step, logits in enumerate(guesses(head, studied, steps, anchors)):
        here = torch.searchsorted(needed, anchors + step + 1)  # x_{a+2+s} is drawn from that row
        crossed, alpha = costs(p[:, here], logits)
        divergences.append(crossed - entropy[:, here])
        alphas.append(alpha)
    return divergences, alphas


def row_costs(p: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return for rows (..., V) the cross-entropy of normalised p and q, and sum of min(p, q)."""
    log_q = logits.float().log_softmax(-1)
    crossed = -(p * log_q).sum(-1) / p.sum(-1)
    return crossed, torch.minimum(p, log_q.exp()).sum(-1)


def weighted(divergences: list[Tensor], alphas: list[Tensor], decay: float) -> Tensor:
    """Return the scalar KL(p, q) + TV(p, q), weighted by decay^s, normalised."""
    costs = [kl.mean() + (1 - alpha).mean() for kl, alpha in zip(divergences, alphas, strict=True)]
    weights = [decay**step for step in range(len(costs))]
    return sum(w * cost for w, cost in zip(weights, costs, strict=True)) / sum(weights)


def tokens_a_round(alphas: list[Tensor]) -> Tensor:
    """Return tau = 1 + sum over k of the product of the first k alphas, at each anchor (B, A).

    It is the expected number of tokens in a round in which the head drafts a chain of `alphas`
    tokens, sampled at temperature 1.
    """
    return 1 + torch.stack(alphas).cumprod(0).sum(0)


def objective(
    heads: Mapping[str, Head],
    ends: Ends,
    recipes: Mapping[str, HeadRecipe],
    taps: Sequence[int],
    study: Callable[[Any], Studied],
    held_out: Sequence[Any],
    stride: int,
    start: int = 0,
    costs: Costs = row_costs,
) -> tuple[Loss, Callable[[], Figures]]:
    """Return the loss of a batch, and a function for the log's held-out loss, tau and alphas.

    Args:
        taps: layers of the states that `study` returns of a batch.
        held_out: batches.
        stride: as `start`, of `anchors_of`.
    """

    def parts(name: str, studied: Studied, stride: int, costs: Costs) -> tuple[list, list]:
        recipe = recipes[name]
        own = [taps.index(tap) for tap in recipe.aux_layers or taps]
        read = replace(studied, aux_states=studied.aux_states[own])
        with precision():
            return compared(heads[name], ends, read, recipe.steps, stride, costs, start)

    def loss(batch: Any) -> Tensor:
        studied = study(batch)
        each = {name: parts(name, studied, stride, costs) for name in heads}
        return sum(weighted(*each[name], recipes[name].weight_decay) for name in heads)

    @torch.no_grad()
    def evaluate() -> Figures:
        studies, figures = [study(batch) for batch in held_out], {}
        for name, recipe in recipes.items():
            results = [parts(name, studied, QUICK_STRIDE, row_costs) for studied in studies]
            kls, alphas = (
                [torch.cat(step) for step in zip(*side, strict=True)]
                for side in zip(*results, strict=True)
            )
            figures[f"{name}_loss"] = weighted(kls, alphas, recipe.weight_decay).item()
            figures[f"{name}_tau"] = tokens_a_round(alphas).mean().item()
            for i, alpha in enumerate(alphas):
                figures[f"{name}_alpha_{i + 1}"] = alpha.mean().item()
        return figures

    return loss, evaluate


def precision() -> torch.autocast:
    """Return a context with bfloat16 products if they are native; weights stay float32."""
    return torch.autocast("cpu", torch.bfloat16, enabled=not EMULATED)
