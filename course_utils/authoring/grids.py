"""A grid: the values to try for the parameters of one lesson, as JSON, and the points it has::

    {"lesson": "13",
     "parameters": {"gamma": [2, 4], "temperature": [0, 0.7], "seed": 3},
     "results": {"drafted": "summarise(speculative).drafted"}}

Each combination of the values is a *point*: here four.  A value that is no list is the
same at every point; a list as a value is written [[1, 2]].  A result is an expression
that the lesson's kernel computes when its last cell is done.

Text and notebooks in, points out; nothing is read from the disk, nothing is executed.
"""

import ast
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from keyword import iskeyword

from nbformat import NotebookNode

from course_utils.classroom.notebooks import check_values, parameters

CAPSTONE = "13"
MOST_POINTS = 10_000
KEYS = ("lesson", "parameters", "results")
# The columns of the table beside parameters and results.
COLUMNS = ("point", "state", "seconds", "failure", "notebook")


@dataclass(frozen=True)
class Grid:
    """What is asked for; not yet held against the lesson."""

    lesson: str  # a lesson's name or the beginning of it, or a path that ends in .ipynb
    values: Mapping[str, list[object]]  # of each parameter that is set
    results: Mapping[str, str] = field(default_factory=dict)  # name -> expression


@dataclass(frozen=True)
class Point:
    """One run of the lesson."""

    name: str  # of its lesson's code, parameters and results: other ones, another name
    given: Mapping[str, object]  # the parameters that the grid sets
    parameters: Mapping[str, object]  # all the lesson has


def read_grid(text: str) -> Grid:
    """The grid that this JSON describes.

    Raises:
        ValueError: it describes none.
    """
    try:
        grid = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_finite
        )
        json.dumps(grid, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("the grid is no JSON of ours: it is nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("the grid holds half a character, which no file can hold") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"the grid is no JSON: {error}") from None
    if not isinstance(grid, dict):
        raise ValueError('the grid is no JSON object: write {"parameters": {"gamma": [2, 4]}}')
    for key in grid:
        if key not in KEYS:
            raise ValueError(f"a grid has no {key!r}; it has {', '.join(KEYS)}")
    lesson, tried, results = (grid.get(key, {}) for key in KEYS)
    if not isinstance(lesson := lesson or CAPSTONE, str):
        raise ValueError(f'lesson is {lesson!r}; give a text, as "{CAPSTONE}"')
    for key, table in (("parameters", tried), ("results", results)):
        if not isinstance(table, dict):
            raise ValueError(f"{key} is no JSON object, a name with each value")
    if not tried:
        raise ValueError('the grid is empty: write {"parameters": {"gamma": [2, 4]}}')
    values = {name: value if isinstance(value, list) else [value] for name, value in tried.items()}
    for name, listed in values.items():
        if not listed:
            raise ValueError(f"{name} has no value in the grid: give it one, or leave it out")
    return Grid(lesson, values, {name: _expression(name, said) for name, said in results.items()})


def points(grid: Grid, lesson: NotebookNode, name: str, code: str) -> list[Point]:
    """Every combination of the values, the last parameter changing fastest.

    Args:
        name: the lesson's, for what is said to be wrong.
        code: a digest of the code that the lesson imports.

    Raises:
        ValueError: the lesson has no such parameter, or wants other values; too many points.
    """
    defaults = parameters(lesson)
    for listed in zip(*_to_one_length(grid.values), strict=True):
        check_values(name, defaults, dict(zip(grid.values, listed, strict=True)))
    for parameter in grid.values:
        if isinstance(defaults[parameter], dict):
            raise ValueError(f"{parameter} is a table, which a grid cannot vary")
    if taken := [r for r in grid.results if r in defaults or r in COLUMNS]:
        raise ValueError(f"the result {taken[0]!r} has the name of another column: choose another")
    if (count := math.prod(map(len, grid.values.values()))) > MOST_POINTS:
        raise ValueError(f"the grid has {count:,} points; at most {MOST_POINTS:,} in one sweep")
    source = "\0".join(cell.source for cell in lesson.cells if cell.cell_type == "code")
    found: dict[str, Point] = {}
    for combination in product(*grid.values.values()):
        given = {
            key: float(value) if isinstance(defaults[key], float) else value
            for key, value in zip(grid.values, combination, strict=True)
        }
        whole = defaults | given
        told = json.dumps([source, code, whole, dict(grid.results)], sort_keys=True)
        point = Point(sha256(told.encode()).hexdigest()[:16], given, whole)
        if point.name in found:
            raise ValueError(f"the grid has the same point twice: {as_text(given)}")
        found[point.name] = point
    return list(found.values())


def as_text(given: Mapping[str, object]) -> str:
    """{"gamma": 2, "pair": "tiny"} -> gamma=2, pair='tiny'"""
    return ", ".join(f"{name}={value!r}" for name, value in given.items())


def _to_one_length(values: Mapping[str, list[object]]) -> list[list[object]]:
    """Each filled up with its last value, so that every value is in some column."""
    longest = max(map(len, values.values()))
    return [listed + listed[-1:] * (longest - len(listed)) for listed in values.values()]


def _expression(name: str, written: object) -> str:
    """In one line, as Python writes it."""
    if not name.isidentifier() or iskeyword(name):
        raise ValueError(f"a result is called {name!r}: take a name as Python has them")
    try:
        return ast.unparse(ast.parse(written.strip(), mode="eval"))
    except (SyntaxError, ValueError, AttributeError, RecursionError, MemoryError):
        raise ValueError(f"the result {name} is no expression of Python: {written!r}") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the grid has {twice!r} twice in one place")
    return found


def _finite(written: str) -> float:
    return value if math.isfinite(value := float(written)) else _no_number(written)


def _no_number(written: str) -> float:
    raise ValueError(f"the grid holds {written}, which is no number that a lesson can take")
