"""Run the lessons in order, or some of them with other parameters, into build/course.

Prints how long each took and the most memory its kernel held.  The notebooks
themselves are not touched.  Stops at the first failure and shows the cell.
"""

import argparse
import ast
import logging
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import zmq
from tqdm.auto import tqdm
from traitlets.config import Config

from course_utils.classroom.notebooks import (
    NOTEBOOKS,
    check_parameters,
    lesson_paths,
    read_lesson,
)
from course_utils.classroom.table import text_table
from course_utils.commands.program import Parser
from course_utils.decoding.clock import now
from course_utils.files import whole
from course_utils.measuring.peak_memory import PeakMemory

OUTPUT = NOTEBOOKS.parent / "build" / "course"
KERNEL = {
    # one that has done its work, or is not to go on, is not asked: it would complain
    "shutdown_kernel": "immediate",
    # or ipykernel 7.4 complains, among the progress bars, that anybody may listen
    "config": Config(
        {"KernelManager": {"transport_encryption": "auto" if zmq.has("curve") else "disabled"}}
    ),
}
MOST_MEMORY = 1.5e9  # bytes a lesson on the trained pair may hold: what is free on a small laptop


@dataclass(frozen=True)
class Spent:
    """What one lesson took."""

    seconds: float
    memory: int  # bytes: the largest resident set of its kernel


def main(arguments: list[str]) -> int:
    """0 if every lesson ran, 1 if one failed."""
    options = _parser().parse_args(arguments)
    given = dict(_parameter(text) for text in options.parameter)
    paths = lesson_paths(options.lessons)
    for path in paths:
        check_parameters(path, given)
        check_output(options.out / path.name)
    options.out.mkdir(parents=True, exist_ok=True)
    spent: dict[str, Spent] = {}
    bar = tqdm(paths, unit="lesson")
    for path in bar:
        bar.set_description(path.stem)
        start = now()
        with PeakMemory("ipykernel") as peak:
            failure = run(path, options.out / path.name, given)
        spent[path.stem] = Spent(now() - start, peak.bytes)
        if failure:
            bar.close()
            print(failure, file=sys.stderr)
            return 1
    print(as_table(spent))
    for warning in () if "target" in given else too_large(spent):
        print(warning, file=sys.stderr)
    return 0


def check_output(path: Path) -> None:
    """Do nothing if nothing is there, or what an earlier call wrote.

    Raises:
        OSError, ValueError: a lesson is, or a student's work.
    """
    if path.exists() and "papermill" not in read_lesson(path).metadata:
        raise FileExistsError(f"{path} is no run of this command: name another --out")


def run(path: Path, output: Path, given: dict[str, object]) -> str | None:
    """Execute one lesson; None, or what went wrong with the cell that failed.

    `output` is written whole, also where a cell fails.
    """
    import papermill
    from papermill.exceptions import PapermillExecutionError

    logging.getLogger("papermill").setLevel(logging.ERROR)
    with whole(output) as new:
        try:
            with warnings.catch_warnings(action="ignore"):
                papermill.execute_notebook(
                    _unformatted(path),
                    _unformatted(new),
                    given,
                    cwd=path.parent,
                    kernel_name="python3",
                    language="python",
                    progress_bar=False,
                    **KERNEL,
                )
        except PapermillExecutionError as error:
            return (
                f"{path.name} failed in its code cell [{error.exec_count}]:\n\n{error.source}\n\n"
                f"{error.ename}: {error.evalue}\n\nThe run so far is in {output}"
            )
        except RuntimeError as error:
            return f"{kernel_died(path, error)}\n\nThe run so far is in {output}"
    return None


def kernel_died(path: Path, error: RuntimeError) -> str:
    """What to say of an error that nbclient and jupyter_client raise where a kernel is gone.

    Raises:
        RuntimeError: it is another error.
    """
    if "died" not in str(error):
        raise error
    return (
        f"{path.name} was not finished: its kernel died, most likely because the memory of this "
        "machine was full; close other programs and notebooks, or choose smaller models, and try "
        "again."
    )


def _unformatted(path: Path) -> str:
    """A path in which papermill finds no {parameter} to replace."""
    return str(path).replace("{", "{{").replace("}", "}}")


def as_table(spent: dict[str, Spent]) -> str:
    """Seconds and peak memory of each lesson, as lines; below, the sum and the largest."""
    total = Spent(sum(s.seconds for s in spent.values()), max(s.memory for s in spent.values()))
    lines = [
        (name, f"{s.seconds:.1f} s", f"{s.memory / 1e6:.0f} MB")
        for name, s in {**spent, "total": total}.items()
    ]
    return text_table(lines, left=(0,))


def too_large(spent: dict[str, Spent]) -> list[str]:
    """A warning for each lesson that held more than `MOST_MEMORY`."""
    return [
        f"warning: {name} held {s.memory / 1e9:.2f} GB at once; "
        f"on the trained pair a lesson should do with {MOST_MEMORY / 1e9:.1f} GB"
        for name, s in spent.items()
        if s.memory > MOST_MEMORY
    ]


def _parser() -> argparse.ArgumentParser:
    parser = Parser("course", __doc__)
    parser.add_argument("lessons", nargs="*", help="names or their beginnings, 03 13; default all")
    parser.add_argument("-p", "--parameter", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--out", type=Path, default=OUTPUT, metavar="DIR")
    return parser


def _parameter(text: str) -> tuple[str, object]:
    """ "gamma=3" -> ("gamma", 3); what is no Python literal is text."""
    name, sign, value = text.partition("=")
    if not sign:
        raise ValueError(f"{text!r} is not of the form NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
    except (TypeError, MemoryError, RecursionError):
        raise ValueError(f"what you set {name} to is neither a number nor a text") from None
