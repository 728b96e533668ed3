"""Show the talk on a projector, one scene per screen, without any code.

The page is notebooks/present.ipynb, run by Voila; it makes no outside requests.  All other options
go to Voila: --theme dark --port 8899 --no-browser.  --static writes the talk as one file with all
scenes, which opens without Python from a disk or a web server; only the live decoder needs Python.
"""

import os
import sys
from pathlib import Path

from course_utils.commands.program import Parser

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "notebooks" / "present.ipynb"
TEMPLATES = ROOT / "share" / "jupyter"
# A kernel takes half a gigabyte.  A closed page cannot end its kernel: its last request has no
# _xsrf.  A kernel whose page is open is never culled.
CULLING = {
    "cull_interval": 10,  # seconds between two checks
    "cull_idle_timeout": 30,  # seconds; a browser needs a few to connect to a new kernel
    "cull_connected": False,
    "cull_busy": False,
}


def main(arguments: list[str]) -> int:
    """Replace this process with Voila's server (Ctrl-C stops it), or write a file and return 0."""
    parser = Parser("present", __doc__)
    parser.add_argument("--static", type=Path, metavar="FILE", help="write one file and exit")
    parser.add_argument("--address", metavar="URL", help="of the course, shown on the last slide")
    options, others = parser.parse_known_args(arguments)
    if options.static:
        return write_static(options.static, options.address)
    if not PAGE.exists():
        raise FileNotFoundError(f"{PAGE} is missing: run this from a clone of the course")
    paths = filter(None, (str(TEMPLATES), os.environ.get("JUPYTER_PATH")))
    os.environ["JUPYTER_PATH"] = os.pathsep.join(paths)
    if options.address:
        os.environ["COURSE_ADDRESS"] = options.address  # the deck's kernel reads it
    culling = [f"--MappingKernelManager.{name}={value}" for name, value in CULLING.items()]
    sys.stdout.flush()
    voila = [sys.executable, "-m", "voila", str(PAGE), "--template=course"]
    os.execv(sys.executable, [*voila, *culling, *others])


def write_static(file: Path, address: str | None = None) -> int:
    """Write the talk as one self-contained file."""
    from course_utils.classroom.scene import scene_page
    from course_utils.commands.talk import deck_states, loaded_pair
    from course_utils.files import write_whole

    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, scene_page([deck_states(loaded_pair(), address)]))
    print(f"{file}: {file.stat().st_size / 1e6:.2f} MB")
    return 0
