"""What somebody does with each scene, and what must then stand on it; a file a scene.

Each file has `drive(scene, hand)`: it gets the scene's section as it is first seen, uses it
through a `Hand` alone, and asserts on words that name what was done.  It runs in JupyterLab, on
the presenter's page and on static pages alike.
"""

from importlib import import_module
from pathlib import Path

DRIVES = {
    path.stem: import_module(f"{__name__}.{path.stem}").drive
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py"))
}
