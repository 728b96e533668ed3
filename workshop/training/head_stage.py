"""The draft heads of a pair: their initialisation, and the stage that trains them.

    folder/heads/NAME/              what `course_utils.models.trained_heads.load_head` loads
    folder/heads_log.jsonl          losses, tau and alpha by position, against tokens
    folder/work/heads/              checkpoints, and the log so far

They start from parts of their frozen target and of its draft.  All learn from the same passes of
the target, which cost as much as any head; heads do not affect each other.  The weights of the
steps are those of the original programs: 0.8^k in Medusa (REFERENCES.md: medusa2024) and in
EAGLE-3's training, 0.6^k in FastMTP (REFERENCES.md: fastmtp2025).
"""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from torch import nn
from transformers import PreTrainedModel, Qwen3ForCausalLM

from course_utils.models.qwen3.heads import (
    BlockHead,
    EagleHead,
    Ends,
    Medusa,
    Shape,
)
from course_utils.models.trained_heads import WEIGHTS, load_head
from course_utils.training.recipes import RECIPES, HeadRecipe
from workshop.training import manifest, stages, text
from workshop.training.head_losses import objective, row_costs, study
from workshop.training.recipes import SCHOOLING, BlockRecipe, Schooling, TiedRecipe
from workshop.training.unrolled import save_head


def new_head(
    recipe: HeadRecipe,
    target: PreTrainedModel,
    tokens: np.ndarray | None = None,
    draft: Qwen3ForCausalLM | None = None,
) -> Medusa | EagleHead:
    """Return an untrained head, initialised from the target's last block, norm and head.

    Args:
        tokens: the text whose most frequent tokens form the draft vocabulary, if there is one.
        draft: a draft of the target's width; an unrolled head starts from its first layer
            instead of the target's last, which expects other input: see `data/README.md`.
    """
    ends, config = Ends.of(target), target.config
    if not recipe.aux_layers:
        return Medusa(ends, recipe.steps, recipe.layers)
    shape = Shape(
        hidden=config.hidden_size,
        intermediate=recipe.intermediate or config.intermediate_size,
        heads=config.num_attention_heads,
        key_value_heads=config.num_key_value_heads,
        head_dim=config.head_dim,
        rope_theta=config.rope_parameters["rope_theta"],
        aux_layers=recipe.aux_layers,
        draft_vocabulary=recipe.draft_vocabulary,
        int8=isinstance(recipe, TiedRecipe),
    )
    at_once = isinstance(recipe, BlockRecipe)
    head = BlockHead(shape, ends, recipe.steps) if at_once else EagleHead(shape, ends)
    _begin(head, target, draft)
    if recipe.draft_vocabulary is not None:
        counts = np.bincount(tokens, minlength=config.vocab_size)
        frequent = np.argsort(-counts, kind="stable")[: recipe.draft_vocabulary]
        head.draft_tokens.copy_(torch.from_numpy(np.sort(frequent)))
        with torch.no_grad():
            head.norm.weight.copy_(ends.norm if draft is None else draft.model.norm.weight)
            head.lm_head.weight.copy_(ends.lm_head[head.draft_tokens])
    if isinstance(recipe, TiedRecipe):
        head.lm_head.requires_grad_(False)
        with torch.no_grad():
            head.norm.weight.mul_(recipe.first_norm)
            head.block["self_attn"]["o_proj"].weight.mul_(recipe.first_output)
            head.block["mlp"]["down_proj"].weight.mul_(recipe.first_output)
    return head


