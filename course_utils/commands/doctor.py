"""What this machine has and whether the course will run on it.

Paste the output into a bug report.  With --report the trained pair also decodes on the device
that models get here, a GPU if there is one.
"""

import json

from course_utils.commands.program import Parser


def main(arguments: list[str]) -> int:
    """0 if every check is OK, else 1."""
    parser = Parser("doctor", __doc__, work="course_utils.commands.machine")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    parser.add_argument(
        "--report",
        action="store_true",
        help="decode on the device at hand, too, and print a block for an issue on the tracker",
    )
    options = parser.parse_args(arguments)
    from course_utils.commands.machine import as_text, device_checks, examine

    report = examine(device_checks() if options.report else {})
    if options.json:
        print(json.dumps(report, ensure_ascii=False, allow_nan=False))
    elif options.report:
        print(f"```text\npython -m course_utils doctor --report\n{as_text(report)}\n```")
    else:
        print(as_text(report))
    return 0 if all(check["ok"] for check in report["checks"]) else 1
