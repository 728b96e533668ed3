"""Folders with a manifest of their settings and a hash of every file, so that folders with other
settings or damage are recognised."""

import json
from collections.abc import Callable
from glob import escape
from hashlib import sha256
from pathlib import Path

from course_utils.files import remove_unfinished, whole

MANIFEST = "made_with.json"

Settings = dict[str, int | float | str]


def make(folder: Path, settings: Settings, fill: Callable[[Path], None]) -> None:
    """Let `fill` write the files of a new folder, which appears complete.

    Raises:
        OSError: the folder exists already and is left unchanged.
    """
    remove_unfinished(folder.parent, escape(folder.name))
    with whole(folder) as new:
        new.mkdir(parents=True)
        fill(new)
        files = sorted(path.relative_to(new) for path in new.rglob("*") if path.is_file())
        manifest = {"settings": settings, "files": {f.as_posix(): digest(new / f) for f in files}}
        (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")


def is_made(folder: Path, settings: Settings) -> bool:
    """Return whether the folder exists.

    Raises:
        ValueError: it is damaged, or was made with other settings.
    """
    if not folder.exists():
        return False
    check_settings(folder, settings)
    if damage := damaged(folder):
        raise ValueError(f"{damage} in {folder} is damaged: remove that folder to make it again")
    return True


def check_settings(folder: Path, settings: Settings) -> None:
    """Check that the folder was made with these settings; raise as `check_same`."""
    check_same((_manifest(folder) or {}).get("settings", settings), settings, folder)


def check_same(made: Settings, settings: Settings, path: Path) -> None:
    """Check that `path` was made with these settings.

    Raises:
        ValueError: they differ.
    """
    differ = [
        f"{name} is {made.get(name)} there and {value} here"
        for name, value in settings.items()
        if made.get(name) != value
    ]
    if differ:
        raise ValueError(
            f"{path} was made with other settings: {'; '.join(differ)}. "
            "Use the same settings or another --out, or remove it first"
        )


def damaged(folder: Path) -> str | None:
    """Return the first file that does not match the manifest, or None."""
    manifest = _manifest(folder)
    if manifest is None:
        return MANIFEST
    return next((f for f, known in manifest["files"].items() if digest(folder / f) != known), None)


def needed(path: Path, to_do: str) -> str:
    """Return the SHA-256 of a file that another depends on.

    Raises:
        FileNotFoundError: it is not there; what to do.
    """
    current = digest(path)
    if current is None:
        raise FileNotFoundError(f"there is no {path}: {to_do}")
    return current


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
