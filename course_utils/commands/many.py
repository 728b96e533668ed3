"""`generate --prompts FILE`: several texts in each pass, a result a line."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial

from course_utils.commands.prompt_file import Asked, Results, read_prompts
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.batch_contracts import BatchDrafter
from course_utils.decoding.contracts import LanguageModel, Round, Rule
from course_utils.decoding.loop import Text
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batched import BatchSampled, Each
from course_utils.drafters.named import COUNTED, DRAFT, DRAFTERS, INT8
from course_utils.models.batched import Batched
from course_utils.models.packed import PackedQwen3
from course_utils.models.pairs import Pair
from course_utils.models.qwen3 import Qwen3
from course_utils.models.separately import Separately

# What a result depends on beside its prompt and gamma; not on the batch.
DECIDE = (
    *("target", "draft", "drafter", "rule", "temperature", "top_k", "top_p"),
    *("max_new_tokens", "seed", "dtype", "readable"),
)
BATCH, GAMMA = 8, 2  # a batch leaves less room for guesses than one text: `batch_theory.best_gamma`


def add_many(parser: ArgumentParser) -> None:
    """The options for a file of prompts."""
    parser.add_argument(
        "--prompts",
        metavar="FILE.jsonl",
        help='in place of PROMPT: a JSON string a line, or {"prompt": ...}; a JSON line a result, '
        "in the order in which they are done. The texts do not depend on --batch; gamma is "
        f"{GAMMA} unless it is given",
    )
    parser.add_argument(
        "--out", metavar="FILE.jsonl",
        help="with --prompts: where results go; the same call goes on where one was interrupted",
    )  # fmt: skip
    parser.add_argument(
        "--batch", type=int, help=f"with --prompts: texts in one pass, at most (default {BATCH})"
    )


def check_many(options: Namespace) -> None:
    """Do nothing if these options go together.

    Raises:
        ValueError: they do not.
    """
    if options.prompts is None:
        for name in ("out", "batch"):
            if getattr(options, name) is not None:
                raise ValueError(f"--{name} belongs to --prompts FILE, which is not there")
        return
    if options.prompt is not None:
        raise ValueError("there are a PROMPT and --prompts: give one of them")
    if options.batch is not None and options.batch < 1:
        raise ValueError(f"batch is {options.batch}; give at least 1")
    if options.trace is not None:
        raise ValueError("a trace is of one text: leave --trace or --prompts out")
    if options.gamma == "adaptive":
        raise ValueError("gamma is adaptive, which is for one text: with --prompts give a number")
    if not _for_many(options.drafter):
        fit = filter(_for_many, DRAFTERS)
        raise ValueError(
            f"--drafter {options.drafter} guesses for one text: with --prompts take one of "
            f"{', '.join(fit)}"
        )


def _for_many(drafter: str) -> bool:
    """Does it guess chains, with a model that is not at work on a single text?"""
    named = DRAFTERS[drafter]
    return not named.nodes and named.guesses_with in (None, DRAFT, COUNTED, INT8)


def decode_all(
    options: Namespace, pair: Pair, model: LanguageModel | None, rule: Rule, sampling: Sampling
) -> int:
    """0 if every line has its text, 1 if one was bad.

    Raises:
        ValueError, OSError: the files cannot be used; or the batch does not fit the memory.
    """
    asked = read_prompts(options.prompts)
    gamma = GAMMA if isinstance(options.gamma, str) else options.gamma
    names = [
        "target",
        "draft",
        "drafter",
        "rule",
        "temperature",
        "top_k",
        "top_p",
        "max_new_tokens",
        "seed",
        "dtype",
    ]
    settings = {name: getattr(options, name) for name in names} | {"gamma": gamma}
    results = Results(options.out, settings) if options.out else None
    waiting = results.missing(asked) if results else asked
    run = dict(
        gamma=gamma, sampling=sampling, rule=rule, max_new_tokens=options.max_new_tokens,
        stop_tokens=pair.stop_tokens,
    )  # fmt: skip
    bad = sum(a.error is not None for a in asked if a not in waiting)
    target, sound = batched(pair.target), []
    for a in waiting:
        tokens, error = _tokens(a, pair, partial(Text, target, **run))
        if error is None:
            sound.append((a, tokens))
        else:
            bad += 1
            print(f"line {a.line}: {error}", file=sys.stderr)
            _tell(results, a, {"error": error})
    drafter = batch_drafter(options.drafter, model, sampling)
    slots = min(options.batch or BATCH, max(1, len(sound)))
    running = generate_batch(
        target, [tokens for _, tokens in sound], drafter, slots=slots, seed=options.seed,
        noise=lambda seed, row: Noise(seed, sound[row][0].line), **run,
    )  # fmt: skip
    for row, rounds in finished(running):
        _tell(results, sound[row][0], _result(pair, rounds))
    return 1 if bad else 0


def finished(running: Iterator[tuple[int, Round]]) -> Iterator[tuple[int, list[Round]]]:
    """(row, its rounds) as each row ends."""
    rounds: dict[int, list[Round]] = {}
    for row, done in running:
        rounds.setdefault(row, []).append(done)
        if done.stop_reason is not None:
            yield row, rounds.pop(row)


def batched(model: LanguageModel) -> LanguageModel:
    """As a BatchModel: one pass for all rows, where the model can do that."""
    return Batched(model) if isinstance(model, Qwen3 | PackedQwen3) else Separately(model)


def batch_drafter(
    name: str, model: LanguageModel | None, sampling: Sampling
) -> BatchDrafter | None:
    """The drafter of that name for several rows; None for "none"."""
    named = DRAFTERS[name]
    if named.make(model, sampling) is None:
        return None
    if name == "model":
        return BatchSampled(batched(model), sampling)
    return Each(lambda: named.make(model, sampling))


def _tokens(asked: Asked, pair: Pair, text: partial) -> tuple[list[int], str | None]:
    """The prompt's tokens, or what is wrong with it."""
    if asked.error is not None:
        return [], asked.error
    tokens = pair.encode(asked.prompt)
    try:
        text(prompt=tokens, noise=Noise(0))
    except ValueError as error:
        return [], str(error)
    return tokens, None


def _result(pair: Pair, rounds: list[Round]) -> dict[str, object]:
    tokens, m = emitted_tokens(rounds), summarise(rounds)
    return {
        "text": pair.decode(tokens),
        "tokens": tokens,
        "rounds": m.rounds,
        "drafted": m.drafted,
        "accepted": m.accepted,
        "tokens_per_round": m.tokens_per_round,
        "stop_reason": m.stop_reason,
    }


def _tell(results: Results | None, asked: Asked, result: dict[str, object]) -> None:
    if results is None:
        print(json.dumps({"line": asked.line, **result}, allow_nan=False), flush=True)
    else:
        results.add(asked, result)
