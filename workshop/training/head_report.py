"""The heads of a pair on held-out text, and what unrolling is for.

    python -m workshop.training.head_report --out build/pair --start PAIR

`--out` is where the stage heads was run.  For each head: alpha by position before any training
and after it, on its own outputs, and the tau that this predicts; for those that are unrolled also
alpha when every position is given the true states.  Beside them two heads like "eagle" that are
trained here, from the same windows in the same order: one unrolled, one with a single step, which
was never shown a state of its own.  And each head at work in the loop: the tau of its logged rows
and the tokens per round that came.  With `--block` only the head of the stage block is measured.
"""

import argparse
import json
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
import torch

from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.device import processor_name
from course_utils.models.names import DATA
from course_utils.models.qwen3.head_models import trained_head
from course_utils.models.qwen3.heads import BlockHead, Ends, Medusa, load_head
from course_utils.pairs import load_pair
from course_utils.training.head_recipes import BLOCK, RECIPES, HeadRecipe
from workshop.training import atomic_folder, text
from workshop.training.head_losses import (
    Head,
    compared,
    precision,
    study,
    teacher_forced_alphas,
    tokens_a_round,
)
from workshop.training.head_stage import SCHOOLING, new_head, train_heads
from workshop.training.pretrain import held_out_windows
from workshop.training.stages import frozen_model
from workshop.training.tau import check_tau

FILE, BLOCK_FILE = DATA / "heads.json", DATA / "block.json"
WINDOWS = 48  # of 256 tokens
PROMPT, SERVED_TOKENS = 64, 192  # of each window: the beginning, and what is said behind it
SEEDS = (0, 1)  # of the two that learn here
SAME_TOKENS = {"unrolled": RECIPES["eagle"], "one_step": replace(RECIPES["eagle"], steps=1)}


@dataclass(frozen=True)
class Measured:
    """A head on held-out windows."""

    name: str
    unrolled: int  # steps that it was trained for
    trained_tokens: int
    own: list[float]  # mean alpha by position, on its own outputs
    given: list[float] | None  # the same when each position is given the true states
    tau: float  # tokens per round that `own` predicts
    seed: int = 0


def measured(
    name: str, head: Head, recipe: HeadRecipe, tokens: int, target, batches: list, steps: int,
    seed: int = 0,
) -> Measured:  # fmt: skip
    """`steps` positions of every anchor of windows that the target reads here."""
    ends = Ends.of(target)
    own, given, taus = [], [], []
    for batch in batches:
        read = study(target, batch, recipe.aux_layers)
        with torch.no_grad(), precision(batch.device):
            alphas = compared(head, ends, read, steps)[1]
            if not isinstance(head, Medusa | BlockHead):
                given.append(teacher_forced_alphas(head, ends, read, steps))
        own.append([alpha.mean().item() for alpha in alphas])
        taus.append(tokens_a_round(alphas).mean().item())
    means = [np.mean(side, 0).round(4).tolist() if side else None for side in (own, given)]
    return Measured(name, recipe.steps, tokens, *means, round(float(np.mean(taus)), 4), seed)


def trained_beside(options: argparse.Namespace, seed: int) -> Path:
    """The folder of the two heads that learn from the same windows."""
    beside = options.out / "unrolling" / f"seed-{seed}"
    if not beside.exists():
        (beside / "work").mkdir(parents=True)
        for shared in ("target", "draft", "work/text"):
            (beside / shared).symlink_to((options.out / shared).resolve())
    train_heads(
        beside,
        replace(SCHOOLING, tokens=options.same_tokens),
        options.start,
        recipes=SAME_TOKENS,
        seed=seed,
        compiled=options.compile,
        checkpoint_seconds=options.checkpoint_seconds,
    )
    return beside / "heads"


def served(folder: Path, head: Path, steps: int, prompts: list[list[int]]) -> dict[str, object]:
    """Chains of `steps` behind each prompt, at temperature 1, each with a seed of its own."""
    pair = load_pair(str(folder / "target"), dtype="float32")
    model = trained_head(pair.target, head.name, head.parent)
    rounds = []
    for seed, prompt in enumerate(prompts):
        drafter = Sampled(model)
        rounds += generate(
            model.shared, prompt, drafter, gamma=steps, max_new_tokens=SERVED_TOKENS, seed=seed,
            rows=True,
        )  # fmt: skip
    kept = check_tau([done for done in rounds if len(done.drafted) == steps])
    return {"name": head.name, "gamma": steps} | {
        what: round(value, 4) for what, value in asdict(kept).items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("build/pair"))
    parser.add_argument("--start", type=Path)
    parser.add_argument("--tokens", type=int, default=SCHOOLING.tokens, help="of the stage heads")
    parser.add_argument(
        "--same-tokens", type=int, default=500_000, help="of the unrolled and the single step"
    )
    parser.add_argument("--block", action="store_true", help="the head of the stage block alone")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--checkpoint-seconds", type=float, default=300.0)
    options = parser.parse_args()
    known = text.prepare(options.out, options.start)
    target, draft = (frozen_model(options.out, r, known, "cpu") for r in ("target", "draft"))
    windows = list(held_out_windows(known.held_out, SCHOOLING.length))
    windows = windows[:: max(1, len(windows) // WINDOWS)][:WINDOWS]
    chosen = torch.cat(windows)
    batches = list(chosen.split(8))
    rows, alone = [], options.block
    recipes, heads = (BLOCK, options.out) if alone else (RECIPES, options.out / "heads")
    for name, recipe in recipes.items():
        measures = recipe, options.tokens, target, batches, recipe.steps
        if not alone:  # a block begins as a head that is measured already
            torch.manual_seed(0)
            before = new_head(recipe, target, known.train, draft)
            rows.append(measured(name, before, recipe, 0, *measures[2:]))
        rows.append(measured(name, load_head(heads / name, target), *measures))
    longest = RECIPES["eagle"].steps
    pairs = {} if alone else {seed: trained_beside(options, seed) for seed in SEEDS}
    unrolling = [
        measured(
            "eagle", load_head(beside / name, target), recipe, options.same_tokens, target,
            batches, longest, seed,
        )
        for seed, beside in pairs.items()
        for name, recipe in SAME_TOKENS.items()
    ]  # fmt: skip
    prompts = chosen[:, :PROMPT].tolist()
    report = {
        "command": "python -m workshop.training.head_report",
        "date": date.today().isoformat(),
        "processor": processor_name(),
        "windows": len(windows),
        "draft_vocabulary": _kept(known),
        "heads": [asdict(row) for row in rows],
        "unrolling": [asdict(row) for row in unrolling],
        "served": [
            served(options.out, heads / name, recipe.steps, prompts)
            for name, recipe in recipes.items()
        ],
    }
    atomic_folder.write_text(BLOCK_FILE if alone else FILE, json.dumps(report, indent=1) + "\n")


def _kept(known: text.Text) -> dict[str, list[float]]:
    """Share of the text that the most frequent tokens are: [in what was learned, held out]."""
    counts, held_out = (np.bincount(t, minlength=4096) for t in (known.train, known.held_out))
    order = np.argsort(-counts, kind="stable")
    return {
        str(size): [round(float(c[order[:size]].sum() / c.sum()), 4) for c in (counts, held_out)]
        for size in (512, 1024, 1536, 2048, 3072)
    }


if __name__ == "__main__":
    main()
