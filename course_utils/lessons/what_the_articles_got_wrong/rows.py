"""A line of the table of verdicts: a claim, the cases it was tried on, and what came out."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from course_utils.classroom.palette import ACCEPTED, NEUTRAL, REJECTED
from course_utils.classroom.table import markup_table, text_table
from course_utils.classroom.tokens import Html

TRUE, DEPENDS, WRONG = "true", "depends", "wrong"
SIGNS = {TRUE: ("✓", ACCEPTED), DEPENDS: ("◐", NEUTRAL), WRONG: ("✗", REJECTED)}


@dataclass(frozen=True)
class Line:
    """One claim; the article's sentence is not repeated."""

    article: str  # its number in REFERENCES.md
    claim: str
    holds: Sequence[bool]  # in each case that was tried
    computed: str

    @property
    def verdict(self) -> str:
        """True in all cases, wrong in all, or it depends."""
        return TRUE if all(self.holds) else DEPENDS if any(self.holds) else WRONG


def as_table(lines: Sequence[Line], caption: str = "") -> Html:
    """The lines with their verdicts, each with a sign and a colour."""
    heads = ["article", "claim", "verdict", "computed"]
    plain = [[line.article, line.claim, line.verdict, line.computed] for line in lines]
    cells = [
        [escape(article), escape(claim), _marked(verdict), escape(computed)]
        for article, claim, verdict, computed in plain
    ]
    html = markup_table(heads, cells, left=range(4), caption=escape(caption))
    return Html(html, text_table([heads, *plain], left=range(4)))


def _marked(verdict: str) -> str:
    sign, colour = SIGNS[verdict]
    return f'<b style="color:{colour};white-space:nowrap">{sign} {verdict}</b>'
