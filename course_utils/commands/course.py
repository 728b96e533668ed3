"""Run the lessons in order, or some of them with other parameters, into build/course.

Prints each lesson's time and peak memory.  The notebooks themselves are not
changed.  Stops at the first failure and shows the cell.
"""

import ast
import logging
import sys
import warnings
from pathlib import Path
from typing import Any

import zmq
from tqdm.std import tqdm
from traitlets.config import Config

from course_utils.classroom.notebooks import NOTEBOOKS, check_parameters, lesson_paths
from course_utils.classroom.table import text_table
from course_utils.commands.program import Parser
from course_utils.decoding.clock import now
from course_utils.files import whole
from course_utils.measuring.peak_memory import PeakMemory

OUTPUT = NOTEBOOKS.parent / "build" / "course"
KERNEL: dict[str, Any] = {
    # a kernel that has finished, or must stop, is not asked to: it would complain
    "shutdown_kernel": "immediate",
    "coalesce_streams": True,  # text printed in pieces is stored as one
    # else ipykernel 7.4 warns, among the progress bars, that the port is open to all
    "config": Config(
        {"KernelManager": {"transport_encryption": "auto" if zmq.has("curve") else "disabled"}}
    ),
}
MAX_MEMORY = 1.5e9  # bytes per lesson on the trained pair; the class's rehearsal checks it


def main(arguments: list[str]) -> int:
    """Return 0 if every lesson ran, 1 if one failed."""
    parser = Parser("course", __doc__)
    parser.add_argument("lessons", nargs="*", help="names or their beginnings, 03 13; default all")
    parser.add_argument("-p", "--parameter", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args(arguments)
    parameters = dict(_parameter(text) for text in options.parameter)
    paths = lesson_paths(options.lessons)
    for path in paths:
        check_parameters(path, parameters)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    seconds, memory = {}, {}
    for path in (bar := tqdm(paths, unit="lesson")):
        bar.set_description(path.stem)
        start = now()
        with PeakMemory("ipykernel") as peak:
            failure = run(path, OUTPUT / path.name, parameters)
        seconds[path.stem], memory[path.stem] = now() - start, peak.bytes
        if failure:
            bar.close()
            print(failure, file=sys.stderr)
            return 1
    seconds["total"], memory["total"] = sum(seconds.values()), max(memory.values())
    lines = [(name, f"{seconds[name]:.1f} s", f"{memory[name] / 1e6:.0f} MB") for name in seconds]
    print(text_table(lines, left=(0,)))
    return 0


def run(path: Path, output: Path, parameters: dict[str, object]) -> str | None:
    """Execute one lesson; return None, or a description of the failure.

    `output` is written even if a cell fails.
    """
    from papermill.exceptions import PapermillExecutionError
    from papermill.execute import execute_notebook

    logging.getLogger("papermill").setLevel(logging.ERROR)
    with whole(output) as new:
        try:
            with warnings.catch_warnings(action="ignore"):
                execute_notebook(  # type: ignore[no-untyped-call]
                    path, new, parameters, cwd=path.parent, kernel_name="python3",
                    language="python", progress_bar=False, **KERNEL,
                )  # fmt: skip
        except PapermillExecutionError as error:
            failure = (
                f"{path.name} failed in its code cell [{error.exec_count}]:\n\n{error.source}\n\n"
                f"{error.ename}: {error.evalue}"
            )
        except RuntimeError as error:
            failure = kernel_died(path, error)
        else:
            return None
    return f"{failure}\n\nThe run so far is in {output}"


def kernel_died(path: Path, error: RuntimeError) -> str:
    """Return the message for an error that nbclient or jupyter_client raises when a kernel dies.

    Raises:
        RuntimeError: it is another error.
    """
    if "died" not in str(error):
        raise error
    return (
        f"{path.name} did not finish: its kernel died, most likely because this machine ran out of "
        "memory. Close other programs and notebooks, or choose smaller models, and try again."
    )


def _parameter(text: str) -> tuple[str, object]:
    """ "gamma=3" -> ("gamma", 3); a value that is not a Python literal is text."""
    name, sign, value = text.partition("=")
    if not sign:
        raise ValueError(f"{text!r} is not of the form NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return name, value
