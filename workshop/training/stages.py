"""The stages that make a pair folder: text -> tokenizer -> target -> draft.

    folder/target/  folder/draft/   what from_pretrained loads
    folder/plain/                   a smaller draft, trained on the text without a target
    folder/work/text/               the tokenizer, both texts as arrays of token ids
    folder/work/target/  .../draft/ checkpoints, and the log so far
                                    (work/ may be deleted when all are finished)

Each stage appears complete (see `manifest`) and reads earlier results from disk, so a killed
run resumes where it stopped, and a finished stage is skipped.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import torch
from torch import nn
from transformers import AutoTokenizer, PreTrainedTokenizerBase, Qwen3Config, Qwen3ForCausalLM
from transformers.utils import logging as transformers_logging

from course_utils.training.loop import Draw, Figures, train
from course_utils.training.losses import DISTILLED, Loss, distillation_loss, next_token_loss
from workshop.training import manifest, text
from workshop.training.checkpoints import Checkpoints, checkpoints_in, write_log
from workshop.training.recipes import DRAFT, Recipe, Schooling

PLAIN = "plain"


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


def model_settings(
    recipe: Recipe, seed: int, name: str, start: Path | None = None
) -> manifest.Settings:
    """Return everything that the model `name` depends on; a draft also depends on its target.

    The plain draft depends only on the pair's tokenizer.
    """
    settings = asdict(recipe)
    if recipe.rows == DRAFT.rows:  # older manifests lack it
        del settings["rows"]
    begun = "new" if name == PLAIN else text.start_of(start, f"{name}/model.safetensors")
    return {**settings, "seed": seed, "start": begun, **text.settings(start)}


def refuse_others(folder: Path, name: str, settings: manifest.Settings) -> None:
    """Check before hours of work that `folder`/`name` can be written.

    Raises:
        FileExistsError: it has a model that was not made here.
        ValueError: it has a model with other settings, finished or not.
    """
    done, begun = folder / name, folder / "work" / name
    if done.exists() and not (done / manifest.MANIFEST).exists():
        raise FileExistsError(
            f"{done} has a model with unknown settings and will not be overwritten: "
            "choose another --out, or remove it first"
        )
    manifest.refuse_others(done, settings)
    for checkpoint in checkpoints_in(begun):
        manifest.refuse_others(checkpoint, settings, begun)


def is_finished(folder: Path, name: str, settings: manifest.Settings) -> bool:
    """Return whether `folder`/`name` is finished; raise as `refuse_others`."""
    refuse_others(folder, name, settings)
    finished = manifest.is_made(folder / name, settings)
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
    compiled: bool = False,
    **options,
) -> None:
    """Write `folder`/`name` unless it exists: target and plain learn the text's next tokens; a
    draft learns the rows of `folder`/target (distillation).

    A new draft as wide as its target starts from the target's embedding.

    Args:
        name: "target", "draft" or "plain".
        start: a pair whose tokenizer is used and whose target or draft is trained further; None
            starts from random weights, as the plain draft always does.
        options: passed to `course_utils.training.loop.train`.

    Raises:
        FileNotFoundError: there is no target to distil yet.
        ValueError: the target is damaged, or has another tokenizer.
    """
    settings = model_settings(recipe, seed, name, start)
    if name == "draft":
        place = folder / "target"
        settings["target"] = manifest.digest(place / "model.safetensors")
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
    batches = text.held_out_windows(known.held_out, 512).split(8)

    @torch.no_grad()
    def evaluate() -> dict[str, float]:
        return {"held_out": torch.stack([loss(batch) for batch in batches]).mean().item()}

    train_and_write(
        folder, name, settings, model, torch.compile(loss, dynamic=False) if compiled else loss,
        text.draw_windows(known.train, recipe, seed), evaluate, recipe,
        lambda new: export(model, known.tokenizer, new), **options,
    )  # fmt: skip


def train_and_write(
    folder: Path,
    name: str,
    settings: manifest.Settings,
    model: nn.Module,
    loss: Loss,
    draw: Draw,
    evaluate: Callable[[], Figures],
    recipe: Recipe | Schooling,
    fill: Callable[[Path], None],
    **options,
) -> None:
    """Train `model`, then write `folder`/`name` by `fill`, and its log beside it.

    Args:
        options: passed to `course_utils.training.loop.train`.
    """
    checkpoints = Checkpoints(folder / "work" / name, settings)
    options |= {"batch_tokens": recipe.batch_tokens}
    log = train(model, loss, draw, evaluate, recipe.schedule, checkpoints, **options)
    write_log(folder / f"{name}_log.jsonl", log)
    manifest.make(folder / name, settings, fill)


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
    if (place / manifest.MANIFEST).exists() and manifest.damaged(place):
        raise ValueError(f"{place} is damaged: run the stage {role} again")
    if AutoTokenizer.from_pretrained(place).get_vocab() != known.tokenizer.get_vocab():
        raise ValueError(f"{place} has another tokenizer than {folder / 'work' / 'text'}")
    model = Qwen3ForCausalLM.from_pretrained(place, dtype=torch.float32)
    return model.eval().requires_grad_(False)
