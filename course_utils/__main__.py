"""python -m course_utils [--debug] COMMAND [...]: runs one command and imports no other."""

import sys

from course_utils.commands import program

COMMANDS = {
    "lab": "open your copies of the lessons in JupyterLab",
    "doctor": "what this machine has and whether the course will run on it",
    "fetch": "bring SmolLM2, a small model that writes English, onto this machine",
    "generate": "continue a prompt, speculatively or not",
    "audit": "replay a recorded run: does every decision follow from p, q and the uniforms?",
    "certify": "check that a pair decodes without loss, or show where it does not",
    "course": "run the notebooks in order, or one of them with other parameters",
    "present": "show the talk, one scene a screen, for a projector",
    "workbooks": "copy the lessons to my_lessons/, and bring them up to date",
    "check-server": "is a server's text the model's? asked from outside",
    "progress": "which exercises and questions are passed, tried, open",
}
PROGRAM = program.Program("course_utils", f"{__doc__}\n\n{program.EXIT_STATUSES}", COMMANDS)


def main(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    return program.main(PROGRAM, arguments)


if __name__ == "__main__":
    sys.exit(program.start(PROGRAM))
