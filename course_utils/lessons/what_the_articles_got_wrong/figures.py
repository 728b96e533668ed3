"""The figures of this elective: a text cut into tokens, and tables of claims about engines.

data/engines/articles.toml has the claims and the `evidence` on each: a file of an engine, a thread
or a lesson.  The articles' sentences are not repeated.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from html import escape
from textwrap import fill

from course_utils.classroom.palette import REJECTED, TARGET, TINT
from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html, block
from course_utils.models.names import DATA


def cut(pieces: Sequence[bytes], reported: int) -> Html:
    """Show the text with a box per token; tokens beyond `reported` are highlighted.

    A character split over two tokens is shown with the second.
    """
    spans, texts, waiting = [], [], b""
    for place, piece in enumerate(pieces):
        waiting += piece
        try:
            text, waiting = waiting.decode(), b""
        except UnicodeDecodeError:  # in the middle of a character
            continue
        texts.append(text)
        colour, line = (TARGET, "solid") if place < reported else (REJECTED, "dashed")
        style = f"background:{colour}{TINT};border-bottom:2px {line} {colour};margin-right:2px"
        spans.append(f'<span style="{style}">{escape(text)}</span>')
    legend = [f"solid: tokens 1 to {reported}", f"dashed: tokens {reported + 1} to {len(pieces)}"]
    return block("".join(spans), legend, " ".join(texts))


COLUMNS = {"article": "article", "claimed": "claimed", "happens": "today", "works": "what works"}
WIDTH = 80  # characters per line without a browser


def claims_of(*articles: str) -> list[dict[str, str]]:
    """Return the claims of the articles with these numbers in REFERENCES.md; code is in `ticks`.

    Raises:
        KeyError: an article without claims about engines; the message lists those with claims.
    """
    claims = tomllib.loads((DATA / "engines" / "articles.toml").read_text("utf-8"))["claim"]
    known = sorted({claim["article"] for claim in claims})
    for article in articles:
        if article not in known:
            raise KeyError(f"article {article!r} has no claims here; choose {', '.join(known)}")
    return [claim for claim in claims if claim["article"] in articles]


def claims_table(*articles: str) -> Html:
    """Return a table with a row per claim."""
    return prose_table(
        [{name: claim[key] for key, name in COLUMNS.items()} for claim in claims_of(*articles)]
    )


def prose_table(rows: Sequence[Mapping[str, str]]) -> Html:
    """Return a table of text, `ticks` as code; without a browser one row after another."""
    cells = [
        [re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text)) for text in row.values()]
        for row in rows
    ]
    how = {"width": WIDTH, "subsequent_indent": "    ", "break_on_hyphens": False}
    texts = (
        "\n".join(fill(f"{name}: {text}".replace("`", ""), **how) for name, text in row.items())
        for row in rows
    )
    heads = [*rows[0]]
    return Html(markup_table(heads, cells, left=range(len(heads))), "\n\n".join(texts))
