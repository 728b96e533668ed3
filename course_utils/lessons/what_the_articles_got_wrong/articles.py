"""The articles' claims about engines, what happens today, and what works instead, as a table.

data/engines/articles.toml has the claims and the `evidence` on each: a file of an engine, a thread
or a lesson.  The articles' sentences are not repeated.
"""

import re
import tomllib
from html import escape
from textwrap import fill

from course_utils.classroom.table import markup_table
from course_utils.classroom.tokens import Html
from course_utils.models.names import DATA

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
    """Return a table with a row per claim; without a browser, text with one claim after another."""
    claims = claims_of(*articles)
    cells = [[_markup(claim[key]) for key in COLUMNS] for claim in claims]
    markup = markup_table([*COLUMNS.values()], cells, left=range(len(COLUMNS)))
    return Html(markup, "\n\n".join(map(_text, claims)))


def _text(claim: dict[str, str]) -> str:
    cells = [f"  {name}: {claim[key]}" for key, name in COLUMNS.items() if key != "article"]
    how = {"width": WIDTH, "subsequent_indent": "    ", "break_on_hyphens": False}
    lines = [fill(cell.replace("`", ""), **how) for cell in cells]
    return "\n".join([f"article {claim['article']}", *lines])


def _markup(text: str) -> str:
    return re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))
