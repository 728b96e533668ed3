"""Check the form of every notebook; list each problem and what to do about it.

Exit status: 0, no problems; 1, some problems; 2, a file cannot be read.
"""

from course_utils.classroom.notebooks import lesson_paths, read_lesson, write_lesson
from course_utils.commands.program import Parser


def main(arguments: list[str]) -> int:
    parser = Parser("lint", __doc__, "workshop")
    parser.add_argument("lessons", nargs="*", help="names or their beginnings, 03 13; default all")
    parser.add_argument("--fix", action="store_true", help="repair what it can, then check")
    options = parser.parse_args(arguments)
    from workshop.notebooks.lint import problems
    from workshop.notebooks.repairs import repaired

    chosen = lesson_paths(options.lessons)
    for path in chosen if options.fix else []:
        notebook = read_lesson(path)
        if (better := repaired(notebook, path)) != notebook:
            write_lesson(path, better)
            print(f"{path.stem}: repaired")
    notebooks = {path: read_lesson(path) for path in lesson_paths()}
    report = {
        path: problems(notebooks[path], path, [n for p, n in notebooks.items() if p != path])
        for path in chosen
    }
    for path in (path for path in chosen if report[path]):
        print("\n".join([f"{path.stem}:", *(f"  {problem}" for problem in report[path])]))
    print(f"{len(chosen)} lessons, {sum(map(len, report.values()))} problems")
    return 1 if any(report.values()) else 0
