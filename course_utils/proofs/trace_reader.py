"""A trace read back: the rounds that `trace` wrote, each line checked by itself.

A trace may come from anybody.  So nothing in it is taken on trust: every field
has one type and a limit, and what a line unpacks to is measured before it is
unpacked.  Pydantic checks types and limits; nothing is converted and nothing has a
default: True is no whole number, and a number is finite.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError

from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.trace import Setting, unpacked

MOST_CHARACTERS = 2**27  # of a line: 20 drafted tokens of Qwen3's vocabulary take a quarter
MOST_TEXT = 200  # characters of a name

Item = TypeVar("Item")
Each = Annotated[list[Item], AfterValidator(tuple)]  # of JSON's types a list, of a Round's a tuple


class _Fields(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False, str_max_length=MOST_TEXT)


class _Seconds(_Fields):
    draft: float
    verify: float
    host: float


class _Sampling(_Fields):
    temperature: float
    top_k: int
    top_p: float
    min_p: float


class _Packed(_Fields):
    dtype: Literal["float16", "float32", "float64"]
    shape: Annotated[list[NonNegativeInt], Field(min_length=2, max_length=2)]
    data: Annotated[str, Field(max_length=MOST_CHARACTERS)]


Rows = Annotated[_Packed, AfterValidator(lambda rows: unpacked(**dict(rows)))]


class Line(_Fields):
    """A round and the setting of its run; what each field means stands in `Round`, `Setting`."""

    round: int
    context: int
    drafted: Each[int]
    p: Each[float]
    q: Each[float]
    kinds: Each[str]
    uniforms: Each[float]
    accepted: int
    token: int
    path: Each[int] | None
    emitted: Each[int]
    cache_before: int
    cache_after: int
    seconds: Annotated[_Seconds, AfterValidator(lambda found: Seconds(**dict(found)))]
    stop_reason: str | None
    parents: Each[int] | None
    seed: int
    rule: str
    sampling: Annotated[_Sampling, AfterValidator(lambda found: Sampling(**dict(found)))]
    drafter: str
    gamma: int
    prompt_tokens: int
    max_new_tokens: int
    stop_tokens: Each[int]
    target_context: int
    library: Literal["numpy", "torch"]
    p_rows: Rows
    q_rows: Rows | None


def in_words(error: ValidationError) -> str:
    """The first thing that is wrong, where it is, and what is there."""
    first = error.errors(include_url=False)[0]
    place, said = ".".join(map(str, first["loc"])), first["msg"]
    if first["type"] == "missing":
        return f"the field {place!r} is missing"
    if first["type"] == "value_error":  # of our own code, which says what was there
        return f"the field {place!r} cannot be read: {first['ctx']['error']}"
    said = said.partition(" or instance of")[0]  # no reader of a trace knows our classes
    return f"the field {place!r} is {first['input']!r:.40}: {said[0].lower()}{said[1:]}"


MOST_PARTS = 2**16  # of a line, each an object in memory: 4096 drafted tokens take half
MOST_DIGITS = 20  # of a whole number: the largest seed, 2**64 - 1, has as many


@dataclass(frozen=True)
class Recorded:
    """One line, read back; rows are NumPy's, whatever they were in the run."""

    round: Round
    setting: Setting
    library: str  # that held the rows in the run: "numpy" or "torch"
    shown: dict[str, tuple]  # p, q and kinds: what can also be told from the round


def lines_of(path: str | Path) -> Iterator[str]:
    """The lines of a file with their ends, one in memory at a time.

    A line too long for `read_line` is cut, and bytes that are no text become what
    `read_line` refuses: both are for it to name.

    Raises:
        OSError: no such file, or it is no file (a pipe may never end).
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is a folder or a device: give the file that --trace wrote")
    with path.open("rb") as file:
        while line := file.readline(MOST_CHARACTERS + 1):
            yield line.decode("utf-8", "surrogateescape")
            while line and not line.endswith(b"\n"):
                line = file.readline(MOST_CHARACTERS)


def read_line(line: str) -> Recorded:
    """One line; every field is there, is what it should be, and fits the others in shape.

    Raises:
        ValueError: what is wrong with it.
    """
    try:
        found = Line.model_validate(_parsed(line))
    except ValidationError as error:
        raise ValueError(in_words(error)) from None
    r = Round(
        found.round, found.context, found.drafted, found.p_rows, found.q_rows, found.uniforms,
        Verdict(found.accepted, found.token, found.path), found.emitted, found.cache_before,
        found.cache_after, found.seconds, found.stop_reason, found.parents,
    )  # fmt: skip
    _check_shapes(r)
    setting = Setting(**{field.name: getattr(found, field.name) for field in fields(Setting)})
    return Recorded(r, setting, found.library, {"p": found.p, "q": found.q, "kinds": found.kinds})


def _parsed(line: str) -> dict[str, Any]:
    """The object on the line."""
    if len(line) > MOST_CHARACTERS:
        raise ValueError(f"longer than {MOST_CHARACTERS} characters, which no round needs")
    try:
        line.encode()
    except UnicodeEncodeError:
        raise ValueError("not text; is this a trace?") from None
    if sum(map(line.count, ",[{")) > MOST_PARTS:
        raise ValueError(f"more than {MOST_PARTS} parts, which no round has")
    try:
        found = json.loads(line, object_pairs_hook=_object, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON from character {error.pos + 1} on; was it cut?") from None
    except RecursionError:
        raise ValueError("brackets within brackets, deeper than a round has them") from None
    if not isinstance(found, dict):
        raise ValueError("not a JSON object; is this a trace?")
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON takes the last of two fields of one name; a reader may see the first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the field {twice!r:.40} is there twice")
    return found


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS + 1:  # and a sign
        raise ValueError(f"a whole number of {len(digits)} digits; {MOST_DIGITS} are the most")
    return int(digits)


def _check_shapes(r: Round) -> None:
    """Do the parts of a round fit one another, so that it can be replayed?"""
    n, vocabulary = len(r.drafted), r.p.shape[1]
    fits = {
        "p_rows": len(r.p) == n + 1 and vocabulary > 0,
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
