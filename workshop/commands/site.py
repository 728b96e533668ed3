"""Build the static site: the stored lessons with live scenes, texts and programs.

It executes only the talk's rounds and downloads nothing.  The site opens from a disk and
from any web server.  A broken link is an error.
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
        "--address", metavar="URL", help="the site's address, for canonical links and the talk"
    )
    options = parser.parse_args(arguments)
    from workshop.site.build import build

    out = options.out.resolve()
    build(out, options.address, TALK)
    present.write_static(out / TALK, address=options.address)  # one file, every scene a slide
    print(f"{out}: open index.html, or put the folder on a web server")
    return 0
