"""The fields of a line of a trace: of each its type and its limit, checked by pydantic.

`trace` writes such lines, `recorded` reads them.  Nothing is converted and nothing has
a default: True is no whole number, and a number is finite.
"""

from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError

from course_utils.decoding.contracts import Seconds
from course_utils.decoding.sampling import Sampling
from course_utils.proofs.trace import unpacked

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
