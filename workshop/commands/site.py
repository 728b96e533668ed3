"""Build the static site: every lesson as it is stored, its scenes alive, texts and programs.

Nothing is executed but the talk's rounds, and nothing is fetched.  It opens from a disk and
from any web server.  A link that leads nowhere is an error.
"""

from pathlib import Path

from course_utils.commands import present
from course_utils.commands.program import Parser

OUT = present.ROOT / "build" / "site"
TALK = "talk.html"


def main(arguments: list[str]) -> int:
    parser = Parser("site", __doc__, "workshop")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument(
        "--address", metavar="URL", help="where the site will lie: canonical links, the talk's end"
    )
    options = parser.parse_args(arguments)
    from workshop.site.build import build

    out = options.out.resolve()
    build(out, options.address, TALK)
    present.write_static(out / TALK, address=options.address)  # one file, every scene a slide
    print(f"{out}: open index.html, or put the folder on a web server")
    return 0
