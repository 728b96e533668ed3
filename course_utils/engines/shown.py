"""What articles claim of engines, as a table; its cells are escaped."""

import re
from collections.abc import Sequence
from html import escape
from textwrap import TextWrapper

from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html
from course_utils.engines.articles import Claim

WIDTH = 80  # characters of a line where there is no browser


def claims_table(claims: Sequence[Claim]) -> Html:
    """One line a claim: which article, what it claims, what happens today, what works."""
    head = ["article", "claimed", "today", "what works"]
    return _shown(head, [[one.article, one.claimed, one.happens, one.works] for one in claims])


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
