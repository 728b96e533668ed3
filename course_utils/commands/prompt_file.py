"""A file of prompts, and the file of their results: a JSON line each, in which a run goes on."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from course_utils.classroom.files import alone, append
from course_utils.commands.choices import check_prompt

SETTINGS = "settings"  # of the run: a line of results is only gone on from with the same
_PATIENCE = 1  # seconds: another run keeps its file for hours


@dataclass(frozen=True)
class Asked:
    """A line of the file, counted from 1: a prompt, or what is wrong with it."""

    line: int
    prompt: str = ""
    error: str | None = None
    id: str | int | None = None  # the line's own, if it has one

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
    except RecursionError:
        return Asked(number, error="this is no JSON of ours: it is nested too deeply")
    except ValueError as error:  # also of bytes that are no UTF-8
        return Asked(number, error=f"this is no JSON: {error}")
    fields = value if isinstance(value, dict) else {"prompt": value}
    prompt, own = fields.get("prompt"), fields.get("id")
    if not isinstance(own, str | int | None):
        return Asked(number, error='give a text or a whole number as "id", or none')
    if not isinstance(prompt, str):
        return Asked(number, error='give a JSON string, or an object with the key "prompt"', id=own)
    try:
        check_prompt(prompt)
    except ValueError as error:
        return Asked(number, error=str(error), id=own)
    return Asked(number, prompt, id=own)


@contextmanager
def results_in(
    path: str | Path, settings: Mapping[str, Any], asked: Sequence[Asked]
) -> Iterator["Results"]:
    """The `Results` in `path`, for this process alone.

    Raises:
        ValueError: the file holds something else, or results of other settings or prompts.
        OSError: another process has it, or it cannot be read or written.
    """
    taken = f"another run writes to {path}: wait for it, or name another --out"
    with (
        alone(Path(path).resolve(), _PATIENCE, taken),
        Path(path).open("a+b", buffering=0) as file,
    ):
        yield Results(file, settings, asked)


class Results:
    """The results so far, to which more are added: each line is whole or not there.

    Args:
        file: open to be read and appended to, without a buffer.
        settings: all that a result depends on but its prompt.

    Raises:
        ValueError: the file holds something else, or results of other settings or prompts.
    """

    def __init__(self, file: BinaryIO, settings: Mapping[str, Any], asked: Sequence[Asked]):
        self._settings = sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]
        self._file = file
        file.seek(0)
        held = file.read()
        whole = held.rfind(b"\n") + 1
        done = self._known(held[:whole])
        if changed := [a for a in asked if done.get(a.line, a.digest) != a.digest]:
            raise ValueError(
                f"line {changed[0].line} was another prompt when its result was written: "
                "name another --out, or restore the prompts"
            )
        self.missing = [a for a in asked if a.line not in done]
        if whole < len(held):
            self._check_cut(held[whole:])
            file.truncate(whole)

    def _known(self, held: bytes) -> dict[int, str]:
        """line -> digest of its prompt"""
        found: dict[int, str] = {}
        for at, line in enumerate(held.splitlines(), start=1):
            try:
                entry = json.loads(line)
                found[entry["line"]], settings = entry["digest"], entry[SETTINGS]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise ValueError(
                    f"line {at} of {self._file.name} is no result of this command: "
                    "name another --out"
                ) from None
            if settings != self._settings:
                raise ValueError(
                    f"{self._file.name} holds results of other settings (line {at}): give the "
                    "same options, or name another --out"
                )
        return found

    def _check_cut(self, rest: bytes) -> None:
        """Do nothing if `rest` is the begin of a missing result, which an interruption cut."""
        begins = [json.dumps(self._begin(a)).encode()[:-1] for a in self.missing]
        if not any(rest[: len(begin)] == begin[: len(rest)] for begin in begins):
            raise ValueError(
                f"the last line of {self._file.name} has no end and is no result of this call: "
                "name another --out"
            )

    def _begin(self, asked: Asked) -> dict[str, Any]:
        """With this each result begins, and nobody else's line does."""
        return {"line": asked.line, "digest": asked.digest, SETTINGS: self._settings}

    def add(self, asked: Asked, result: Mapping[str, Any]) -> None:
        """Write a result.

        Raises:
            OSError: the disk is full; what was written before is there.
        """
        append(
            self._file, json.dumps(self._begin(asked) | result, allow_nan=False).encode() + b"\n"
        )
