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
from dataclasses import asdict
from pathlib import Path

import torch
from torch import nn
from transformers import AutoTokenizer, PreTrainedTokenizerBase, Qwen3ForCausalLM
from transformers.utils import logging as transformers_logging

from course_utils.training.losses import DISTILLED, distillation_loss, next_token_loss
from workshop.training import atomic_folder, text
from workshop.training.pretrain import (
    as_lines,
    build_model,
    checkpoints_in,
    held_out_windows,
    train,
    windows_of,
)
from workshop.training.recipes import DRAFT, Recipe

PLAIN = "plain"
QUICK_WINDOWS = 48  # held-out windows looked at while training


def model_settings(
    recipe: Recipe, seed: int, name: str, start: Path | None = None
) -> atomic_folder.Settings:
    """All that the model `name` depends on; a draft depends on its target, too.

    The plain draft depends on nothing of the pair it is for but the tokenizer.
    """
    settings = asdict(recipe)
    if recipe.rows == DRAFT.rows:  # older manifests lack it
        del settings["rows"]
    begun = "new" if name == PLAIN else text.start_of(start, f"{name}/model.safetensors")
    return {**settings, "seed": seed, "start": begun, **text.settings(start)}


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


def is_finished(folder: Path, name: str, settings: atomic_folder.Settings) -> bool:
    """Is `folder`/`name` made?  Raises as `refuse_others`."""
    refuse_others(folder, name, settings)
    finished = atomic_folder.is_made(folder / name, settings)
    if finished:
        print(f"{folder / name} is finished and is not made again", file=sys.stderr)
    return finished


def train_model(
    folder: Path,
    name: str,
    recipe: Recipe,
    start: Path | None = None,
    *,
    seed: int = 0,
    **options,
) -> None:
    """Write `folder`/`name` unless it is there: target and plain learn the text, next token by
    next token; a draft learns the rows of `folder`/target (distillation).

    A new draft as wide as its target begins with the target's embedding.

    Args:
        name: "target", "draft" or "plain".
        start: a pair whose tokenizer is kept, and whose target or draft goes on learning; None
            begins with random weights, as the plain draft always does.
        options: go to `pretrain.train`.

    Raises:
        FileNotFoundError: there is no target yet to distil.
        ValueError: the target is damaged, or has another tokenizer.
    """
    settings = model_settings(recipe, seed, name, start)
    if name == "draft":
        place = folder / "target"
        settings["target"] = atomic_folder.digest(place / "model.safetensors")
        if settings["target"] is None:
            raise FileNotFoundError(f"there is no {place}: run the stage target first")
    if is_finished(folder, name, settings):
        return
    known = text.prepare(folder, start)
    target = frozen_model(folder, "target", known) if name == "draft" else None
    torch.manual_seed(seed)
    model = build_model(recipe, len(known.tokenizer), known.tokenizer.eos_token_id)
    if start is not None and name != PLAIN:
        _take_weights(model, start / name)
    elif target is not None and recipe.hidden == target.config.hidden_size:
        model.model.embed_tokens.load_state_dict(target.model.embed_tokens.state_dict())
        model.model.norm.load_state_dict(target.model.norm.state_dict())
    if target is None:
        loss = next_token_loss(model)
    else:
        loss = distillation_loss(model, target, DISTILLED[recipe.rows])
    held_out = list(held_out_windows(known.held_out, 512))
    every = max(1, len(held_out) // QUICK_WINDOWS)
    batches = torch.cat(held_out[::every]).split(8)

    @torch.no_grad()
    def evaluate() -> float:
        return torch.stack([loss(batch) for batch in batches]).mean().item()

    work = folder / "work" / name
    draw = windows_of(known.train, recipe, seed)
    log = train(model, loss, evaluate, draw, recipe, work, settings, **options)
    atomic_folder.write_text(folder / f"{name}_log.jsonl", as_lines(log))
    atomic_folder.make(
        folder / name, settings, lambda inside: export(model, known.tokenizer, inside)
    )


def _take_weights(model: nn.Module, folder: Path) -> None:
    found = Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    try:
        model.load_state_dict(found.state_dict())
    except RuntimeError as error:
        raise ValueError(f"{folder} holds a model of another shape than the recipe's") from error


def export(model: nn.Module, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write the ordinary transformers layout, weights in bfloat16."""
    transformers_logging.disable_progress_bar()
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def frozen_model(folder: Path, role: str, known: text.Text) -> Qwen3ForCausalLM:
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
    return model.eval().requires_grad_(False)
