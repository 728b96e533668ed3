"""What this machine has and whether the course will run on it; paste the output into a bug report.

The trained pair decodes on the device that models get here, a GPU if there is one.
"""

from course_utils.commands.program import Parser


def main(arguments: list[str]) -> int:
    """0 if every check is OK, else 1."""
    Parser("doctor", __doc__, work="course_utils.commands.machine").parse_args(arguments)
    from course_utils.commands.machine import as_text, examine

    report = examine()
    print(as_text(report))
    return 0 if all(check["ok"] for check in report["checks"]) else 1
