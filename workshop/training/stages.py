"""The stages that make a pair folder: text -> tokenizer -> target -> draft.

    folder/target/  folder/draft/   what from_pretrained loads
    folder/plain/                   a smaller draft that has learned the text and no target
    folder/work/text/               the tokenizer, both texts as arrays of token ids
    folder/work/target/  .../draft/ checkpoints, and the log so far
                                    (work/ may be deleted when all are made)

Each stage appears whole (see `atomic_folder`) and finds the results of those before it on
disk, so a run that was killed goes on where it stopped, and a finished stage is
not done again.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import torch
from filelock import FileLock, Timeout
from torch import nn
from transformers import AutoTokenizer, PreTrainedTokenizerBase, Qwen3ForCausalLM
from transformers.utils import logging as transformers_logging

from course_utils.training.losses import DISTILLED, Loss, distillation_loss, next_token_loss
from workshop.training import atomic_folder, text
from workshop.training.pretrain import (
    as_lines,
    build_model,
    checkpoints_in,
    held_out_windows,
    train,
)
from workshop.training.recipes import DRAFT, PLAIN, TARGET, Recipe

QUICK_WINDOWS = 48  # held-out windows looked at while training


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold `folder` against a second training, until this one ends or is killed.

    Raises:
        ValueError: another one works there.
    """
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(work / "lock", timeout=0):
            yield
    except Timeout:
        raise ValueError(
            f"another training works in {folder}: wait for its end, or choose another --out"
        ) from None


def model_settings(
    recipe: Recipe, seed: int, name: str, start: Path | None = None
) -> atomic_folder.Settings:
    """All that the model `name` depends on; a draft depends on its target, too."""
    begun = {"start": text.start_of(start, f"{name}/model.safetensors")}
    return {**_recipe_settings(recipe), "seed": seed, **begun, **text.settings(start)}


def plain_settings(recipe: Recipe, seed: int, start: Path | None = None) -> atomic_folder.Settings:
    """All that the plain draft depends on: of the pair it is for, the tokenizer alone."""
    return {**_recipe_settings(recipe), "seed": seed, "start": "new", **text.settings(start)}


def _recipe_settings(recipe: Recipe) -> atomic_folder.Settings:
    """Which cost of rows was used, where it is not the first way: older manifests lack it."""
    settings = asdict(recipe)
    if recipe.rows == DRAFT.rows:
        del settings["rows"]
    return settings


def refuse_others(folder: Path, name: str, settings: atomic_folder.Settings) -> None:
    """Is there something in the way of making `folder`/`name`?  Asked before hours of work.

    Raises:
        FileExistsError: a model that was not made here.
        ValueError: one that was made with other settings, finished or not.
    """
    done, begun = folder / name, folder / "work" / name
    if done.exists() and not (done / atomic_folder.MANIFEST).exists():
        raise FileExistsError(
            f"{done} holds a model of unknown settings and is not overwritten: "
            "choose another --out, or remove it first"
        )
    atomic_folder.refuse_others(done, settings)
    for checkpoint in checkpoints_in(begun):
        atomic_folder.refuse_others(checkpoint, settings, begun)


def train_target(
    folder: Path,
    recipe: Recipe = TARGET,
    start: Path | None = None,
    *,
    seed: int = 0,
    device: str = "cpu",
    **options,
) -> None:
    """Learn the text; write `folder`/target unless it is there.  `options` go to `train`.

    Args:
        start: a pair whose target goes on learning; None begins with random weights.
    """
    settings = model_settings(recipe, seed, "target", start)
    begin = None if start is None else start / "target"
    _learn(folder, "target", recipe, start, settings, begin, seed, device, **options)


def train_draft(
    folder: Path,
    recipe: Recipe = DRAFT,
    start: Path | None = None,
    *,
    seed: int = 0,
    device: str = "cpu",
    **options,
) -> None:
    """Distil `folder`/target into a small model; write `folder`/draft unless it is there.

    A new draft as wide as its target begins with the target's embedding.

    Args:
        start: a pair whose draft goes on learning; None begins with random weights.

    Raises:
        FileNotFoundError: there is no target yet.
        ValueError: the target is damaged, or has another tokenizer.
    """
    place = folder / "target"
    weights = atomic_folder.digest(place / "model.safetensors")
    if weights is None:
        raise FileNotFoundError(f"there is no {place}: run the stage target first")
    settings = {**model_settings(recipe, seed, "draft", start), "target": weights}
    if is_finished(folder, "draft", settings):
        return
    known = text.prepare(folder, start)
    target = frozen_model(folder, "target", known, device)
    torch.manual_seed(seed)
    draft = build_model(recipe, len(known.tokenizer), known.tokenizer.eos_token_id)
    if start is not None:
        _take_weights(draft, start / "draft")
    elif recipe.hidden == target.config.hidden_size:
        draft.model.embed_tokens.load_state_dict(target.model.embed_tokens.state_dict())
        draft.model.norm.load_state_dict(target.model.norm.state_dict())
    draft.to(device)
    loss = distillation_loss(draft, target, DISTILLED[recipe.rows])
    _run(folder, "draft", draft, loss, known, recipe, settings, seed=seed, **options)


