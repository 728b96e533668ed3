"""Distil the pair's target into the plain draft, which has one layer and had no teacher."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase, Qwen3ForCausalLM
from transformers.utils import logging as transformers_logging

from course_utils.models.names import DATA, PAIRS
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from course_utils.training import corpus
from course_utils.training.counted import library_texts
from course_utils.training.loop import windows_at
from course_utils.training.losses import LOSSES, acceptance, log_rows
from course_utils.training.optimisers import Optimiser
from course_utils.training.recipes import Schedule

PLAIN = DATA / "plain"
TARGET, DRAFT = (Path(folder) for folder in PAIRS["tiny"])
LENGTH = 128  # tokens per window
WINDOWS = 8  # per step
CONTEXT = 512  # tokens, for decoding
RATE = 1.5e-3  # learning rate at its peak
WARMUP = 0.1  # share of the steps in which the rate grows


def optimiser_of(draft: Qwen3ForCausalLM, steps: int) -> Optimiser:
    """Return the optimiser of the pair's training; its rate rises, then falls to zero."""
    return Optimiser(draft, Schedule(steps, RATE, WARMUP, decay=1 - WARMUP))


@dataclass(frozen=True)
class HeldOut:
    """Windows of text that neither model has seen, and the target's rows for them."""

    windows: Tensor  # (number, length + 1)
    log_p: Tensor  # (number, length, V)

    @classmethod
    def of(
        cls, target: Qwen3ForCausalLM, tokens: np.ndarray, number: int = 16, length: int = LENGTH
    ) -> "HeldOut":
        """Take `number` windows, spread evenly over the text."""
        starts = np.linspace(0, len(tokens) - length - 1, number).astype(int)
        windows = windows_at(tokens, starts, length)
        return cls(windows, rows_of(target, windows))

    def alpha(self, draft: Qwen3ForCausalLM) -> float:
        """Return the mean acceptance probability at temperature 1, with the text as context."""
        return acceptance(self.log_p, rows_of(draft, self.windows)).mean().item()


@torch.no_grad()
def rows_of(model: Qwen3ForCausalLM, windows: Tensor) -> Tensor:
    """Return log-probabilities (batch, length, V) without gradients."""
    return log_rows(model, windows)


def load(folder: Path) -> Qwen3ForCausalLM:
    """Load a model into transformers' class, in float32, so that it can be trained."""
    transformers_logging.disable_progress_bar()
    return Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32)


def to_onnx(model: Qwen3ForCausalLM) -> OnnxQwen3:
    """Convert a model to the form of the pair: float32, on ONNX Runtime."""
    return OnnxQwen3(Qwen3.from_transformers(model, CONTEXT))


def load_frozen(folder: Path = TARGET) -> Qwen3ForCausalLM:
    """Load a model that is not to be trained."""
    return load(folder).eval().requires_grad_(False)


def corpus_windows(
    tokens: np.ndarray, seed: int, number: int = WINDOWS, length: int = LENGTH
) -> Iterator[Tensor]:
    """Yield random windows (number, length + 1) of the text, without end."""
    rng = np.random.default_rng(seed)
    while True:
        yield windows_at(tokens, rng.integers(0, len(tokens) - length, number), length)


def training_tokens(tokenizer: PreTrainedTokenizerBase, files: int = 80) -> np.ndarray:
    """Encode `files` files of the standard library, spread over all training files."""
    return corpus.encoded(tokenizer, library_texts(files, most=10**9))


def held_out_tokens(tokenizer: PreTrainedTokenizerBase) -> np.ndarray:
    """Encode the held-out files."""
    return corpus.encoded(tokenizer, (text for _, text in corpus.held_out_sources()))


def gradient_lengths(log_p: Tensor, log_q: Tensor) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return alpha and {loss: length of its gradient to the logits}, (rows,), for rows (..., V)."""
    log_p, log_q = log_p.flatten(0, -2), log_q.detach().flatten(0, -2)
    lengths = {}
    for name, loss in LOSSES.items():
        logits = log_q.clone().requires_grad_()
        loss(log_p, logits.log_softmax(-1)).sum().backward()
        lengths[name] = logits.grad.norm(dim=-1).numpy()
    return acceptance(log_p, log_q).numpy(), lengths
