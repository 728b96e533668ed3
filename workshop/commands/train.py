"""Make the trained pair from the standard library's sources.

The stages run in order: tokenizer, target, draft, evaluate.  A run that was killed, at whatever
moment, goes on when the same command is given again: a stage that is finished is not done
again, one that is not goes on from its last checkpoint, and what is damaged is set aside and
made anew.  With other settings nothing is reused and nothing is overwritten: they are named.

"all" leaves out three stages: `plain`, a small draft that has learned the text alone; `heads`,
the draft heads, trained on the target of --out; `block`, the head that guesses a block at once.
"""

import argparse
import json
import math
import shlex
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from course_utils.commands.choices import check_seed, check_whole, set_threads
from course_utils.commands.program import Parser
from course_utils.training.head_recipes import BLOCK
from workshop.training import atomic_folder
from workshop.training.recipes import DRAFT, PLAIN, SCHOOLING, TARGET, going_on

STAGES = ("tokenizer", "target", "draft", "evaluate")
ALONE = ("plain", "heads", "block")
MOST_TOKENS = 10**12  # a few centuries on two cores


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    from workshop.training import stages, text
    from workshop.training.evaluate import evaluate
    from workshop.training.head_stage import train_heads

    recipes = {
        "target": replace(TARGET, tokens=options.target_tokens),
        "draft": replace(DRAFT, tokens=options.draft_tokens),
    }
    if options.start is not None:
        recipes = {name: going_on(recipe) for name, recipe in recipes.items()}
        recipes["draft"] = replace(recipes["draft"], rows="TV")  # lesson 08 found it best
    recipes["plain"] = replace(PLAIN, tokens=options.plain_tokens)
    schooling = replace(SCHOOLING, tokens=options.heads_tokens)
    _check(options, {**recipes, "heads": schooling})
    set_threads(options.threads)
    chosen = STAGES if options.stage == "all" else (options.stage,)
    for name in (name for name in recipes if name in chosen):
        settings = stages.model_settings(recipes[name], options.seed, name, options.start)
        stages.refuse_others(options.out, name, settings)
    common = {
        "start": options.start,
        "seed": options.seed,
        "device": options.device,
        "compiled": options.compile,
        "checkpoint_seconds": options.checkpoint_seconds,
    }
    for name in chosen:
        if name == "evaluate":
            report = evaluate(options.out, options.windows)
            report["command"] = "python -m workshop train " + shlex.join(arguments)
            report = json.dumps(report, indent=1)
            atomic_folder.write_text(options.out / "evaluation.json", report + "\n")
            print(report)
            continue
        with _alone_in(options.out):
            if name == "tokenizer":
                text.prepare(options.out, options.start)
            elif name in recipes:
                stages.train_model(options.out, name, recipes[name], **common)
            else:
                heads = {"recipes": BLOCK, "stage": name} if name == "block" else {}
                train_heads(options.out, schooling, **heads, **common)
    return 0


@contextmanager
def _alone_in(folder: Path):
    """Hold `folder` against a second training, until this one ends or is killed.

    Raises:
        ValueError: another one works there.
    """
    from filelock import FileLock, Timeout

    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(work / "lock", timeout=0):
            yield
    except Timeout:
        raise ValueError(
            f"another training works in {folder}: wait for its end, or choose another --out"
        ) from None


def _check(options: argparse.Namespace, recipes: dict) -> None:
    """What can be known to be wrong before anything is done.

    Raises:
        ValueError, OSError: a number or the folder.
    """
    for name, recipe in recipes.items():
        check_whole(f"{name}_tokens", recipe.tokens, recipe.batch_tokens, MOST_TOKENS)
    if options.windows is not None:
        check_whole("windows", options.windows, 1)
    seconds = options.checkpoint_seconds
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"checkpoint_seconds is {seconds}; give a number, at least 0")
    check_seed(options.seed)
    if options.out.exists() and not options.out.is_dir():
        raise NotADirectoryError(f"{options.out} is a file: name a folder")


def _parser() -> Parser:
    parser = Parser("train", __doc__, "workshop", work="workshop.training.head_stage")
    parser.add_argument("--stage", choices=("all", *STAGES, *ALONE), default="all")
    parser.add_argument("--out", type=Path, default=Path("build/pair"), metavar="DIR")
    parser.add_argument(
        "--start", type=Path, metavar="DIR", help="go on from the pair in DIR (default: anew)"
    )
    parser.add_argument("--target-tokens", type=int, default=TARGET.tokens)
    parser.add_argument("--draft-tokens", type=int, default=DRAFT.tokens)
    parser.add_argument("--plain-tokens", type=int, default=PLAIN.tokens)
    parser.add_argument("--heads-tokens", type=int, default=SCHOOLING.tokens)
    parser.add_argument("--windows", type=int, help="evaluate on this many held-out windows only")
    parser.add_argument("--threads", type=int, help="CPU threads (default: the cores given)")
    parser.add_argument("--device", default="cpu", help="cpu, or cuda (not tried by us)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--compile", action="store_true", help="torch.compile: a third faster, needs gcc"
    )
    parser.add_argument("--checkpoint-seconds", type=float, default=300.0)
    return parser
