"""Execute the lessons again and store their outputs, for a commit.

A lesson is written back only after all its cells ran, without details that differ
between machines: widget state, kernel details, the time of each cell.  Its metadata
record the time of the whole run.  Every scene gets a picture, for GitHub and paper.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm.auto import tqdm

from course_utils.classroom.notebooks import lesson_paths, read_lesson, write_lesson
from course_utils.commands.course import run
from course_utils.commands.present import PAGE
from course_utils.commands.program import Parser
from course_utils.decoding.clock import now


def main(arguments: list[str]) -> int:
    """Return 0 if every lesson ran, 1 if one failed; that one is left unchanged."""
    parser = Parser("notebooks", __doc__, "workshop")
    parser.add_argument(
        "lessons", nargs="*", help="names or their beginnings, 03 13; 'present'; default all"
    )
    options = parser.parse_args(arguments)
    from workshop.browser import find_chromium, with_photographs
    from workshop.notebooks.repairs import cleaned

    if find_chromium() is None:
        raise FileNotFoundError(
            "there is no Chromium for the pictures of the scenes: install chromium or "
            "Google Chrome (course 03 runs lessons without storing them)"
        )
    for path in (bar := tqdm(asked_for(options.lessons), unit="lesson")):
        bar.set_description(path.stem)
        start = now()
        with TemporaryDirectory() as folder:
            executed = Path(folder) / path.name
            if failure := run(path, executed, {}):
                bar.close()
                print(f"{failure}\n{path.name} is unchanged.", file=sys.stderr)
                return 1
            notebook = read_lesson(executed)
        seconds = now() - start
        notebook.metadata["course"] = {"seconds_to_run": max(1, round(seconds))}
        write_lesson(path, with_photographs(cleaned(notebook)))
        tqdm.write(f"{path.stem}: {seconds:.1f} s")
    return 0


def asked_for(names: list[str]) -> list[Path]:
    """Return the lessons with these names, and the page to present if named; default: all."""
    page = lesson_paths([])[0].with_name(PAGE.name)  # in the folder of the lessons
    lessons = [name for name in names if name != PAGE.stem]
    paths = lesson_paths(lessons) if lessons or not names else []
    return paths + [page] * (PAGE.stem in names or (not names and page.exists()))
