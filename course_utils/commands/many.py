"""`generate --prompts FILE`: several texts in each pass, a result a line.

The file of prompts and that of the results hold a JSON line each; a run goes on in the second.
"""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from course_utils.classroom.files import alone, append, check_place
from course_utils.commands.batch_memory import room_for
from course_utils.commands.choices import Encode, chat_settings, check_prompt
from course_utils.decoding.batch import BatchDrafter, generate_batch
from course_utils.decoding.contracts import LanguageModel, Round, Rule
from course_utils.decoding.loop import Text
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batch_drafters import BatchSampled, Each
from course_utils.drafters.named import COUNTED, DRAFT, DRAFTERS, INT8, NamedDrafter
from course_utils.models.batched import Batched
from course_utils.models.forms import AnyQwen3
from course_utils.models.pairs import Pair
from course_utils.models.separately import Separately

SETTINGS = "settings"  # of the run: a line of results is only gone on from with the same
RESULT = (
    *("line", "digest", SETTINGS, "error", "text", "tokens", "rounds", "drafted", "accepted"),
    *("tokens_per_round", "stop_reason"),
)
_PATIENCE = 1  # seconds: another run keeps its file for hours


@dataclass(frozen=True)
class Asked:
    """A line of the file, counted from 1: a prompt, or what is wrong with it."""

    line: int
    prompt: str = ""
    error: str | None = None
    own: Mapping[str, Any] = field(default_factory=dict)  # the line's other fields

    @property
    def digest(self) -> str:
        """Stands for the prompt in its result."""
        return sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_prompts(path: str | Path) -> list[Asked]:
    """Each line that is not blank: a JSON string, or an object with the key "prompt".

    Raises:
        OSError: the file cannot be read.
        ValueError: no line of it holds anything.
    """
    lines = Path(path).read_bytes().split(b"\n")
    found = [_read(at, line) for at, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise ValueError(f'{path} is empty: write a prompt a line, as "def add(" in JSON')
    return found


def _read(number: int, line: bytes) -> Asked:
    try:
        value = json.loads(line, parse_constant=_no_number)
    except RecursionError:
        return Asked(number, error="this is no JSON of ours: it is nested too deeply")
    except ValueError as error:  # also of bytes that are no UTF-8
        return Asked(number, error=f"this is no JSON: {error}")
    fields = value if isinstance(value, dict) else {"prompt": value}
    prompt, own = fields.pop("prompt", None), fields
    if taken := next((name for name in own if name in RESULT), None):
        return Asked(number, error=f"{taken!r} is a field of its result: give it another name")
    if not isinstance(prompt, str):
        error = 'give a JSON string, or an object with the key "prompt"'
        return Asked(number, error=error, own=own)
    try:
        check_prompt(prompt)
    except ValueError as error:
        return Asked(number, error=str(error), own=own)
    return Asked(number, prompt, own=own)


def _no_number(name: str) -> None:
    raise ValueError(f"it has no {name}")


@contextmanager
def results_in(
    path: str | Path, settings: Mapping[str, Any], asked: Sequence[Asked]
) -> Iterator["Results"]:
    """The `Results` in `path`, for this process alone.

    Raises:
        ValueError: the file holds something else, or results of other settings or prompts.
        OSError: another process has it, or it cannot be read or written.
    """
    taken = f"another run writes to {path}: wait for it, or name another --out"
    with (
        alone(Path(path).resolve(), _PATIENCE, taken),
        Path(path).open("a+b", buffering=0) as file,
    ):
        yield Results(file, settings, asked)


class Results:
    """The results so far, to which more are added: each line is whole or not there.

    Args:
        file: open to be read and appended to, without a buffer.
        settings: all that a result depends on but its prompt.

    Raises:
        ValueError: the file holds something else, or results of other settings or prompts.
    """

    def __init__(self, file: BinaryIO, settings: Mapping[str, Any], asked: Sequence[Asked]):
        self._settings = sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]
        self._file = file
        file.seek(0)
        held = file.read()
        whole = held.rfind(b"\n") + 1
        done = self._known(held[:whole])
        if changed := [a for a in asked if done.get(a.line, a.digest) != a.digest]:
            raise ValueError(
                f"line {changed[0].line} was another prompt when its result was written: "
                "name another --out, or restore the prompts"
            )
        self.missing = [a for a in asked if a.line not in done]
        if whole < len(held):
            self._check_cut(held[whole:])
            file.truncate(whole)

    def _known(self, held: bytes) -> dict[int, str]:
        """line -> digest of its prompt"""
        found: dict[int, str] = {}
        for at, line in enumerate(held.splitlines(), start=1):
            try:
                entry = json.loads(line)
                found[entry["line"]], settings = entry["digest"], entry[SETTINGS]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise ValueError(
                    f"line {at} of {self._file.name} is no result of this command: "
                    "name another --out"
                ) from None
            if settings != self._settings:
                raise ValueError(
                    f"{self._file.name} holds results of other settings (line {at}): give the "
                    "same options, or name another --out"
                )
        return found

    def _check_cut(self, rest: bytes) -> None:
        """Do nothing if `rest` is the begin of a missing result, which an interruption cut."""
        begins = [json.dumps(self._begin(a)).encode()[:-1] for a in self.missing]
        if not any(rest[: len(begin)] == begin[: len(rest)] for begin in begins):
            raise ValueError(
                f"the last line of {self._file.name} has no end and is no result of this call: "
                "name another --out"
            )

    def _begin(self, asked: Asked) -> dict[str, Any]:
        """With this each result begins, and nobody else's line does."""
        return {"line": asked.line, "digest": asked.digest, SETTINGS: self._settings}

    def add(self, asked: Asked, result: Mapping[str, Any]) -> None:
        """Write a result.

        Raises:
            OSError: the disk is full; what was written before is there.
        """
        append(
            self._file, json.dumps(self._begin(asked) | result, allow_nan=False).encode() + b"\n"
        )


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
        help='in place of PROMPT: a JSON string a line, or {"prompt": ..., ...}; a JSON line a '
        "result, in the order in which they are done. With --dtype float32 a text does not depend "
        "on --batch, but for ties within rounding; in narrower formats a sampled one does, and is "
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
    if not _for_many(options.named):
        fit = (name for name, named in DRAFTERS.items() if _for_many(named))
        raise ValueError(
            f"--drafter {options.drafter} guesses for one text: with --prompts take one of "
            f"{', '.join(fit)}"
        )


def _for_many(named: NamedDrafter) -> bool:
    """Does it guess chains, with a model that is not at work on a single text?"""
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
    drafting = model if options.named.guesses_with in (DRAFT, INT8) else None
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
            batch_drafter(options.named, model, sampling, context), slots=slots,
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
    named: NamedDrafter, model: LanguageModel | None, sampling: Sampling, context: int | None = None
) -> BatchDrafter | None:
    """That drafter for several rows; None for "none".  `context` as for `batched`."""
    if named.make(model, sampling) is None:
        return None
    if named is DRAFTERS["model"]:
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
    result = {**asked.own, **result}
    if results is None:
        print(json.dumps({"line": asked.line, **result}, allow_nan=False), flush=True)
    else:
        results.add(asked, result)
