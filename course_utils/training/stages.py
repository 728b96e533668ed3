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
    Loss,
    Recipe,
    build_model,
    distillation_loss,
    held_out_windows,
    next_token_loss,
    train,
)
from course_utils.training.tokenizer import train_tokenizer

# The held-out files are library modules; there is twice as much test code, and it
# is half a nat easier.  Repeating the modules makes them most of what is seen.
LIBRARY_REPEATS = 3
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
    library = [text for name, text in sources if not corpus.is_test(name)]
    tests = [text for name, text in sources if corpus.is_test(name)]
    for name, texts in (
        ("train", library * LIBRARY_REPEATS + tests),
        ("held_out", [text for _, text in corpus.held_out_sources()]),
    ):
        np.save(work / f"{name}.npy", _encode(tokenizer, texts))
    return tokenizer


def train_target(
    folder: Path, recipe: Recipe = TARGET, *, seed: int = 0, device: str = "cpu", **options
) -> None:
    """Learn the text; write `folder`/target.  `options` go to `train`."""
    tokenizer = prepare(folder)
    torch.manual_seed(seed)
    model = build_model(recipe, len(tokenizer), tokenizer.eos_token_id).to(device)
    loss = next_token_loss(model)
    _run(folder, "target", model, loss, tokenizer, recipe, seed=seed, **options)


def train_draft(
    folder: Path, recipe: Recipe = DRAFT, *, seed: int = 0, device: str = "cpu", **options
) -> None:
    """Distil `folder`/target into a small model; write `folder`/draft.

    A draft as wide as its target starts from the target's embedding.
    """
    tokenizer = prepare(folder)
    target = Qwen3ForCausalLM.from_pretrained(folder / "target", dtype=torch.float32)
    target.eval().requires_grad_(False).to(device)
    torch.manual_seed(seed)
    draft = build_model(recipe, len(tokenizer), tokenizer.eos_token_id)
    if recipe.hidden == target.config.hidden_size:
        draft.model.embed_tokens.load_state_dict(target.model.embed_tokens.state_dict())
        draft.model.norm.load_state_dict(target.model.norm.state_dict())
    draft.to(device)
    loss = distillation_loss(draft, target)
    _run(folder, "draft", draft, loss, tokenizer, recipe, seed=seed, **options)


def _run(
    folder: Path,
    name: str,
    model: nn.Module,
    loss: Loss,
    tokenizer: PreTrainedTokenizerBase,
    recipe: Recipe,
    *,
    tokens: int | None = None,
    **options,
) -> None:
    """Train, export, and put the log beside the models."""
    recipe = replace(recipe, tokens=tokens or recipe.tokens)
    work = folder / "work"
    held_out = list(held_out_windows(np.load(work / "held_out.npy"), 512))
    every = max(1, len(held_out) // QUICK_WINDOWS)
    batches = torch.cat(held_out[::every]).to(model.device).split(8)

    @torch.no_grad()
    def evaluate() -> float:
        return torch.stack([loss(batch) for batch in batches]).mean().item()

    (work / name).mkdir(exist_ok=True)
    train(model, loss, evaluate, np.load(work / "train.npy"), recipe, work / name, **options)
    export(model, tokenizer, folder / name)
    shutil.copy(work / name / "log.jsonl", folder / f"{name}_log.jsonl")


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
