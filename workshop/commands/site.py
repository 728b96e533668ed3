"""Build the static site: every lesson as it is stored, its scenes alive, the reference.

Nothing is executed but the talk's rounds, and nothing is fetched.  It opens from a disk and
from any web server.  Exit status: 0, it is built; 1, a link of it leads nowhere.
"""

from pathlib import Path

from course_utils.commands import present
from course_utils.commands.program import Parser

OUT = present.ROOT / "build" / "site"
TALK = "talk.html"


def main(arguments: list[str]) -> int:
    """Collect, build, check."""
    parser = Parser("site", __doc__, "workshop")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    parser.add_argument(
        "--repository", metavar="URL", help="of the course, for the buttons to copy"
    )
    parser.add_argument(
        "--address",
        metavar="URL",
        help="where the site will lie: for its picture where a link to it is shared (without the"
        " address there is none), for the page of what is not found (else it takes the server's"
        " root), and for the talk's last slide",
    )
    options = parser.parse_args(arguments)
    from course_utils.measuring.recorded import recorded_bench
    from workshop.site import build as site
    from workshop.site import check as site_check

    out = options.out.resolve()
    site.build(out, recorded_bench(), options.repository, options.address, TALK)
    present.written(out / TALK, address=options.address)  # one file, every scene a slide
    found = list(site_check.problems(out))
    print("\n".join(found) or f"{out}: open index.html, or put the folder on a web server")
    return 1 if found else 0
