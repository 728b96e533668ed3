"""Is every notebook as a lesson should be?  What is not, and what to do about it.

Exit status: 0, all are; 1, something is wrong; 2, a file cannot be read.
"""

from pathlib import Path

from course_utils.classroom.notebooks import lesson_paths, read_lesson, write_lesson
from course_utils.commands.program import Parser


def main(arguments: list[str]) -> int:
    parser = Parser("lint", __doc__, "workshop")
    parser.add_argument("lessons", nargs="*", help="names or their beginnings, 03 13; default all")
    parser.add_argument("--fix", action="store_true", help="repair what can be, then look")
    options = parser.parse_args(arguments)
    from workshop.notebooks.lint import as_table, as_text, problems, summary

    named = lesson_paths(options.lessons)
    if options.fix:
        for path in named:
            fix(path)
    notebooks = {path: read_lesson(path) for path in lesson_paths()}
    found = {
        path: problems(notebooks[path], path, [n for p, n in notebooks.items() if p != path])
        for path in named
    }
    print(as_table([summary(path.stem, notebooks[path], found[path]) for path in named]))
    for path in named:
        if found[path]:
            print(f"\n{as_text(path.stem, found[path])}")
    return 1 if any(found.values()) else 0


def fix(path: Path) -> None:
    """Repair one lesson; a file that needs no repair is not written."""
    from workshop.notebooks.repairs import repaired

    notebook = read_lesson(path)
    better = repaired(notebook, path)
    if better != notebook:
        write_lesson(path, better)
        print(f"{path.stem}: repaired")
