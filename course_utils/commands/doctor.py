"""Check whether this machine can run the course; paste the output into a bug report.

The trained pair decodes on the default device, a GPU if there is one.
"""

from course_utils.commands.program import Parser


def main(arguments: list[str]) -> int:
    """Return 0 if every check is OK, else 1."""
    Parser("doctor", __doc__, work="course_utils.commands.machine").parse_args(arguments)
    from course_utils.commands.machine import description, examine

    print(description())
    results = examine()
    for name, ok, detail in results:
        print(f"{'OK  ' if ok else 'FAIL'} {name}: {detail}")
    return 0 if all(ok for _, ok, _ in results) else 1
