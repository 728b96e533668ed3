"""What a draft head learns: the target's rows, at every position that it will be asked for.

The target runs once over the windows; what it knew of them is a `Studied`, from which any head
can learn, as often as it likes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_utils.models.qwen3.heads import EagleHead, Ends, Medusa
from course_utils.training.losses import EMULATED
from course_utils.training.optimisers import optimisers_of
from workshop.training.unrolled import unrolled

Head = Medusa | EagleHead
Costs = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Studied:
    """Windows that the target has read.  d is its width, B windows of L tokens."""

    tokens: Tensor  # (B, L)
    aux_states: Tensor  # (aux_layers, B, L, d): states after the tapped layers
    last: Tensor  # (B, L, d): states after its last norm

    def some(self, rows: Tensor) -> "Studied":
        """The windows `rows` (n,)."""
        return Studied(self.tokens[rows], self.aux_states[:, rows], self.last[rows])


@torch.no_grad()
def study(target: nn.Module, windows: Tensor, aux_layers: Sequence[int]) -> Studied:
    """Run a transformers `Qwen3ForCausalLM` over windows (B, L).

    Tap i is the state after i layers.  That after all of them is taken *before* the last norm;
    the `hidden_states` of transformers end with the one after it.
    """
    model = target.model
    with precision(windows.device):
        x = model.embed_tokens(windows)
        places = torch.arange(windows.shape[1], device=windows.device)[None]
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


def anchors_of(tokens: Tensor, steps: int, stride: int = 1) -> Tensor:
    """Every `stride`-th position of windows (B, L) that has `steps` rows behind it.

    The first one depends on the text alone, so that a run that goes on takes the same.
    """
    first = tokens.sum() % stride
    places = torch.arange(0, tokens.shape[1] - steps - stride + 1, stride, device=tokens.device)
    return places + first


def compared(
    head: Head,
    ends: Ends,
    studied: Studied,
    steps: int,
    stride: int = 1,
    costs: Costs | None = None,
) -> tuple[list[Tensor], list[Tensor]]:
    """KL(p, q) and alpha of every step, each (B, A), from every `stride`-th anchor.

    With a draft vocabulary KL is to p given that vocabulary; alpha, which is what is accepted,
    is taken over all tokens: sum of min(p, q), where q is 0 outside.
    """
    anchors = anchors_of(studied.tokens, steps, stride)
    with torch.no_grad():
        log_p = F.linear(studied.last, ends.lm_head).float().log_softmax(-1)
        if (known := getattr(head, "draft_tokens", None)) is not None:
            log_p = log_p[..., known]
        p = log_p.exp()
        inside = log_p.logsumexp(-1, keepdim=True)
        entropy = -(p * (log_p - inside)).sum(-1) / p.sum(-1)  # of p given the vocabulary
    costs = costs or row_costs
    divergences, alphas = [], []
    for step, logits in enumerate(guesses(head, studied, steps, anchors)):
        here = anchors + step + 1  # the row that x_{a+2+s} is drawn from
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


@torch.no_grad()
def own_output_alphas(head: Head, ends: Ends, studied: Studied, steps: int) -> list[float]:
    """Mean alpha of each step when the head reads its own states: what is served."""
    return [alpha.mean().item() for alpha in compared(head, ends, studied, steps)[1]]


@torch.no_grad()
def teacher_forced_alphas(head: EagleHead, ends: Ends, studied: Studied, steps: int) -> list[float]:
    """Mean alpha at the same positions, when at each of them the head is given the true states.

    That is step 0 at a later anchor, so all are about alike: it says nothing about later steps.
    """
    anchors = len(anchors_of(studied.tokens, steps))
    alpha = compared(head, ends, studied, 1)[1][0]
    return [alpha[:, step : step + anchors].mean().item() for step in range(steps)]


def precision(device: torch.device) -> torch.autocast:
    """bfloat16 products where the processor has them; weights stay float32."""
    slow = EMULATED and device.type == "cpu"
    return torch.autocast(device.type, torch.bfloat16, enabled=not slow)


def trained(
    head: Head,
    ends: Ends,
    studied: Studied,
    steps: int = 100,
    unroll: int = 5,
    *,
    batch: int = 8,
    stride: int = 1,
    weight_decay: float = 0.8,
    learning_rate: float = 3e-3,
    seed: int = 0,
) -> Iterator[tuple[float, float]]:
    """Train in place; yields the loss of each step, and the tau that its alphas predict.

    The target was run before (`study`), so a step of the head costs no pass of it.  `unroll` is how
    many steps the head is unrolled for, on its own outputs, while it learns.  With 1 it is only
    ever shown true states: its alphas are good wherever it is *given* them
    (`teacher_forced_alphas`), and fall off where it has to read its own (`own_output_alphas`),
    which is what a drafter does.

    tau is that of chains of `unroll` tokens on the step's own windows, so it is at most
    unroll + 1.  The first tenth of the steps warms up, then the rate falls to zero.

    Args:
        studied: what is learned; its aux_layers are the head's.
        batch: windows a step.
        stride: from one anchor to the next.
        weight_decay: of the loss from one step of the head to the next.

    Raises:
        ValueError: the windows are too short to be guessed so far ahead.
    """
    if studied.tokens.shape[1] <= unroll + stride:
        raise ValueError(
            f"windows of {studied.tokens.shape[1]} tokens are too short for an unroll of "
            f"{unroll}: study longer ones"
        )
    optimisers = optimisers_of(head, learning_rate)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        chosen = torch.randint(len(studied.tokens), (batch,), generator=generator)
        with precision(studied.last.device):
            found = compared(head, ends, studied.some(chosen), unroll, stride)
        loss = weighted(*found, weight_decay)
        loss.backward()
        share = min(10 * (step + 1) / steps, 1.0) * (1 - step / steps)
        for optimiser in optimisers:
            for group in optimiser.param_groups:
                group["lr"] = learning_rate * share
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        yield loss.item(), tokens_a_round(found[1]).mean().item()
