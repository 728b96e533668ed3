"""Tables of facts: files of TOML in data/engines, read as records."""

import tomllib
from functools import cache
from typing import TypeVar

from pydantic import ConfigDict, TypeAdapter

from course_utils.models.names import DATA

Record = TypeVar("Record")
STRICT = ConfigDict(extra="forbid")  # of a pydantic dataclass: a field misspelt is an error


@cache
def table(name: str) -> dict[str, object]:
    """The file data/engines/NAME.toml, as it is."""
    return tomllib.loads((DATA / "engines" / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def facts(name: str, kind: type[Record]) -> tuple[Record, ...]:
    """Its sections that are named as `kind` is, as dataclasses of that kind."""
    return TypeAdapter(tuple[kind, ...]).validate_python(table(name)[kind.__name__.lower()])
