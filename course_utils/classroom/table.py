"""Small tables for notebooks: a list of records in, markup out."""

from collections.abc import Sequence
from html import escape

from course_utils.classroom.style import SIZE
from course_utils.classroom.tokens import Html


def table(rows: Sequence[dict[str, object]], caption: str = "") -> Html:
    """One line a record, the keys of the first as headings; floats get three digits.

    >>> table([{"gamma": 1, "speedup": 1.234567}]).text
    'gamma  speedup\\n    1     1.23'
    """
    headings = list(rows[0])
    cells = [[_text(row[heading]) for heading in headings] for row in rows]
    head = "".join(f'<th style="text-align:right">{escape(h)}</th>' for h in headings)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:right">{escape(c)}</td>' for c in line) + "</tr>"
        for line in cells
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in [headings, *cells]
    ]
    return Html(
        f'<table style="font-size:{SIZE}">{title}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>",
        "\n".join(([caption] if caption else []) + lines),
    )


def _text(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
