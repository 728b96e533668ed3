"""python -m course_utils COMMAND [...]: imports that one command and no other."""

import sys
from importlib import import_module

COMMANDS = {
    "lab": "open your copies of the lessons in JupyterLab",
    "doctor": "what this machine has and whether the course will run on it",
    "generate": "continue a prompt, speculatively or not",
    "audit": "replay a recorded run: does every decision follow from p, q and the coins?",
    "train": "make the trained pair from the standard library's sources",
    "bench": "measure the pair against transformers; where the time goes",
    "certify": "check that a pair decodes without loss, or show where it does not",
    "course": "run the notebooks in order, or one of them with other parameters",
    "notebooks": "execute the notebooks again and store their outputs",
    "present": "serve all widgets on one page, for a projector",
    "anatomy": "is every notebook as a lesson should be? --fix repairs what can be",
    "workbooks": "copy the lessons to my_lessons/, and bring them up to date",
    "progress": "which exercises and questions are passed, tried, open",
}


def main(arguments: list[str]) -> int:
    """Run a command; 2 means that something in the call or the files was wrong."""
    if not arguments or arguments[0] not in COMMANDS:
        print("usage: python -m course_utils COMMAND [--help]\n")
        for name, purpose in COMMANDS.items():
            print(f"  {name:<10} {purpose}")
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    command = import_module(f"course_utils.commands.{arguments[0]}")
    try:
        return command.main(arguments[1:])
    except (ValueError, OSError, MemoryError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
