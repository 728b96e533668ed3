"""Train the pair on the standard library's sources.

The stages run in order: tokenizer, target, draft, evaluate.  After a run was killed, the same
command resumes it: finished stages are skipped, the unfinished one continues from its last
checkpoint, and damaged files are set aside and made again.  With other settings the command
stops, names the differences, and overwrites nothing.

"all" leaves out four stages: `plain`, a small draft trained on the text alone; `heads`, the draft
heads for the target in --out; `block`, the head that guesses a block in one pass; `smollm2`, the
head of SmolLM2, which is downloaded and writes its own training text.
"""

import argparse
import json
import math
import shlex
from dataclasses import replace
from pathlib import Path

from course_utils.commands.choices import set_threads
from course_utils.commands.program import Parser
from course_utils.decoding.noise import Noise
from course_utils.decoding.whole_numbers import whole_number
from course_utils.files import alone, write_whole
from workshop.training.recipes import BLOCK, DRAFT, PLAIN, SCHOOLING, TARGET, WRITTEN, going_on

STAGES = ("tokenizer", "target", "draft", "evaluate")
ALONE = ("plain", "heads", "block", "smollm2")
MOST_TOKENS = 10**12  # a few centuries on two cores


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    from course_utils.models.smollm2 import fetch
    from workshop.training import stages, text
    from workshop.training.evaluate import evaluate
    from workshop.training.head_stage import train_heads
    from workshop.training.written_stage import train_on_written

    recipes = {
        "target": replace(TARGET, tokens=options.target_tokens),
        "draft": replace(DRAFT, tokens=options.draft_tokens),
    }
    if options.start is not None:
        recipes = {name: going_on(recipe) for name, recipe in recipes.items()}
        recipes["draft"] = replace(recipes["draft"], rows="TV")  # the best loss in lesson 08
    recipes["plain"] = replace(PLAIN, tokens=options.plain_tokens)
    schooling = replace(SCHOOLING, tokens=options.heads_tokens)
    written = replace(WRITTEN, tokens=options.smollm2_tokens, written=options.written_tokens)
    _check(options, {**recipes, "heads": schooling, "smollm2": written})
    whole_number("written_tokens", written.written, 1, MOST_TOKENS)
    set_threads(options.threads)
    chosen = STAGES if options.stage == "all" else (options.stage,)
    for name in (name for name in recipes if name in chosen):
        settings = stages.model_settings(recipes[name], options.seed, name, options.start)
        stages.refuse_others(options.out, name, settings)
    common = {"seed": options.seed, "checkpoint_seconds": options.checkpoint_seconds}
    of_pair = {**common, "start": options.start, "compiled": options.compile}
    for name in chosen:
        if name == "evaluate":
            report = evaluate(options.out)
            report["command"] = "python -m workshop train " + shlex.join(arguments)
            report = json.dumps(report, indent=1)
            write_whole(options.out / "evaluation.json", report + "\n")
            print(report)
            continue
        (options.out / "work").mkdir(parents=True, exist_ok=True)
        with alone(options.out / "work" / "training"):
            if name == "tokenizer":
                text.prepare(options.out, options.start)
            elif name in recipes:
                stages.train_model(options.out, name, recipes[name], **of_pair)
            elif name == "smollm2":
                train_on_written(options.out, fetch(), written, **common)
            else:
                heads = {"recipes": BLOCK, "stage": name} if name == "block" else {}
                train_heads(options.out, schooling, **heads, **of_pair)
    return 0


def _check(options: argparse.Namespace, recipes: dict) -> None:
    """Check everything that can be checked before the first stage.

    Raises:
        ValueError, OSError: a wrong number or folder.
    """
    for name, recipe in recipes.items():
        whole_number(f"{name}_tokens", recipe.tokens, recipe.batch_tokens, MOST_TOKENS)
    seconds = options.checkpoint_seconds
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"checkpoint_seconds is {seconds}; give a number, at least 0")
    Noise(options.seed)  # refuses what is no seed
    if options.out.exists() and not options.out.is_dir():
        raise NotADirectoryError(f"{options.out} is a file: name a folder")


def _parser() -> Parser:
    parser = Parser("train", __doc__, "workshop", work="workshop.training.head_stage")
    parser.add_argument("--stage", choices=("all", *STAGES, *ALONE), default="all")
    parser.add_argument("--out", type=Path, default=Path("build/pair"), metavar="DIR")
    parser.add_argument("--start", type=Path, metavar="DIR", help="continue from the pair in DIR")
    parser.add_argument("--target-tokens", type=int, default=TARGET.tokens)
    parser.add_argument("--draft-tokens", type=int, default=DRAFT.tokens)
    parser.add_argument("--plain-tokens", type=int, default=PLAIN.tokens)
    parser.add_argument("--heads-tokens", type=int, default=SCHOOLING.tokens)
    parser.add_argument("--smollm2-tokens", type=int, default=WRITTEN.tokens)
    parser.add_argument("--written-tokens", type=int, default=WRITTEN.written)
    parser.add_argument("--threads", type=int, help="CPU threads (default: all available cores)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--compile", action="store_true", help="torch.compile: a third faster, needs gcc"
    )
    parser.add_argument("--checkpoint-seconds", type=float, default=300.0)
    return parser
