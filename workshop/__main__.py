"""python -m workshop [--debug] COMMAND [...]: what only the course's authors run."""

import sys

from course_utils.commands import program

COMMANDS = {
    "lint": "is every notebook as a lesson should be? --fix repairs what can be",
    "notebooks": "execute the notebooks again and store their outputs",
    "site": "build the static site: the lessons as they are stored, their scenes alive",
    "train": "make the trained pair from the standard library's sources",
    "bench": "measure the pair against other engines; where the time goes",
    "rehearse": "a class on a hub of this machine",
}
PROGRAM = program.Program("workshop", f"{__doc__}\n\n{program.EXIT_STATUSES}", COMMANDS)


def main(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    return program.main(PROGRAM, arguments)


if __name__ == "__main__":
    sys.exit(program.start(PROGRAM))