@torch.no_grad()
def _begin(head: EagleHead, target: PreTrainedModel, draft: Qwen3ForCausalLM | None) -> None:
    """Initialise the block from an existing one, as far as it fits, with the state as input."""
    layer = target.model.layers[-1] if draft is None else draft.model.layers[0]
    known, d = layer.state_dict(), head.shape.hidden
    for name, parameter in head.block.named_parameters():
        if name in known:  # a Llama has no norms of queries and keys
            parameter.copy_(known[name][tuple(slice(n) for n in parameter.shape)])
    head.join.weight.mul_(0.5)
    head.join.weight[:, d:] += torch.eye(d)
    if draft is not None:  # its layer expects a token's embedding
        head.join.weight[:, :d] += torch.eye(d)
    if len(head.shape.aux_layers) > 1:
        head.fuse.weight.mul_(0.5)
        head.fuse.weight[:, -d:] += torch.eye(d)


LOGGED_TOKENS = 200_000  # tokens per line of the log


def heads_settings(
    folder: Path,
    schooling: Schooling,
    recipes: dict[str, HeadRecipe],
    seed: int,
    start: Path | None,
) -> manifest.Settings:
    """Return everything that the heads depend on.

    Raises:
        FileNotFoundError: `folder` has no target or no draft.
    """
    weights = {}
    for role in ("target", "draft"):
        weights[role] = manifest.digest(folder / role / "model.safetensors")
        if weights[role] is None:
            raise FileNotFoundError(f"there is no {folder / role}: run the stage {role} first")
    for recipe in recipes.values():
        if isinstance(recipe, BlockRecipe):
            place = folder / "heads" / recipe.adapts
            weights[recipe.adapts] = manifest.digest(place / WEIGHTS)
            if weights[recipe.adapts] is None:
                raise FileNotFoundError(f"there is no {place}: run the stage heads first")
    shapes = {name: str(recipe) for name, recipe in recipes.items()}
    known = text.settings(start)
    return {**asdict(schooling), **shapes, "seed": seed, **weights, **known}


def train_heads(
    folder: Path,
    schooling: Schooling = SCHOOLING,
    start: Path | None = None,
    *,
    recipes: dict[str, HeadRecipe] = RECIPES,
    stage: str = "heads",
    seed: int = 0,
    compiled: bool = False,
    **options,
) -> None:
    """Train heads for `folder`/target, starting from `folder`/draft; write `folder`/`stage`.

    Existing heads with the same settings stay.

    Args:
        stage: "heads", or the name of a single head.
        start: the pair whose tokenizer is used, as for the target.
        options: passed to `course_utils.training.loop.train`.

    Raises:
        FileNotFoundError: there is no target yet, or no draft.
        ValueError: there are heads or checkpoints with other settings; the target or the draft
            is damaged, has another tokenizer, or does not fit the recipes.
    """
    settings = heads_settings(folder, schooling, recipes, seed, start)
    if stages.is_finished(folder, stage, settings):
        return
    known = text.prepare(folder, start)
    target = stages.frozen_model(folder, "target", known)
    draft = stages.frozen_model(folder, "draft", known)
    torch.manual_seed(seed)
    heads = {name: new_head(recipe, target, known.train, draft) for name, recipe in recipes.items()}
    for name, recipe in recipes.items():
        if isinstance(recipe, BlockRecipe):
            known_head = load_head(folder / "heads" / recipe.adapts, target)
            heads[name].load_state_dict(known_head.state_dict(), strict=False)
    model = nn.ModuleDict(heads)
    taps = sorted({tap for recipe in recipes.values() for tap in recipe.aux_layers})
    for layer in target.model.layers if compiled else ():
        layer.compile(dynamic=False)
    loss, evaluate = objective(
        heads, Ends.of(target), recipes, taps, lambda windows: study(target, windows, taps),
        text.held_out_windows(known.held_out, schooling.length).split(8), schooling.stride,
        costs=torch.compile(row_costs, dynamic=False) if compiled else row_costs,
    )  # fmt: skip

    def fill(new: Path) -> None:
        for name, head in heads.items():
            save_head(head, new / name if stage == "heads" else new)

    draw = text.draw_windows(known.train, schooling, seed)
    stages.train_and_write(
        folder, stage, settings, model, loss, draw, evaluate, schooling, fill,
        logged_tokens=LOGGED_TOKENS, **options,
    )  # fmt: skip
