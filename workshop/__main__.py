"""python -m workshop [--debug] COMMAND [...]: the authors' tools."""

import sys

from course_utils.commands.program import Program

COMMANDS = {
    "lint": "check the form of every notebook; --fix repairs what it can",
    "notebooks": "execute the notebooks again and store their outputs",
    "site": "build the static site: the stored lessons with live scenes",
    "train": "train the pair on the standard library's sources",
    "bench": "compare the pair's speed with other engines, and show where the time goes",
    "rehearse": "rehearse a class on a hub of this machine",
}
PROGRAM = Program("workshop", __doc__, COMMANDS)
main = PROGRAM.main

if __name__ == "__main__":
    sys.exit(PROGRAM.start())
