"""Run the lessons in order, or some of them with other parameters, into build/course.

The notebooks themselves are not touched.  Stops at the first failure and shows
the cell.
"""

import argparse
import ast
import logging
import sys
import warnings
from pathlib import Path
from time import perf_counter

import papermill
from papermill.exceptions import PapermillExecutionError
from tqdm.auto import tqdm

from course_utils.classroom.lessons import NOTEBOOKS, check_parameters, lesson_paths

OUTPUT = NOTEBOOKS.parent / "build" / "course"


def main(arguments: list[str]) -> int:
    """0 if every lesson ran, 1 if one failed."""
    options = _parser().parse_args(arguments)
    given = dict(_parameter(text) for text in options.parameter)
    paths = lesson_paths(options.lessons)
    for path in paths:
        check_parameters(path, given)
    options.out.mkdir(parents=True, exist_ok=True)
    seconds: dict[str, float] = {}
    bar = tqdm(paths, unit="lesson")
    for path in bar:
        bar.set_description(path.stem)
        start = perf_counter()
        failure = run(path, options.out / path.name, given)
        seconds[path.stem] = perf_counter() - start
        if failure:
            bar.close()
            print(failure, file=sys.stderr)
            return 1
    print(as_table(seconds))
    return 0


def run(path: Path, output: Path, given: dict[str, object]) -> str | None:
    """Execute one lesson; None, or what went wrong with the cell that failed."""
    logging.getLogger("papermill").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(action="ignore"):
            papermill.execute_notebook(
                path,
                output,
                given,
                cwd=path.parent,
                kernel_name="python3",
                language="python",
                progress_bar=False,
            )
    except PapermillExecutionError as error:
        return (
            f"{path.name} failed in its code cell [{error.exec_count}]:\n\n{error.source}\n\n"
            f"{error.ename}: {error.evalue}\n\nThe run so far is in {output}"
        )
    return None


def as_table(seconds: dict[str, float]) -> str:
    """The seconds of each lesson and their sum, as lines."""
    width = max(map(len, [*seconds, "total"]))
    lines = [f"{name:<{width}}  {value:6.1f} s" for name, value in seconds.items()]
    return "\n".join([*lines, f"{'total':<{width}}  {sum(seconds.values()):6.1f} s"])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m course_utils course", description=__doc__)
    parser.add_argument("lessons", nargs="*", help="names or their beginnings, 03 11; default all")
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
