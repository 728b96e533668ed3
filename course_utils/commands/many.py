"""`generate --prompts FILE`: several texts in each pass, a result a line."""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from functools import partial

from course_utils.classroom.files import check_place
from course_utils.commands.batch_memory import room_for
from course_utils.commands.chat import Encode, chat_settings
from course_utils.commands.prompt_file import Asked, Results, read_prompts, results_in
from course_utils.decoding.batch import BatchDrafter, generate_batch
from course_utils.decoding.contracts import LanguageModel, Round, Rule
from course_utils.decoding.loop import Text
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batched import BatchSampled, Each
from course_utils.drafters.named import COUNTED, DRAFT, DRAFTERS, INT8
from course_utils.models.batched import Batched
from course_utils.models.forms import AnyQwen3
from course_utils.models.pairs import Pair
from course_utils.models.separately import Separately

# What a result depends on beside its prompt and gamma; on the batch by rounding alone.
DECIDE = (
    *("target", "draft", "drafter", "rule", "max_new_tokens", "seed", "dtype", "form"),
    *("chat", "thinking", "system"),
)
BATCH, GAMMA = 8, 2  # a batch leaves less room for guesses than one text: `batch_theory.best_gamma`


def add_many(parser: ArgumentParser) -> None:
    """The options for a file of prompts."""
    parser.add_argument(
        "--prompts",
        metavar="FILE.jsonl",
        help='in place of PROMPT: a JSON string a line, or {"prompt": ...}; a JSON line a result, '
        "in the order in which they are done. With --dtype float32 a text does not depend on "
        "--batch, but for ties within rounding; in narrower formats a sampled one does, and is "
        f"drawn from the target with any. gamma is {GAMMA} unless it is given",
    )
    parser.add_argument(
        "--out", metavar="FILE.jsonl",
        help="with --prompts: where results go; the same call goes on where one was interrupted",
    )  # fmt: skip
    parser.add_argument(
        "--batch",
        type=int,
        help=f"with --prompts: texts in one pass, at most (default {BATCH}); `doctor` says how "
        "many of the trained pair's fit the memory; too many are refused before anything is done",
    )


def check_many(options: Namespace) -> None:
    """Do nothing if these options go together.

    Raises:
        ValueError: they do not.
        OSError: the results cannot be written.
    """
    if options.prompts is None:
        for name in ("out", "batch"):
            if getattr(options, name) is not None:
                raise ValueError(f"--{name} belongs to --prompts FILE, which is not there")
        return
    if options.out is not None:
        check_place(options.out)
        if os.path.exists(options.out) and os.path.samefile(options.prompts, options.out):
            raise ValueError("--out is the file of the prompts: name another for the results")
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
    options: Namespace,
    pair: Pair,
    model: LanguageModel | None,
    rule: Rule,
    sampling: Sampling,
    encode: Encode,
) -> int:
    """0 if every line has its text, 1 if one was bad.

    Raises:
        ValueError, OSError: the files cannot be used.
        MemoryShortage: the batch does not fit the memory.
    """
    asked = read_prompts(options.prompts)
    gamma = GAMMA if isinstance(options.gamma, str) else options.gamma
    settings = {name: getattr(options, name) for name in DECIDE}
    settings |= {"gamma": gamma, "sampling": asdict(sampling)}
    run = dict(
        gamma=gamma, sampling=sampling, rule=rule, max_new_tokens=options.max_new_tokens,
        stop_tokens=pair.stop_tokens,
    )  # fmt: skip
    drafting = model if DRAFTERS[options.drafter].guesses_with in (DRAFT, INT8) else None
    fitting = partial(room_for, pair.target, drafting, gamma, options.max_new_tokens)
    out = results_in(options.out, settings, asked) if options.out else nullcontext()
    with out as results:
        waiting = results.missing if results else asked
        slots = min(options.batch or BATCH, max(1, sum(a.error is None for a in waiting)))
        fitting(slots, 1)  # now, not when all prompts are read
        missing = {a.line for a in waiting}
        bad, sound = sum(a.error is not None for a in asked if a.line not in missing), []
        for a in waiting:
            tokens, error = _tokens(a, encode, partial(Text, pair.target, **run))
            if error is None:
                sound.append((a, tokens))
            else:
                bad += 1
                print(f"line {a.line}: {error}", file=sys.stderr)
                _tell(results, a, {"error": error})
        slots = min(slots, max(1, len(sound)))
        context = fitting(slots, max((len(tokens) for _, tokens in sound), default=1))
        running = generate_batch(
            batched(pair.target, context), [tokens for _, tokens in sound],
            batch_drafter(options.drafter, model, sampling, context), slots=slots,
            seed=options.seed, noise=lambda seed, row: Noise(seed, sound[row][0].line), **run,
        )  # fmt: skip
        for row, done in finished(running):
            _tell(results, sound[row][0], _result(pair, done))
    if options.chat:
        print(chat_settings(pair, sampling), file=sys.stderr)
    return 1 if bad else 0


@dataclass
class Done:
    """What is told of a text: counts, for the rows of its rounds would fill the memory."""

    tokens: list[int] = field(default_factory=list)
    rounds: int = 0
    drafted: int = 0
    accepted: int = 0
    stop_reason: str | None = None

    def add(self, done: Round) -> None:
        """The next round of the text."""
        self.tokens += done.emitted
        self.rounds += 1
        self.drafted += len(done.drafted)
        self.accepted += done.accepted
        self.stop_reason = done.stop_reason


def finished(running: Iterator[tuple[int, Round]]) -> Iterator[tuple[int, Done]]:
    """(row, what became of it) as each row ends."""
    texts: dict[int, Done] = {}
    for row, done in running:
        text = texts.setdefault(row, Done())
        text.add(done)
        if text.stop_reason is not None:
            yield row, texts.pop(row)


def batched(model: LanguageModel, context: int | None = None) -> LanguageModel:
    """As a BatchModel: one pass for all rows, where the model can do that.

    Args:
        context: tokens for which a row gets room; by default as many as the model holds.
    """
    if not isinstance(model, AnyQwen3):
        return Separately(model)
    return Batched(model, min(context or model.context, model.context))


def batch_drafter(
    name: str, model: LanguageModel | None, sampling: Sampling, context: int | None = None
) -> BatchDrafter | None:
    """The drafter of that name for several rows; None for "none".  `context` as for `batched`."""
    named = DRAFTERS[name]
    if named.make(model, sampling) is None:
        return None
    if name == "model":
        return BatchSampled(batched(model, context), sampling)
    return Each(lambda: named.make(model, sampling))


def _tokens(asked: Asked, encode: Encode, text: partial) -> tuple[list[int], str | None]:
    """The prompt's tokens, or what is wrong with it."""
    if asked.error is not None:
        return [], asked.error
    try:
        tokens = encode(asked.prompt)
        text(prompt=tokens, noise=Noise(0))
    except ValueError as error:
        return [], str(error)
    return tokens, None


def _result(pair: Pair, done: Done) -> dict[str, object]:
    return {
        "text": pair.decode(done.tokens),
        "tokens": done.tokens,
        "rounds": done.rounds,
        "drafted": done.drafted,
        "accepted": done.accepted,
        "tokens_per_round": len(done.tokens) / done.rounds,
        "stop_reason": done.stop_reason,
    }


def _tell(results: Results | None, asked: Asked, result: dict[str, object]) -> None:
    result = {"id": asked.id} | result if asked.id is not None else result
    if results is None:
        print(json.dumps({"line": asked.line, **result}, allow_nan=False), flush=True)
    else:
        results.add(asked, result)
