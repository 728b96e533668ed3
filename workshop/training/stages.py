"""The stages that make a pair folder: text -> tokenizer -> target -> draft.

    folder/target/  folder/draft/   what from_pretrained loads
    folder/plain/                   a smaller draft, trained on the text without a target
    folder/work/text/               the tokenizer, both texts as arrays of token ids
    folder/work/target/  .../draft/ checkpoints, and the log so far
                                    (work/ may be deleted when all are finished)

Each stage appears complete (see `atomic_folder`) and reads earlier results from disk, so a killed
run resumes where it stopped, and a finished stage is skipped.
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
QUICK_WINDOWS = 48  # held-out windows during training


def model_settings(
    recipe: Recipe, seed: int, name: str, start: Path | None = None
) -> atomic_folder.Settings:
    """Return everything that the model `name` depends on; a draft also depends on its target.

    The plain draft depends only on the pair's tokenizer.
    """
    settings = asdict(recipe)
    if recipe.rows == DRAFT.rows:  # older manifests lack it
        del settings["rows"]
    begun = "new" if name == PLAIN else text.start_of(start, f"{name}/model.safetensors")
    return {**settings, "seed": seed, "start": begun, **text.settings(start)}


def refuse_others(folder: Path, name: str, settings: atomic_folder.Settings) -> None:
    """Check before hours of work that `folder`/`name` can be written.

    Raises:
        FileExistsError: it has a model that was not made here.
        ValueError: it has a model with other settings, finished or not.
    """
    done, begun = folder / name, folder / "work" / name
    if done.exists() and not (done / atomic_folder.MANIFEST).exists():
        raise FileExistsError(
            f"{done} has a model with unknown settings and will not be overwritten: "
            "choose another --out, or remove it first"
        )
    atomic_folder.refuse_others(done, settings)
    for checkpoint in checkpoints_in(begun):
        atomic_folder.refuse_others(checkpoint, settings, begun)


def is_finished(folder: Path, name: str, settings: atomic_folder.Settings) -> bool:
    """Return whether `folder`/`name` is finished; raise as `refuse_others`."""
    refuse_others(folder, name, settings)
    finished = atomic_folder.is_made(folder / name, settings)
    if finished:
        print(f"{folder / name} is finished already and is skipped", file=sys.stderr)
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
    """Write `folder`/`name` unless it exists: target and plain learn the text's next tokens; a
    draft learns the rows of `folder`/target (distillation).

    A new draft as wide as its target starts from the target's embedding.

    Args:
        name: "target", "draft" or "plain".
        start: a pair whose tokenizer is used and whose target or draft is trained further; None
            starts from random weights, as the plain draft always does.
        options: passed to `pretrain.train`.

    Raises:
        FileNotFoundError: there is no target to distil yet.
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
    source = Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    try:
        model.load_state_dict(source.state_dict())
    except RuntimeError as error:
        raise ValueError(f"the model in {folder} does not have the recipe's shape") from error


def export(model: nn.Module, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write the model in transformers' format, with weights in bfloat16."""
    transformers_logging.disable_progress_bar()
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def frozen_model(folder: Path, role: str, known: text.Text) -> Qwen3ForCausalLM:
    """Load `folder`/`role`, "target" or "draft", in float32, frozen.

    Raises:
        ValueError: it is damaged, or has another tokenizer than the text.
    """
    place = folder / role
    if (place / atomic_folder.MANIFEST).exists() and atomic_folder.damaged(place):
        raise ValueError(f"{place} is damaged: run the stage {role} again")
    if AutoTokenizer.from_pretrained(place).get_vocab() != known.tokenizer.get_vocab():
        raise ValueError(f"{place} has another tokenizer than {folder / 'work' / 'text'}")
    model = Qwen3ForCausalLM.from_pretrained(place, dtype=torch.float32)
    return model.eval().requires_grad_(False)
