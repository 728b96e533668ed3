"""Make the trained pair from the standard library's sources.

The stages run in order: tokenizer, target, draft, evaluate.  A run that was
killed, at whatever moment, goes on when the same command is given again: a stage
that is finished is not done again, one that is not goes on from its last
checkpoint, and what is damaged is set aside and made anew.  With other settings
nothing is reused and nothing is overwritten: they are named.

Only `evaluate` is done anew each time.  The stage `plain` is a small draft that has
learned the text alone, for the lesson on drafts; it needs no pair, and "all" leaves it out.
So it does with `heads`, the draft heads, which are trained on the target of --out, and with
`block`, the head that guesses a whole block at once.
"""

import argparse
import json
import math
import shlex
from dataclasses import replace
from pathlib import Path

from course_utils.commands.choices import check_seed, check_whole, set_threads
from course_utils.commands.program import Parser
from course_utils.training.head_recipes import BLOCK
from workshop.training import atomic_folder
from workshop.training.recipes import (
    DRAFT,
    PLAIN,
    SCHOOLING,
    TARGET,
    Recipe,
    Schooling,
    going_on,
)

STAGES = ("tokenizer", "target", "draft", "evaluate")
PLAIN_STAGE = "plain"
HEADS_STAGE, BLOCK_STAGE = "heads", "block"
MOST_TOKENS = 10**12  # a few centuries on two cores


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    from workshop.training import stages
    from workshop.training.evaluate import evaluate
    from workshop.training.head_stage import train_heads

    recipes = {
        "target": replace(TARGET, tokens=options.target_tokens),
        "draft": replace(DRAFT, tokens=options.draft_tokens),
    }
    if options.start is not None:
        recipes = {name: going_on(recipe) for name, recipe in recipes.items()}
        recipes["draft"] = replace(recipes["draft"], rows="TV")  # lesson 08 found it best
    recipes[PLAIN_STAGE] = replace(PLAIN, tokens=options.plain_tokens)
    schooling = replace(SCHOOLING, tokens=options.heads_tokens)
    _check(options, {**recipes, HEADS_STAGE: schooling})
    set_threads(options.threads)
    chosen = STAGES if options.stage == "all" else (options.stage,)
    for name in set(chosen) & set(recipes):
        stages.refuse_others(options.out, name, _settings(options, name, recipes[name]))
    if chosen != ("evaluate",):
        with stages.alone_in(options.out):
            _train(options, recipes, chosen)
            if HEADS_STAGE in chosen:
                train_heads(options.out, schooling, **_common(options))
            if BLOCK_STAGE in chosen:
                common = _common(options)
                train_heads(options.out, schooling, recipes=BLOCK, stage=BLOCK_STAGE, **common)
    if "evaluate" in chosen:
        report = evaluate(options.out, options.windows)
        report["command"] = "python -m workshop train " + shlex.join(arguments)
        text = json.dumps(report, indent=1)
        atomic_folder.write_text(options.out / "evaluation.json", text + "\n")
        print(text)
    return 0


def _settings(options: argparse.Namespace, name: str, recipe: Recipe) -> atomic_folder.Settings:
    from workshop.training import stages

    if name == PLAIN_STAGE:
        return stages.plain_settings(recipe, options.seed, options.start)
    return stages.model_settings(recipe, options.seed, name, options.start)


def _common(options: argparse.Namespace) -> dict:
    return {
        "start": options.start,
        "seed": options.seed,
        "device": options.device,
        "compiled": options.compile,
        "checkpoint_seconds": options.checkpoint_seconds,
    }


def _train(
    options: argparse.Namespace, recipes: dict[str, Recipe], chosen: tuple[str, ...]
) -> None:
    from workshop.training import stages, text

    common = _common(options)
    if "tokenizer" in chosen:
        text.prepare(options.out, options.start)
    if "target" in chosen:
        stages.train_target(options.out, recipes["target"], **common)
    if "draft" in chosen:
        stages.train_draft(options.out, recipes["draft"], **common)
    if PLAIN_STAGE in chosen:
        stages.train_plain(options.out, recipes[PLAIN_STAGE], **common)


def _check(options: argparse.Namespace, recipes: dict[str, Recipe | Schooling]) -> None:
    """What can be known to be wrong before anything is done.

    Raises:
        ValueError, OSError: a number, the device or the folder.
    """
    import torch

    for name, recipe in recipes.items():
        check_whole(f"{name}_tokens", recipe.tokens, recipe.batch_tokens, MOST_TOKENS)
    if options.windows is not None:
        check_whole("windows", options.windows, 1)
    if not (math.isfinite(options.checkpoint_seconds) and options.checkpoint_seconds >= 0):
        raise ValueError(
            f"checkpoint_seconds is {options.checkpoint_seconds}; give a number, at least 0"
        )
    check_seed(options.seed)
    try:
        torch.zeros(1, device=options.device).item()
    except (RuntimeError, AssertionError, ImportError) as error:
        reason = str(error).partition("\n")[0]  # torch goes on for a page
        raise ValueError(f"the device {options.device!r} cannot be used here: {reason}") from error
    if options.out.exists() and not options.out.is_dir():
        raise NotADirectoryError(f"{options.out} is a file: name a folder")


def _parser() -> Parser:
    parser = Parser("train", __doc__, "workshop", work="workshop.training.head_stage")
    alone = (PLAIN_STAGE, HEADS_STAGE, BLOCK_STAGE)
    parser.add_argument("--stage", choices=("all", *STAGES, *alone), default="all")
    parser.add_argument("--out", type=_folder, default=Path("build/pair"), metavar="DIR")
    parser.add_argument(
        "--start", type=_folder, metavar="DIR", help="go on from the pair in DIR (default: anew)"
    )
    parser.add_argument("--target-tokens", type=int, default=TARGET.tokens)
    parser.add_argument("--draft-tokens", type=int, default=DRAFT.tokens)
    parser.add_argument("--plain-tokens", type=int, default=PLAIN.tokens)
    parser.add_argument("--heads-tokens", type=int, default=SCHOOLING.tokens)
    parser.add_argument("--windows", type=int, help="evaluate on this many held-out windows only")
    parser.add_argument(
        "--threads", type=int, help="CPU threads (default: as many as the cores given)"
    )
    parser.add_argument("--device", default="cpu", help="cpu, or cuda (not tried by us)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--compile", action="store_true", help="torch.compile: a third faster, needs gcc"
    )
    parser.add_argument("--checkpoint-seconds", type=float, default=300.0)
    return parser


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("it is empty: name a folder")
    return Path(text)
