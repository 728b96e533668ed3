"""The stages that make a pair folder: text -> tokenizer -> target -> draft.

    folder/target/  folder/draft/   what from_pretrained loads
    folder/work/                    token arrays, checkpoints; may be deleted

Each stage finds the results of those before it on disk, so a run that was
killed goes on where it stopped.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import nn
from transformers import AutoTokenizer, PreTrainedTokenizerBase, Qwen3ForCausalLM

from course_utils.training import corpus
from course_utils.training.pretrain import (
    DRAFT,
    TARGET,
    Recipe,
    build_model,
    distillation_loss,
    held_out_windows,
    next_token_loss,
    train,
)
from course_utils.training.tokenizer import train_tokenizer

QUICK_WINDOWS = 48  # held-out windows looked at while training


def prepare(folder: Path) -> PreTrainedTokenizerBase:
    """Train the tokenizer and store both texts as arrays of token ids."""
    work = folder / "work"
    if (work / "held_out.npy").exists():
        return AutoTokenizer.from_pretrained(work / "tokenizer")
    work.mkdir(parents=True, exist_ok=True)
    sources = list(corpus.training_sources())
    tokenizer = train_tokenizer(text for _, text in sources)
    tokenizer.save_pretrained(work / "tokenizer")
    for name, texts in (
        ("train", [text for _, text in sources]),
        ("held_out", [text for _, text in corpus.held_out_sources()]),
    ):
        np.save(work / f"{name}.npy", _encode(tokenizer, texts))
    return tokenizer


def train_target(folder: Path, recipe: Recipe = TARGET, **options) -> None:
    """Learn the text; write `folder`/target."""
    tokenizer = prepare(folder)
    torch.manual_seed(options.get("seed", 0))
    model = build_model(recipe, len(tokenizer), tokenizer.eos_token_id)
    loss = next_token_loss(model)
    _run(folder, "target", model, loss, tokenizer, recipe, **options)


def train_draft(folder: Path, recipe: Recipe = DRAFT, name: str = "draft", **options) -> None:
    """Distil `folder`/target into a small model; write `folder`/`name`.

    A draft as wide as its target starts from the target's embedding.
    """
    tokenizer = prepare(folder)
    target = Qwen3ForCausalLM.from_pretrained(folder / "target", dtype=torch.float32)
    target.eval().requires_grad_(False)
    torch.manual_seed(options.get("seed", 0))
    draft = build_model(recipe, len(tokenizer), tokenizer.eos_token_id)
    if recipe.hidden == target.config.hidden_size:
        draft.model.embed_tokens.load_state_dict(target.model.embed_tokens.state_dict())
        draft.model.norm.load_state_dict(target.model.norm.state_dict())
    loss = distillation_loss(draft, target)
    _run(folder, name, draft, loss, tokenizer, recipe, **options)


def _run(folder, name, model, loss, tokenizer, recipe, *, tokens=None, **options) -> None:
    recipe = replace(recipe, tokens=tokens or recipe.tokens)
    held_out = list(held_out_windows(np.load(folder / "work" / "held_out.npy"), 512))
    every = max(1, len(held_out) // QUICK_WINDOWS)
    batches = torch.cat(held_out[::every]).split(8)

    @torch.no_grad()
    def evaluate() -> float:
        return torch.stack([loss(batch) for batch in batches]).mean().item()

    train(
        model,
        loss,
        evaluate,
        np.load(folder / "work" / "train.npy"),
        recipe,
        folder / "work" / name,
        **options,
    )
    export(model, tokenizer, folder / name)
    shutil.copy(folder / "work" / name / "log.jsonl", folder / f"{name}_log.jsonl")


def export(model: nn.Module, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write the ordinary transformers layout, weights in bfloat16."""
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _encode(tokenizer: PreTrainedTokenizerBase, texts: list[str]) -> np.ndarray:
    """Token ids of all texts, each closed by the end-of-text token."""
    pieces = []
    for ids in tokenizer(texts)["input_ids"]:
        pieces += [np.asarray(ids, np.uint16), np.asarray([tokenizer.eos_token_id], np.uint16)]
    return np.concatenate(pieces)
