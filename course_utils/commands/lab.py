"""Update your copies of the lessons and open them in JupyterLab.

All other options go to JupyterLab: --no-browser --port 8899
"""

import os
import sys
from pathlib import Path

from course_utils.classroom.notebooks import MY_LESSONS, NOTEBOOKS
from course_utils.commands import workbooks
from course_utils.commands.program import Parser

START = "00_start_here.ipynb"
NO_UPDATES = "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
OFFLINE = "--LabApp.news_url=None", NO_UPDATES


def main(arguments: list[str]) -> int:
    """Replace this process by JupyterLab's server; Ctrl-C stops it."""
    parser = Parser("lab", __doc__)
    parser.add_argument(
        "--folder", type=Path, default=MY_LESSONS, metavar="DIR", help="notebooks: the originals"
    )
    options, others = parser.parse_known_args(arguments)
    folder = options.folder.resolve()
    if folder != NOTEBOOKS:
        workbooks.main(["--folder", str(options.folder)])
    # Jupyter refuses to start as root, the usual user in a container.
    as_root = ["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    page = f"--LabApp.default_url=/lab/tree/{folder.name}/{START}"
    root = f"--ServerApp.root_dir={folder.parent}"  # files next to the folder can be opened, too
    sys.stdout.flush()
    settings = [root, page, *OFFLINE, *as_root, *others]
    os.execv(sys.executable, [sys.executable, "-m", "jupyter", "lab", *settings])
