"""python -m course_utils [--debug] COMMAND [...]: run one command and import no other."""

import sys

from course_utils.commands.program import Program

COMMANDS = {
    "lab": "open your copies of the lessons in JupyterLab",
    "doctor": "check whether this machine can run the course",
    "fetch": "download SmolLM2, a small model that writes English",
    "generate": "continue a prompt, with or without speculative decoding",
    "audit": "replay a recorded run: does every decision follow from p, q and the uniforms?",
    "certify": "check that a pair decodes losslessly, or show where it does not",
    "course": "run the notebooks in order, or one of them with other parameters",
    "present": "show the talk on a projector, one scene per screen",
    "workbooks": "copy the lessons to my_lessons/, or update those copies",
    "check-server": "test over its API whether a server's text has the model's distribution",
    "progress": "list the exercises and questions that are passed, tried or open",
}
PROGRAM = Program("course_utils", __doc__, COMMANDS)
main = PROGRAM.main

if __name__ == "__main__":
    sys.exit(PROGRAM.start())
