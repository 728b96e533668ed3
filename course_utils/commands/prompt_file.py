"""A file of prompts, and the file of their results: a JSON line each, in which a run goes on."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from course_utils.commands.choices import check_prompt

SETTINGS = "settings"  # of the run: a line of results is only gone on from with the same


@dataclass(frozen=True)
class Asked:
    """A line of the file, counted from 1: a prompt, or what is wrong with it."""

    line: int
    prompt: str = ""
    error: str | None = None

    @property
    def digest(self) -> str:
        """Stands for the prompt in its result."""
        return sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_prompts(path: str | Path) -> list[Asked]:
    """Each line that is not blank: a JSON string, or an object with the key "prompt".

    Raises:
        OSError: the file cannot be read.
        ValueError: no line of it holds anything.
    """
    lines = Path(path).read_bytes().split(b"\n")
    found = [_read(at, line) for at, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise ValueError(f'{path} is empty: write a prompt a line, as "def add(" in JSON')
    return found


def _read(number: int, line: bytes) -> Asked:
    try:
        value = json.loads(line)
    except ValueError as error:  # also of bytes that are no UTF-8
        return Asked(number, error=f"this is no JSON: {error}")
    prompt = value.get("prompt") if isinstance(value, dict) else value
    if not isinstance(prompt, str):
        return Asked(number, error='give a JSON string, or an object with the key "prompt"')
    try:
        check_prompt(prompt)
    except ValueError as error:
        return Asked(number, error=str(error))
    return Asked(number, prompt)


class Results:
    """The results so far, to which more are added: each line is whole or not there.

    Args:
        settings: all that a result depends on but its prompt.

    Raises:
        ValueError: the file holds something else, or results of other settings.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: str | Path, settings: Mapping[str, Any]):
        self._settings = sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]
        self._file: BinaryIO = Path(path).open("a+b", buffering=0)  # noqa: SIM115
        self._file.seek(0)
        held = self._file.read()
        whole = held.rfind(b"\n") + 1
        self.done = dict(self._known(path, held[:whole]))  # line -> digest of its prompt
        if whole < len(held):
            os.ftruncate(self._file.fileno(), whole)  # a line that an interruption cut

    def _known(self, path: str | Path, held: bytes) -> Iterator[tuple[int, str]]:
        for at, line in enumerate(held.splitlines(), start=1):
            try:
                entry = json.loads(line)
                place, digest, settings = entry["line"], entry["digest"], entry[SETTINGS]
            except (ValueError, KeyError, TypeError):
                raise ValueError(
                    f"line {at} of {path} is no result of this command: name another --out"
                ) from None
            if settings != self._settings:
                raise ValueError(
                    f"{path} holds results of other settings (line {at}): give the same options, "
                    "or name another --out"
                )
            yield place, digest

    def missing(self, asked: list[Asked]) -> list[Asked]:
        """Those that have no result yet.

        Raises:
            ValueError: a line was another prompt when its result was made.
        """
        changed = [a for a in asked if self.done.get(a.line, a.digest) != a.digest]
        if changed:
            raise ValueError(
                f"line {changed[0].line} was another prompt when its result was written: "
                "name another --out, or restore the prompts"
            )
        return [a for a in asked if a.line not in self.done]

    def add(self, asked: Asked, result: Mapping[str, Any]) -> None:
        """Write a result; an interruption leaves it whole or cuts the last line."""
        entry = {"line": asked.line, **result, "digest": asked.digest, SETTINGS: self._settings}
        self._file.write(json.dumps(entry, allow_nan=False).encode() + b"\n")
