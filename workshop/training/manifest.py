"""Folders with a manifest of their settings and a hash of every file, so that folders with other
settings or damage are recognised."""

import json
import shutil
import sys
from collections.abc import Callable
from glob import escape
from hashlib import sha256
from pathlib import Path

from course_utils.files import free_name, remove_unfinished, whole

MANIFEST = "made_with.json"
NEARLY_FULL = 2**20  # with fewer bytes left, a failed write means a full disk

Settings = dict[str, int | float | str]


def make(folder: Path, settings: Settings, fill: Callable[[Path], None]) -> None:
    """Let `fill` write the files of a new folder, which appears complete.

    Raises:
        OSError: the folder exists already and is left unchanged, or the disk is full.
    """
    remove_unfinished(folder.parent, escape(folder.name))
    with whole(folder) as new:
        new.mkdir(parents=True)
        try:
            fill(new)
        except Exception as error:  # each library raises its own, none with the cause
            if shutil.disk_usage(new).free < NEARLY_FULL:
                raise OSError(f"{folder} cannot be written: the disk is full") from error
            raise
        files = sorted(path.relative_to(new) for path in new.rglob("*") if path.is_file())
        manifest = {"settings": settings, "files": {f.as_posix(): digest(new / f) for f in files}}
        (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")


def is_made(folder: Path, settings: Settings) -> bool:
    """Return whether the folder is complete; set a damaged one aside, with a message.

    Raises:
        ValueError: it was made with other settings.
    """
    if not folder.exists():
        return False
    refuse_others(folder, settings)
    damage = damaged(folder)
    if damage:
        aside = folder.rename(folder.with_name(free_name(folder)))
        print(f"{folder}: {damage} is damaged; set aside as {aside.name}", file=sys.stderr)
    return not damage


def refuse_others(folder: Path, settings: Settings, whole: Path | None = None) -> None:
    """Check that the folder was made with these settings.

    Args:
        whole: the folder to name in the error, if this one is a part of it.

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
            "Use the same settings or another --out, or remove that folder first"
        )


def damaged(folder: Path) -> str | None:
    """Return the first file that does not match the manifest, or None."""
    manifest = _manifest(folder)
    if manifest is None:
        return MANIFEST
    return next((f for f, known in manifest["files"].items() if digest(folder / f) != known), None)


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a file; None if it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _manifest(folder: Path) -> dict[str, dict] | None:
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        return {name: dict(manifest[name]) for name in ("settings", "files")}
    except (OSError, ValueError, TypeError, KeyError):
        return None
