"""A trace read back: the rounds that `trace` wrote, each line checked by itself."""

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.trace import Setting, unpacked

LIBRARIES = ("numpy", "torch")
SHOWN = ("p", "q", "kinds")


@dataclass(frozen=True)
class Recorded:
    """One line, read back; rows are NumPy's, whatever they were in the run."""

    round: Round
    setting: Setting
    library: str  # that held the rows in the run: of LIBRARIES
    shown: dict[str, tuple]  # of SHOWN: what can also be told from the round


def read_trace(path: str | Path) -> tuple[list[Round], Setting]:
    """The rounds of a whole trace and the setting of the first.

    Raises:
        OSError: no such file.
        ValueError: the file is empty, cut or not a trace; the line is named.
    """
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    if not lines:
        raise ValueError(f"{path} is empty: no round was recorded")
    recorded = []
    for number, line in enumerate(lines, start=1):
        try:
            recorded.append(read_line(line))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
    return [entry.round for entry in recorded], recorded[0].setting


def read_line(line: str) -> Recorded:
    """One line; every field is there, is what it should be, and fits the others in shape.

    Raises:
        ValueError: what is wrong with it.
    """
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON from character {error.pos + 1} on; was it cut?") from None
    if not isinstance(found, dict):
        raise ValueError("not a JSON object; is this a trace?")
    value = {name: _read(found, name, reader) for name, reader in READERS.items()}
    r = Round(
        value["round"], value["context"], value["drafted"], value["p_rows"], value["q_rows"],
        value["uniforms"], Verdict(value["accepted"], value["token"], value["path"]),
        value["emitted"], value["cache_before"], value["cache_after"], value["seconds"],
        value["stop_reason"], value["parents"],
    )  # fmt: skip
    _check_shapes(r)
    setting = Setting(**{field.name: value[field.name] for field in fields(Setting)})
    return Recorded(r, setting, value["library"], {name: value[name] for name in SHOWN})


def _read(found: dict[str, Any], name: str, reader: Callable[[Any], Any]) -> Any:
    if name not in found:
        raise ValueError(f"the field {name!r} is missing")
    try:
        return reader(found[name])
    except (ValueError, TypeError, KeyError, zlib.error) as error:
        detail = f"{error} is missing in it" if isinstance(error, KeyError) else error
        raise ValueError(f"the field {name!r} cannot be read: {detail}") from None


def _is(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{value!r:.40} is not of type {kind.__name__}")
        return value

    return read


def _each(reader: Callable[[Any], Any]) -> Callable[[Any], tuple]:
    return lambda values: tuple(reader(value) for value in _is(list)(values))


def _or_none(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else reader(value)


def _parts_of(kind: type) -> Callable[[Any], Any]:
    return lambda value: kind(**{field.name: value[field.name] for field in fields(kind)})


def _library(name: Any) -> str:
    if name not in LIBRARIES:
        raise ValueError(f"{name!r} is none of {', '.join(LIBRARIES)}")
    return name


READERS = {
    "round": _is(int),
    "context": _is(int),
    "drafted": _each(_is(int)),
    "p": _each(_is(float)),
    "q": _each(_is(float)),
    "kinds": _each(_is(str)),
    "uniforms": _each(_is(float)),
    "accepted": _is(int),
    "token": _is(int),
    "path": _or_none(_each(_is(int))),
    "emitted": _each(_is(int)),
    "cache_before": _is(int),
    "cache_after": _is(int),
    "seconds": _parts_of(Seconds),
    "stop_reason": _or_none(_is(str)),
    "parents": _or_none(_each(_is(int))),
    "seed": _is(int),
    "rule": _is(str),
    "sampling": _parts_of(Sampling),
    "drafter": _is(str),
    "gamma": _is(int),
    "prompt_tokens": _is(int),
    "max_new_tokens": _is(int),
    "stop_tokens": _each(_is(int)),
    "target_context": _is(int),
    "library": _library,
    "p_rows": unpacked,
    "q_rows": _or_none(unpacked),
}


def _check_shapes(r: Round) -> None:
    """Do the parts of a round fit one another, so that it can be replayed?"""
    n = len(r.drafted)
    vocabulary = r.p.shape[-1] if r.p.ndim else 0
    fits = {
        "p_rows": r.p.shape == (n + 1, vocabulary) and vocabulary > 0,
        "q_rows": r.q is None or r.q.shape == (n, vocabulary),
        "uniforms": len(r.uniforms) == n + 1,
        "drafted": all(0 <= x < vocabulary for x in r.drafted),
        "accepted": 0 <= r.verdict.accepted <= n,
        "path": r.verdict.path is None
        or (
            len(r.verdict.path) == r.verdict.accepted
            and all(0 <= place < n for place in r.verdict.path)
        ),
        "parents": r.parents is None
        or (len(r.parents) == n and all(-1 <= at < i for i, at in enumerate(r.parents))),
    }
    for name, well in fits.items():
        if not well:
            raise ValueError(f"the field {name!r} does not fit {n} drafted tokens of {vocabulary}")
