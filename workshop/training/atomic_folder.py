"""Folders that are whole or not there, so that a kill at any moment costs no work.

A folder is filled beside its place, given a manifest and renamed.  The manifest says with which
settings it was made and holds a hash of every file: a folder of other settings is never taken
for this one, and a damaged one is recognised.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path

MANIFEST = "made_with.json"
NEARLY_FULL = 2**20  # bytes left on a disk that could not take a file

Settings = dict[str, int | float | str]


def make(folder: Path, settings: Settings, fill: Callable[[Path], None]) -> None:
    """Let `fill` write into a folder, then give it its name.

    Raises:
        OSError: there is such a folder already, and it is left alone; or the disk is full.
    """
    beside = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(beside, ignore_errors=True)  # what a kill left
    beside.mkdir(parents=True)
    try:
        fill(beside)
    except Exception as error:  # each library has its own, and none says why
        if shutil.disk_usage(beside).free < NEARLY_FULL:
            raise OSError(f"{folder} cannot be written: the disk is full") from error
        raise
    files = sorted(path.relative_to(beside) for path in beside.rglob("*") if path.is_file())
    hashes = {file.as_posix(): digest(beside / file) for file in files}
    (beside / MANIFEST).write_text(
        json.dumps({"settings": settings, "files": hashes}, indent=1) + "\n"
    )
    beside.rename(folder)


def is_made(folder: Path, settings: Settings) -> bool:
    """Is the folder there and whole?  A damaged one is set aside, with a message.

    Raises:
        ValueError: it was made with other settings.
    """
    if not folder.exists():
        return False
    refuse_others(folder, settings)
    damage = damaged(folder)
    if damage:
        aside = _set_aside(folder)
        print(f"{folder}: {damage} is damaged; set aside as {aside.name}", file=sys.stderr)
    return not damage


def refuse_others(folder: Path, settings: Settings, whole: Path | None = None) -> None:
    """Compare the settings that are given with those that the folder was made with.

    Args:
        whole: what the folder is a part of, if it makes no sense without the rest.

    Raises:
        ValueError: they differ.
    """
    made = (_manifest(folder) or {}).get("settings", settings)
    differ = [
        f"{name} is {made.get(name)} there and {value} here"
        for name, value in settings.items()
        if made.get(name) != value
    ]
    if differ:
        raise ValueError(
            f"{whole or folder} was made with other settings: {'; '.join(differ)}. "
            "Ask for the same, or for another --out, or remove that folder first"
        )


def damaged(folder: Path) -> str | None:
    """The first file that does not fit the manifest, or None if the folder is whole."""
    manifest = _manifest(folder)
    if manifest is None:
        return MANIFEST
    return next((f for f, known in manifest["files"].items() if digest(folder / f) != known), None)


def digest(path: Path) -> str | None:
    """The SHA-256 of a file; None if it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def write_text(path: Path, text: str) -> None:
    """Write all of a file or nothing."""
    beside = path.with_name(f"{path.name}.partial")
    beside.write_text(text)
    os.replace(beside, path)


def _manifest(folder: Path) -> dict[str, dict] | None:
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        return {name: dict(manifest[name]) for name in ("settings", "files")}
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _set_aside(folder: Path) -> Path:
    names = (folder.with_name(f"{folder.name}.damaged{n}") for n in count(1))
    return folder.rename(next(name for name in names if not name.exists()))