def train_plain(
    folder: Path,
    recipe: Recipe = PLAIN,
    start: Path | None = None,
    *,
    seed: int = 0,
    device: str = "cpu",
    **options,
) -> None:
    """Learn the text with a small model; write `folder`/plain unless it is there.

    It needs no target, and begins with random weights whatever the pair begins with.

    Args:
        start: the pair whose tokenizer is kept; None trains one.
    """
    settings = plain_settings(recipe, seed, start)
    _learn(folder, "plain", recipe, start, settings, None, seed, device, **options)


def _learn(
    folder: Path,
    name: str,
    recipe: Recipe,
    start: Path | None,
    settings: atomic_folder.Settings,
    begin: Path | None,
    seed: int,
    device: str,
    **options,
) -> None:
    """Train the model `name` on the next token, from the weights in `begin` or random ones."""
    if is_finished(folder, name, settings):
        return
    known = text.prepare(folder, start)
    torch.manual_seed(seed)
    model = build_model(recipe, len(known.tokenizer), known.tokenizer.eos_token_id)
    if begin is not None:
        _take_weights(model, begin)
    model.to(device)
    loss = next_token_loss(model)
    _run(folder, name, model, loss, known, recipe, settings, seed=seed, **options)


def _take_weights(model: nn.Module, folder: Path) -> None:
    """Raises:
    ValueError: the model in `folder` has another shape.
    """
    found = Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    try:
        model.load_state_dict(found.state_dict())
    except RuntimeError as error:
        raise ValueError(f"{folder} holds a model of another shape than the recipe's") from error


def is_finished(folder: Path, name: str, settings: atomic_folder.Settings) -> bool:
    """Is `folder`/`name` made?  If so, it is said.  Raises as `refuse_others`."""
    refuse_others(folder, name, settings)
    finished = atomic_folder.is_made(folder / name, settings)
    if finished:
        print(f"{folder / name} is finished and is not made again", file=sys.stderr)
    return finished


def _run(
    folder: Path,
    name: str,
    model: nn.Module,
    loss: Loss,
    known: text.Text,
    recipe: Recipe,
    settings: atomic_folder.Settings,
    **options,
) -> None:
    """Train, put the log beside the models, export."""
    held_out = list(held_out_windows(known.held_out, 512))
    every = max(1, len(held_out) // QUICK_WINDOWS)
    batches = torch.cat(held_out[::every]).to(model.device).split(8)

    @torch.no_grad()
    def evaluate() -> float:
        return torch.stack([loss(batch) for batch in batches]).mean().item()

    work = folder / "work" / name
    log = train(model, loss, evaluate, known.train, recipe, work, settings, **options)
    atomic_folder.write_text(folder / f"{name}_log.jsonl", as_lines(log))
    atomic_folder.make(
        folder / name, settings, lambda inside: export(model, known.tokenizer, inside)
    )


def export(model: nn.Module, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write the ordinary transformers layout, weights in bfloat16."""
    transformers_logging.disable_progress_bar()
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def frozen_model(folder: Path, role: str, known: text.Text, device: str) -> Qwen3ForCausalLM:
    """`folder`/`role`, "target" or "draft", in float32, frozen.

    Raises:
        ValueError: it is damaged, or has another tokenizer than the text.
    """
    place = folder / role
    if (place / atomic_folder.MANIFEST).exists() and atomic_folder.damaged(place):
        raise ValueError(f"{place} is damaged: the stage {role} makes it anew")
    if AutoTokenizer.from_pretrained(place).get_vocab() != known.tokenizer.get_vocab():
        raise ValueError(f"{place} has another tokenizer than {folder / 'work' / 'text'}")
    model = Qwen3ForCausalLM.from_pretrained(place, dtype=torch.float32)
    return model.eval().requires_grad_(False).to(device)
