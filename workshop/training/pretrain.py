"""One training loop for both models of the pair.

The target learns the next token of the text; the draft learns the target's
probability rows (distillation).  Everything else is shared: Muon for the
matrices and AdamW for the rest, a warm-up, a plateau and a linear decay,
checkpoints for resuming, and a log of loss against tokens.  A resumed run ends
with exactly the weights of an uninterrupted one.

Left out: dropout, weight averaging, gradient accumulation, several devices.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm.auto import tqdm
from transformers import Qwen3Config, Qwen3ForCausalLM

from course_utils.training.optimisers import optimisers_of
from workshop.training import atomic_folder
from workshop.training.recipes import Recipe

CHECKPOINTS = 2  # checkpoints: the one before serves if the last is damaged
LOGGED_TOKENS = 500_000  # tokens per line of the log
Draw = Callable[[int], Any]  # number of a step -> input of its loss


@dataclass
class Progress:
    """The progress of a run, stored in a checkpoint with weights and optimisers."""

    step: int = 0  # the next one
    seconds: float = 0.0  # training time, over all resumptions
    losses: list[float] = field(default_factory=list)  # since the last line of the log
    log: list[dict[str, float]] = field(default_factory=list)


def build_model(recipe: Recipe, vocabulary: int, end_of_text: int) -> Qwen3ForCausalLM:
    """Return a randomly initialised Qwen3 with heads of 64, two query heads per KV head."""
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=vocabulary,
            hidden_size=recipe.hidden,
            intermediate_size=recipe.intermediate,
            num_hidden_layers=recipe.layers,
            num_attention_heads=recipe.hidden // 64,
            num_key_value_heads=max(1, recipe.hidden // 128),
            head_dim=64,
            max_position_embeddings=recipe.long_length,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=end_of_text,
            pad_token_id=end_of_text,
        )
    )


def train(
    model: nn.Module,
    loss: Callable[[Any], Tensor],
    evaluate: Callable[[], float | dict[str, float]],
    draw: Draw,
    recipe: Recipe,
    folder: Path,
    settings: atomic_folder.Settings,
    *,
    compiled: bool = False,
    checkpoint_seconds: float = 300.0,
    logged_tokens: int = LOGGED_TOKENS,
) -> list[dict[str, float]]:
    """Train `model` in place, from the last good checkpoint in `folder` if there is one.

    Returns the log: an entry about every `logged_tokens`, with the training loss since the
    last entry and the result of `evaluate`: the loss of held-out text, or several figures by
    name.  `folder`/log.jsonl shows it while the training runs.

    Args:
        draw: the input of a step's loss, the same for a resumed run: see `windows_of`.
        settings: everything that the model depends on; only checkpoints with the same are used.

    Raises:
        ValueError: fewer tokens than one step takes, or the folder has
            checkpoints with other settings.
    """
    if recipe.steps < 1:
        raise ValueError(f"{recipe.tokens} tokens are too few: a step takes {recipe.batch_tokens}")
    folder.mkdir(parents=True, exist_ok=True)
    optimisers = optimisers_of(model, recipe.learning_rate)
    progress = resume(folder, settings, model, optimisers)
    loss = torch.compile(loss, dynamic=False) if compiled else loss
    every = max(1, logged_tokens // recipe.batch_tokens)  # steps
    saved = time.monotonic()
    for _ in _steps(loss, draw, recipe, optimisers, progress):
        last = progress.step == recipe.steps
        if last or progress.step % every == 0:
            progress.log.append(_entry(progress, recipe, evaluate()))
            progress.losses.clear()
            atomic_folder.write_text(folder / "log.jsonl", as_lines(progress.log))
        if last or time.monotonic() - saved > checkpoint_seconds:
            save_checkpoint(folder, settings, model, optimisers, progress)
            saved = time.monotonic()
    return progress.log


def _steps(
    loss: Callable[[Any], Tensor],
    draw: Draw,
    recipe: Recipe,
    optimisers: list[torch.optim.Optimizer],
    progress: Progress,
) -> Iterator[None]:
    """Take the remaining steps, one at a time; weights and `progress` change in place."""
    began = time.monotonic() - progress.seconds
    bar = tqdm(range(progress.step, recipe.steps), initial=progress.step, total=recipe.steps)
    for step in bar:
        rate = recipe.learning_rate * _schedule(step / recipe.steps, recipe)
        value = loss(draw(step))
        value.backward()
        for optimiser in optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        progress.losses.append(value.item())
        bar.set_postfix(loss=f"{progress.losses[-1]:.3f}")
        progress.step, progress.seconds = step + 1, time.monotonic() - began
        yield


def as_lines(log: list[dict[str, float]]) -> str:
    """Return one JSON object per line."""
    return "".join(json.dumps(entry) + "\n" for entry in log)


def held_out_windows(tokens: np.ndarray, length: int) -> Iterator[Tensor]:
    """Yield disjoint (1, length + 1) windows that cover the held-out tokens."""
    for start in range(0, len(tokens) - length - 1, length):
        yield torch.from_numpy(tokens[start : start + length + 1].astype(np.int64))[None]


def _entry(
    progress: Progress, recipe: Recipe, held_out: float | dict[str, float]
) -> dict[str, float]:
    figures = held_out if isinstance(held_out, dict) else {"held_out": held_out}
    return {
        "tokens": progress.step * recipe.batch_tokens,
        "train_loss": round(float(np.mean(progress.losses)), 4),
        **{name: round(value, 4) for name, value in figures.items()},
        "seconds": round(progress.seconds),
    }


def windows_of(tokens: np.ndarray, recipe: Recipe, seed: int) -> Draw:
    """Return a function that draws random windows of the text, long ones late in the run."""

    def draw(step: int) -> Tensor:
        rng = np.random.default_rng((seed, step))  # so that a resumed run draws the same
        late = step / recipe.steps >= 1 - recipe.long_share
        length = recipe.long_length if late else recipe.length
        starts = rng.integers(0, len(tokens) - length, recipe.batch_tokens // length)
        windows = np.stack([tokens[s : s + length + 1] for s in starts])
        return torch.from_numpy(windows.astype(np.int64))

    return draw


def _schedule(progress: float, recipe: Recipe) -> float:
    """0 -> 1 over the warm-up, 1 on the plateau, 1 -> 0 over the decay."""
    return min(1.0, (progress + 1e-4) / recipe.warmup, (1 - progress) / recipe.decay)


def save_checkpoint(
    folder: Path,
    settings: atomic_folder.Settings,
    model: nn.Module,
    optimisers: list[torch.optim.Optimizer],
    progress: Progress,
) -> None:
    state = {
        "model": model.state_dict(),
        "optimisers": [o.state_dict() for o in optimisers],
        "progress": vars(progress),
    }
    place = folder / f"step-{progress.step:08d}"
    atomic_folder.make(place, settings, lambda inside: torch.save(state, inside / "state.pt"))
    _forget_old(folder)


def _forget_old(folder: Path) -> None:
    for old in [*checkpoints_in(folder)[:-CHECKPOINTS], *folder.glob("step-*.partial")]:
        shutil.rmtree(old)


def resume(
    folder: Path,
    settings: atomic_folder.Settings,
    model: nn.Module,
    optimisers: list[torch.optim.Optimizer],
) -> Progress:
    """Load the last undamaged checkpoint; start from the beginning if there is none.

    Raises:
        ValueError: it has other settings.
    """
    _forget_old(folder)  # a kill may have left some
    for place in reversed(checkpoints_in(folder)):
        if atomic_folder.is_made(place, settings):
            state = torch.load(place / "state.pt", weights_only=True)
            model.load_state_dict(state["model"])
            for optimiser, saved in zip(optimisers, state["optimisers"], strict=True):
                optimiser.load_state_dict(saved)
            return Progress(**state["progress"])
    return Progress()


def checkpoints_in(folder: Path) -> list[Path]:
    """Return the checkpoints in `folder`, also damaged ones, oldest first."""
    return sorted(folder.glob("step-" + "[0-9]" * 8))
