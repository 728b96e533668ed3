"""The site, built once for all tests and reused while nothing changes."""

import hashlib
from functools import cache
from pathlib import Path

from filelock import FileLock

from workshop.site.build import ROOT, build

BUILD = ROOT / "build"
OUT, MADE_OF = BUILD / "tested-site", BUILD / "tested-site.txt"
READ = ("course_utils/**/*", "site/**/*", "notebooks/**/*", "data/bench/*", "*.md", "data/*.md")


def built_site() -> Path:
    """Return the folder of the site.

    Raises:
        RuntimeError: it cannot be built; every test that asks hears so, and tries no more.
    """
    if fault := _fault():
        raise RuntimeError(fault)
    return OUT


@cache
def _fault() -> str:
    BUILD.mkdir(exist_ok=True)
    files = {path for pattern in READ for path in ROOT.glob(pattern) if path.is_file()}
    read = sorted(path for path in files if "__pycache__" not in path.parts)
    state = "".join(f"{p} {hashlib.sha256(p.read_bytes()).hexdigest()}\n" for p in read)
    with FileLock(BUILD / "tested-site.lock"):
        if not MADE_OF.exists() or MADE_OF.read_text() != state:
            MADE_OF.unlink(missing_ok=True)
            try:
                build(OUT)
            except RuntimeError as error:
                return str(error)
            MADE_OF.write_text(state)
    return ""
