"""The stage that trains the draft heads, on a target that stands still.

    folder/heads/NAME/              what `course_utils.models.head_files.load_head` loads
    folder/heads_log.jsonl          losses, tau and alpha by position, against tokens
    folder/work/heads/              checkpoints, and the log so far

All heads learn from the same passes of the target, which cost as much as any of them; none
sees another, so each learns as it would alone.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from transformers import Qwen3ForCausalLM

from course_utils.models.head_files import save_head
from course_utils.models.heads import Ends
from course_utils.training import sealed, stages, text
from course_utils.training.head_losses import (
    Head,
    Studied,
    compared,
    precision,
    row_costs,
    study,
    tokens_a_round,
    weighted,
)
from course_utils.training.head_recipes import RECIPES, HeadRecipe, new_head
from course_utils.training.losses import Loss
from course_utils.training.pretrain import Recipe, as_lines, held_out_windows, train
from course_utils.training.standing import standing_still

LOGGED_TOKENS = 200_000  # from one line of the log to the next
QUICK_STRIDE = 4  # from one held-out anchor to the next, while training


@dataclass(frozen=True)
class Schooling:
    """How long all of them are trained, and on what."""

    tokens: int = 2_000_000  # of the text, repeats included
    learning_rate: float = 3e-3
    batch_tokens: int = 2048
    length: int = 256  # tokens a window
    stride: int = 2  # from one anchor to the next


SCHOOLING = Schooling()


def heads_settings(
    folder: Path,
    schooling: Schooling,
    recipes: dict[str, HeadRecipe],
    seed: int,
    start: Path | None,
) -> sealed.Settings:
    """All that the heads depend on.

    Raises:
        FileNotFoundError: `folder` holds no target, or no draft.
    """
    weights = {}
    for role in ("target", "draft"):
        weights[role] = sealed.digest(folder / role / "model.safetensors")
        if weights[role] is None:
            raise FileNotFoundError(f"there is no {folder / role}: run the stage {role} first")
    shapes = {name: str(recipe) for name, recipe in recipes.items()}
    known = text.settings(start)
    return {**asdict(schooling), **shapes, "seed": seed, **weights, **known}


def train_heads(
    folder: Path,
    schooling: Schooling = SCHOOLING,
    start: Path | None = None,
    *,
    recipes: dict[str, HeadRecipe] = RECIPES,
    seed: int = 0,
    device: str = "cpu",
    compiled: bool = False,
    **options,
) -> None:
    """Train heads on `folder`/target, begun with `folder`/draft; write `folder`/heads.

    Heads that are there, of the same settings, are kept.

    Args:
        start: the pair whose tokenizer is kept, as for the target.
        options: go to `pretrain.train`.

    Raises:
        FileNotFoundError: there is no target yet, or no draft.
        ValueError: there are heads, or checkpoints, of other settings; the target or the draft
            is damaged, has another tokenizer, or does not fit the recipes.
    """
    settings = heads_settings(folder, schooling, recipes, seed, start)
    if stages.is_finished(folder, "heads", settings):
        return
    known = text.prepare(folder, start)
    target = standing_still(folder, "target", known, device)
    draft = standing_still(folder, "draft", known, device)
    torch.manual_seed(seed)
    heads = {name: new_head(recipe, target, known.train, draft) for name, recipe in recipes.items()}
    model = nn.ModuleDict(heads).to(device)
    loss, evaluate = objective(heads, target, recipes, schooling, known.held_out, compiled)
    log = train(
        model,
        loss,
        evaluate,
        known.train,
        _pretraining(schooling),
        folder / "work" / "heads",
        settings,
        seed=seed,
        logged_tokens=LOGGED_TOKENS,
        **options,
    )
    sealed.write_text(folder / "heads_log.jsonl", as_lines(log))

    def fill(inside: Path) -> None:
        for name, head in heads.items():
            save_head(head, inside / name)

    sealed.make(folder / "heads", settings, fill)


def objective(
    heads: dict[str, Head],
    target: Qwen3ForCausalLM,
    recipes: dict[str, HeadRecipe],
    schooling: Schooling,
    held_out: np.ndarray,
    compiled: bool = False,
) -> tuple[Loss, Callable[[], dict[str, float]]]:
    """The loss of windows, and what is logged of held-out ones: loss, tau, alpha by position.

    Args:
        compiled: torch.compile the target's layers and the costs of rows, not the whole.
    """
    ends = Ends.of(target)
    taps = sorted({tap for recipe in recipes.values() for tap in recipe.taps})
    costs = torch.compile(row_costs, dynamic=False) if compiled else row_costs
    if compiled:
        for layer in target.model.layers:
            layer.compile(dynamic=False)

    def parts(name: str, studied: Studied, stride: int, costs) -> tuple[list, list]:
        recipe = recipes[name]
        own = torch.stack([studied.taps[taps.index(tap)] for tap in recipe.taps or taps])
        read = Studied(studied.tokens, own, studied.last)
        with precision(studied.last.device):
            return compared(heads[name], ends, read, recipe.steps, stride, costs)

    def loss(windows: Tensor) -> Tensor:
        studied = study(target, windows, taps)
        costs_of = {name: parts(name, studied, schooling.stride, costs) for name in heads}
        return sum(weighted(*costs_of[name], recipes[name].weight_decay) for name in heads)

    windows = list(held_out_windows(held_out, schooling.length))
    every = max(1, len(windows) // stages.QUICK_WINDOWS)
    chosen = torch.cat(windows[::every][: stages.QUICK_WINDOWS]).to(ends.norm.device)

    @torch.no_grad()
    def evaluate() -> dict[str, float]:
        batches = [study(target, batch, taps) for batch in chosen.split(8)]
        figures = {}
        for name, recipe in recipes.items():
            found = [parts(name, batch, QUICK_STRIDE, row_costs) for batch in batches]
            kls, alphas = (
                [torch.cat(step) for step in zip(*side, strict=True)]
                for side in zip(*found, strict=True)
            )
            figures[f"{name}_loss"] = weighted(kls, alphas, recipe.weight_decay).item()
            figures[f"{name}_tau"] = tokens_a_round(alphas).mean().item()
            for i, alpha in enumerate(alphas):
                figures[f"{name}_alpha_{i + 1}"] = alpha.mean().item()
        return figures

    return loss, evaluate


def _pretraining(schooling: Schooling) -> Recipe:
    """As `pretrain.train` takes it: the rate falls almost from the start."""
    return Recipe(
        layers=0,
        hidden=0,
        intermediate=0,
        tokens=schooling.tokens,
        learning_rate=schooling.learning_rate,
        batch_tokens=schooling.batch_tokens,
        length=schooling.length,
        long_share=0.0,
        warmup=0.03,
        decay=0.9,
    )
