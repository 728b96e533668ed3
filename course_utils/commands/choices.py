"""What several commands let one choose: a pair, a drafter, gamma, a seed, the threads."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import torch
from joblib import cpu_count

from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.named import DRAFT, DRAFTERS, INT8
from course_utils.models.cores import threads_for
from course_utils.models.device import DTYPES
from course_utils.models.forms import FASTEST, FORMS
from course_utils.models.pairs import PAIRS
from course_utils.proofs.programs import Program

DrafterFactory = Callable[[LanguageModel | None, Sampling], Drafter | None]


def pair_names(target: str | None, draft: str | None, drafter: str) -> tuple[str, str | None]:
    """Which models to load: (target or the trained pair's, draft or None).

    Raises:
        ValueError: an empty name; a drafter that needs a draft model, and none is known.
    """
    for option, name in (("--target", target), ("--draft", draft)):
        if name == "":
            raise ValueError(f"{option} is empty: give a folder or a hub id, or leave it out")
    default_target, default_draft = PAIRS.get(target or "tiny", (target, None))
    if drafter in DRAFTERS and DRAFTERS[drafter].guesses_with not in (DRAFT, INT8):
        return default_target, draft
    if not (draft or default_draft):
        raise ValueError(
            f"no draft model is known for {target}: name one with --draft, "
            "or choose --drafter suffix, lookup or none"
        )
    return default_target, draft or default_draft


def drafter_factory(name: str) -> DrafterFactory:
    """A drafter of the course, or yours: MODULE:NAME, called with (draft model, sampling).

    The module is looked for in the current folder first.

    Raises:
        ValueError: no such drafter, module or name; or the module fails.
    """
    if name in DRAFTERS:
        return DRAFTERS[name].make
    if not all(name.partition(":")):
        raise ValueError(
            f"drafter is {name!r}; choose {', '.join(DRAFTERS)}, or MODULE:NAME for your own"
        )
    return _of_yours("drafter", name, "(draft model, sampling)")


def program_of(name: str) -> Program:
    """A decoder of yours, MODULE:NAME or FILE.py:NAME: see `proofs.programs`.

    Raises:
        ValueError: no such file, module or name; or the file fails.
    """
    if not all(name.partition(":")):
        raise ValueError(
            f"decoder is {name!r}; give MODULE:NAME or FILE:NAME, as "
            "my_lessons/my_decoder.py:speculate"
        )
    return _of_yours("decoder", name, "(target, draft, prompt, ...)")


def _of_yours(kind: str, name: str, arguments: str) -> Callable:
    """What MODULE:NAME or FILE.py:NAME names; a module is looked for here first.

    Raises:
        ValueError: there is no such thing, or it cannot be called.
    """
    where, _, attribute = name.rpartition(":")
    file = Path(where) if where.endswith(".py") else None
    sys.path.insert(0, str(file.resolve().parent if file else Path.cwd()))
    try:
        thing = getattr(_of_file(file) if file else import_module(where), attribute)
    except (Exception, SystemExit) as error:  # a module of yours may fail in any way
        because = type(error).__name__
        raise ValueError(f"there is no {kind} {name}, because of {because}: {error}") from error
    finally:
        sys.path.pop(0)
    if not callable(thing):
        raise ValueError(f"{name} is no {kind}: it cannot be called with {arguments}")
    return thing


def _of_file(file: Path) -> ModuleType:
    """Its module, by its path: its stem may be no name (`mine.1`), or a library's (`json`)."""
    if not file.exists():
        raise FileNotFoundError(f"no file {file}")
    spec = spec_from_file_location(f"file {file.resolve()}", file)
    module = sys.modules[spec.name] = module_from_spec(spec)  # where a dataclass looks for it
    spec.loader.exec_module(module)
    return module


def add_loading(parser: ArgumentParser) -> None:
    """The options of a command that loads a pair: how, where, and on how many cores."""
    parser.add_argument(
        "--form",
        choices=(FASTEST, *FORMS),
        default=FASTEST,
        help="of a Qwen3 on a CPU: the one that a lesson reads, the same packed, the same for ONNX "
        "Runtime; or what was measured to be the fastest here (default; `doctor` says which)",
    )
    parser.add_argument(
        "--dtype",
        default="auto",
        choices=("auto", *DTYPES),
        help="auto: for large models bfloat16 where the processor has it, float16 on a GPU that "
        "has only that; else float32",
    )
    parser.add_argument(
        "--device-map",
        help="auto, balanced, balanced_low_0, sequential or a device: accelerate places the models",
    )
    parser.add_argument(
        "--threads",
        type=int,
        help="CPU threads (default: one for the trained pair, else the cores given)",
    )


def check_gamma(gamma: int) -> None:
    """Raises ValueError: fewer than one drafted token per round."""
    check_whole("gamma", gamma, 1)


def check_prompt(prompt: str | None) -> None:
    """Do nothing if it is text.

    Raises:
        ValueError: there is none, or it has a character that is no UTF-8.
    """
    if not prompt:
        raise ValueError("the prompt is empty: give some text to continue")
    try:
        prompt.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the prompt is no text from character {error.start + 1} on: give UTF-8"
        ) from error


def check_seed(seed: int) -> None:
    """Raises ValueError: no 64-bit number without a sign."""
    check_whole("seed", seed, 0, 2**64 - 1)


def set_threads(threads: int | None, pair: str | None = None) -> None:
    """None: as many as `threads_for(pair)` says; without a pair torch keeps the cores given.

    Raises:
        ValueError: fewer than one, or more than four for each core: torch
            breaks with thousands, and is slowed down by far fewer.
    """
    if threads is not None:
        check_whole("threads", threads, 1, 4 * cpu_count())
        torch.set_num_threads(threads)
    elif pair is not None:
        torch.set_num_threads(threads_for(pair))


def check_whole(name: str, value: int, least: int, most: int | None = None) -> None:
    """Raises ValueError: `value` is not in least..most."""
    if value < least or (most is not None and value > most):
        limit = "" if most is None else f" and at most {most}"
        raise ValueError(f"{name} is {value}; give a whole number, at least {least}{limit}")
