"""What the draft heads are, and how they begin: with parts of their target and of its draft.

The weights of the steps are those of the programs: 0.8^k in Medusa (REFERENCES.md: medusa2024) and
in EAGLE-3's training, 0.6^k in FastMTP (REFERENCES.md: fastmtp2025).
"""

from dataclasses import dataclass

import numpy as np
import torch
from transformers import Qwen3ForCausalLM

from course_utils.models.heads import Ends, Medusa, Shape, UnrolledHead


@dataclass(frozen=True)
class HeadRecipe:
    """A head, and what it learns."""

    steps: int  # guesses from one anchor: Medusa's heads, or how often the block is unrolled
    weight_decay: float  # of the loss from one step to the next
    taps: tuple[int, ...] = ()  # after so many layers; none: a Medusa
    draft_vocabulary: int | None = None  # None: the target's own vocabulary, norm and head
    intermediate: int | None = None  # width inside the MLP; None: as in the target
    layers: int = 1  # residual layers a Medusa head


RECIPES = {
    "eagle": HeadRecipe(6, 0.8, taps=(2, 8, 16), draft_vocabulary=2048),
    "medusa": HeadRecipe(4, 0.8),
    "mtp": HeadRecipe(3, 0.6, taps=(16,), intermediate=256),
}


def new_head(
    recipe: HeadRecipe,
    target: Qwen3ForCausalLM,
    tokens: np.ndarray | None = None,
    draft: Qwen3ForCausalLM | None = None,
) -> Medusa | UnrolledHead:
    """Not trained, but begun with what the target has: its last block, its norm, its head.

    Args:
        tokens: the text whose most frequent tokens are the draft vocabulary, if there is one.
        draft: one of the target's width, whose first layer an unrolled head begins with
            instead of the target's last, which expects other input: see `data/README.md`.

    Raises:
        ValueError: the recipe asks for more than the target has, or for tokens of no text; the
            draft is of another width.
    """
    ends, config = Ends.of(target), target.config
    _refuse(recipe, config, tokens)
    if not recipe.taps:
        return Medusa(ends, recipe.steps, recipe.layers)
    shape = Shape(
        hidden=config.hidden_size,
        intermediate=recipe.intermediate or config.intermediate_size,
        heads=config.num_attention_heads,
        key_value_heads=config.num_key_value_heads,
        head_dim=config.head_dim,
        rope_theta=config.rope_parameters["rope_theta"],
        taps=recipe.taps,
        draft_vocabulary=recipe.draft_vocabulary,
    )
    head = UnrolledHead(shape, ends)
    _begin(head, target, draft)
    if recipe.draft_vocabulary is not None:
        counts = np.bincount(tokens, minlength=config.vocab_size)
        frequent = np.argsort(-counts, kind="stable")[: recipe.draft_vocabulary]
        head.draft_tokens.copy_(torch.from_numpy(np.sort(frequent)))
        with torch.no_grad():
            head.norm.weight.copy_(ends.norm if draft is None else draft.model.norm.weight)
            head.lm_head.weight.copy_(ends.lm_head[head.draft_tokens])
    return head


def _refuse(recipe: HeadRecipe, config, tokens: np.ndarray | None) -> None:
    there = (
        ("a state after layer", max(recipe.taps, default=0), config.num_hidden_layers, "layers"),
        ("a draft vocabulary of", recipe.draft_vocabulary, config.vocab_size, "tokens"),
        ("an MLP as wide as", recipe.intermediate, config.intermediate_size, "in its own"),
    )
    for what, asked, most, unit in there:
        if asked is not None and asked > most:
            raise ValueError(
                f"the head asks for {what} {asked}, and the target has {most} {unit}: "
                "choose another recipe"
            )
    if recipe.draft_vocabulary is not None and tokens is None:
        raise ValueError("a draft vocabulary is made of a text: give its tokens")


@torch.no_grad()
def _begin(head: UnrolledHead, target: Qwen3ForCausalLM, draft: Qwen3ForCausalLM | None) -> None:
    """The block is one that there is, as far as it fits; the state goes straight into it."""
    given = target.model.layers[-1] if draft is None else draft.model.layers[0]
    known, d = given.state_dict(), head.shape.hidden
    if draft is not None and draft.config.hidden_size != d:
        raise ValueError(
            f"a head begins with a draft of its target's width, {d}, and this draft is "
            f"{draft.config.hidden_size} wide: leave it out"
        )
    for name, parameter in head.block.named_parameters():
        parameter.copy_(known[name][tuple(slice(n) for n in parameter.shape)])
    head.join.weight.mul_(0.5)
    head.join.weight[:, d:] += torch.eye(d)
    if draft is not None:  # its layer is used to a token's embedding
        head.join.weight[:, :d] += torch.eye(d)
    if len(head.shape.taps) > 1:
        head.fuse.weight.mul_(0.5)
        head.fuse.weight[:, -d:] += torch.eye(d)
