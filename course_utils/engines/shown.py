"""What articles claim of engines and which rule each engine has, as tables; cells are escaped."""

import re
from collections.abc import Sequence
from html import escape
from textwrap import TextWrapper

from pydantic.dataclasses import dataclass

from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html
from course_utils.engines.articles import Claim
from course_utils.engines.facts import STRICT, facts

WIDTH = 80  # characters of a line where there is no browser


@dataclass(frozen=True, config=STRICT)
class Engine:
    """An engine as it was read: how a draft model is set, and by which rule a guess is accepted.

    `at` is a commit, a tag or a released package of the repository, `files` are of it.
    """

    name: str
    repository: str
    version: str
    at: str
    draft: str
    rule: str
    files: tuple[str, ...]


def engines() -> dict[str, Engine]:
    """By name, in the order of the table."""
    return {engine.name: engine for engine in facts("other_engines", Engine)}


def claims_table(claims: Sequence[Claim]) -> Html:
    """One line a claim: which article, what it claims, what happens today, what works."""
    head = ["article", "claimed", "today", "what works"]
    return _shown(head, [[one.article, one.claimed, one.happens, one.works] for one in claims])


def engines_table() -> Html:
    """One line an engine."""
    head = ["engine", "a draft model", "its rule"]
    lines = [[f"{one.name} {one.version}", one.draft, one.rule] for one in engines().values()]
    return _shown(head, lines)


def _shown(head: list[str], lines: list[list[str]]) -> Html:
    marked = [[_code(cell) for cell in line] for line in lines]
    return Html(
        markup_table([escape(cell) for cell in head], marked, left=range(len(head))),
        "\n\n".join(_block(head, line) for line in lines),
    )


def _block(head: Sequence[str], line: Sequence[str]) -> str:
    """A line of a table below each other: its cells are sentences, too wide for columns."""
    first, *others = line
    lines = TextWrapper(
        WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )
    cells = zip(head[1:], others, strict=True)
    told = (lines.fill(f"{name}: {cell}".replace("`", "")) for name, cell in cells)
    return "\n".join([f"{head[0]} {first}".strip(), *told])


def _code(text: str) -> str:
    """Escaped, and what stands in `ticks` as code."""
    return re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))
