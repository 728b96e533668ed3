"""Drafts of several shapes, distilled from one target at once: what width and depth are worth.

All see the same windows, so that one pass of the target serves every draft.  A draft as wide
as the target begins with some of its layers, evenly spaced, and its embedding; one as narrow
as data/plain with what that has learned.  The models are not kept, only what they reached
(data/ladder.json):

    python -m workshop.training.ladder --pair data --out build/ladder
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from transformers import Qwen3ForCausalLM

from course_utils.models.device import processor_name
from course_utils.training.ladder import FILE, Rung
from course_utils.training.losses import Loss, forward_kl, log_rows, total_variation
from workshop.training import atomic_folder, stages, text
from workshop.training.pretrain import (
    build_model,
    held_out_windows,
    train,
)
from workshop.training.recipes import DRAFT, Recipe, going_on

PLAIN = FILE.with_name("plain")
TOKENS = 500_000  # each
BATCH = 2048  # tokens an optimiser step
LENGTH = 512  # of the held-out windows; the first half of each is context only
MEASURED = 24  # held-out windows


SHAPES = ((1, 128), (2, 128), (1, 256), (2, 256), (4, 256), (8, 256))  # layers, hidden


def recipe_of(layers: int, hidden: int, tokens: int = TOKENS) -> Recipe:
    """That of a draft which goes on learning: its MLP is twice as wide as its stream."""
    return replace(
        going_on(DRAFT), layers=layers, hidden=hidden, intermediate=2 * hidden, tokens=tokens,
        batch_tokens=BATCH, long_share=0.0,
    )  # fmt: skip


def begin_with(draft: nn.Module, models: Sequence[nn.Module]) -> None:
    """Give `draft` what the first of `models` that is as wide has learned: embedding, last norm
    and, for each of its layers, one of that model's, evenly spaced, some twice if it has fewer.

    Raises:
        ValueError: none of `models` is as wide.
    """
    width, layers = draft.config.hidden_size, draft.config.num_hidden_layers
    known = next((model.model for model in models if model.config.hidden_size == width), None)
    if known is None:
        widths = " and ".join(str(model.config.hidden_size) for model in models)
        raise ValueError(f"a draft {width} wide has nothing to begin with: there is {widths}")
    for i, layer in enumerate(draft.model.layers):
        layer.load_state_dict(known.layers[i * len(known.layers) // layers].state_dict())
    for part in ("embed_tokens", "norm"):
        getattr(draft.model, part).load_state_dict(getattr(known, part).state_dict())


def common_loss(drafts: nn.ModuleList, target: nn.Module) -> Loss:
    """The sum of every draft's KL(p, q) + TV(p, q), with the target's rows computed once."""

    def loss(windows: Tensor) -> Tensor:
        with torch.no_grad():
            log_p = log_rows(target, windows)
        rows = [log_rows(draft, windows) for draft in drafts]
        return sum((forward_kl(log_p, q) + total_variation(log_p, q)).mean() for q in rows)

    return loss


def climb(pair: Path, out: Path, tokens: int = TOKENS, compiled: bool = False) -> list[Rung]:
    """Train a draft of every shape against `pair`/target and measure each.

    Killed, it goes on from its last checkpoint in `out` when it is called again.

    Raises:
        FileNotFoundError: no target, or no text to learn from.
    """
    known = text.prepare(out, pair)
    target = Qwen3ForCausalLM.from_pretrained(pair / "target", dtype=torch.float32)
    target.eval().requires_grad_(False)
    torch.manual_seed(0)
    recipes = [recipe_of(*shape, tokens) for shape in SHAPES]
    end = known.tokenizer.eos_token_id
    drafts = nn.ModuleList(build_model(r, len(known.tokenizer), end) for r in recipes)
    plain = Qwen3ForCausalLM.from_pretrained(PLAIN, dtype=torch.float32)
    for draft in drafts:
        begin_with(draft, [target, plain])
    loss = common_loss(drafts, target)
    settings = {
        "shapes": str(SHAPES),
        **stages.model_settings(recipes[0], 0, "target", pair),
    }
    windows = torch.cat(list(held_out_windows(known.held_out, LENGTH)))
    windows = windows[:: max(1, len(windows) // MEASURED)][:MEASURED]

    @torch.no_grad()
    def watched() -> float:
        return torch.stack([loss(batch) for batch in windows.split(4)]).mean().item()

    train(
        drafts, loss, watched, known.train, recipes[0], out / "work" / "ladder", settings,
        compiled=compiled,
    )  # fmt: skip
    return [_measured(draft.eval(), target, windows) for draft in drafts]


@torch.no_grad()
def _measured(draft: nn.Module, target: nn.Module, windows: Tensor) -> Rung:
    shares, losses = [], []
    for batch in windows.split(4):
        log_p, log_q = (log_rows(model, batch)[:, LENGTH // 2 :] for model in (target, draft))
        said = batch[:, 1:][:, LENGTH // 2 :, None]
        shares.append(1 - total_variation(log_p, log_q).mean())
        losses.append(-log_q.gather(-1, said).mean())
    config = draft.config
    return Rung(
        config.num_hidden_layers, config.hidden_size, sum(p.numel() for p in draft.parameters()),
        float(np.mean(shares)), float(np.mean(losses)),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pair", type=Path, default=FILE.parent)
    parser.add_argument("--out", type=Path, default=Path("build/ladder"))
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    rungs = climb(options.pair, options.out, options.tokens, options.compile)
    report = {
        "command": f"python -m workshop.training.ladder --tokens {options.tokens}",
        "date": date.today().isoformat(),
        "processor": processor_name(),
        "tokens": options.tokens,
        "rungs": [vars(rung) for rung in rungs],
    }
    atomic_folder.write_text(FILE, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
