"""Make the trained pair from the standard library's sources.

The stages run in order: tokenizer, target, draft, evaluate.  A run that was
killed goes on from its last checkpoint when the same command is given again.
"""

import argparse
import json
import shlex
from pathlib import Path

import torch

from course_utils.training.evaluate import evaluate
from course_utils.training.pretrain import DRAFT, TARGET
from course_utils.training.stages import prepare, train_draft, train_target

STAGES = ("tokenizer", "target", "draft", "evaluate")


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.threads is not None:
        torch.set_num_threads(options.threads)
    stages = STAGES if options.stage == "all" else (options.stage,)
    common = {
        "seed": options.seed,
        "device": options.device,
        "compiled": options.compile,
        "checkpoint_seconds": options.checkpoint_seconds,
    }
    if "tokenizer" in stages:
        prepare(options.out)
    if "target" in stages:
        _refuse_overwrite(options.out, "target")
        train_target(options.out, tokens=options.target_tokens, **common)
    if "draft" in stages:
        _refuse_overwrite(options.out, "draft")
        train_draft(options.out, tokens=options.draft_tokens, **common)
    if "evaluate" in stages:
        report = evaluate(options.out, options.windows)
        report["command"] = "python -m course_utils train " + shlex.join(arguments)
        text = json.dumps(report, indent=1)
        (options.out / "evaluation.json").write_text(text + "\n")
        print(text)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m course_utils train", description=__doc__)
    parser.add_argument("--stage", choices=("all", *STAGES), default="all")
    parser.add_argument("--out", type=Path, default=Path("build/pair"), metavar="DIR")
    parser.add_argument("--target-tokens", type=int, default=TARGET.tokens)
    parser.add_argument("--draft-tokens", type=int, default=DRAFT.tokens)
    parser.add_argument("--windows", type=int, help="evaluate on this many held-out windows only")
    parser.add_argument("--threads", type=int, help="CPU threads (default: torch's)")
    parser.add_argument("--device", default="cpu", help="cpu, or cuda (not tried by us)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--compile", action="store_true", help="torch.compile: a third faster, needs gcc"
    )
    parser.add_argument("--checkpoint-seconds", type=float, default=300.0)
    return parser


def _refuse_overwrite(folder: Path, name: str) -> None:
    if (folder / name / "model.safetensors").exists():
        raise FileExistsError(
            f"{folder / name} holds a finished model and is not overwritten: "
            "choose another --out, or remove it first"
        )
