"""The tables of the course: of records, of HTML cells, of text in columns."""

from collections.abc import Container, Sequence
from html import escape

from course_utils.classroom.palette import SIZE
from course_utils.classroom.tokens import Html

Line = Sequence[str]  # its cells


def table(rows: Sequence[dict[str, object]], caption: str = "") -> Html:
    """Return one line per record, the keys of the first as headings; floats get three digits.

    >>> table([{"gamma": 1, "speedup": 1.234567}]).text
    'gamma  speedup\\n    1     1.23'
    """

    def text(value: object) -> str:
        if value is None:
            return "–"
        return f"{value:.3g}" if isinstance(value, float) else str(value)

    lines = [list(rows[0]), *([text(row[heading]) for heading in rows[0]] for row in rows)]
    head, *body = ([escape(cell) for cell in line] for line in lines)
    title = f"{caption}\n" if caption else ""
    return Html(markup_table(head, body, caption=escape(caption)), title + text_table(lines))


def markup_table(
    headings: Line, lines: Sequence[Line], left: Container[int] = (), caption: str = ""
) -> str:
    """Return an HTML table of HTML cells; columns in `left` are left-aligned, the others right."""

    def row(tag: str, cells: Line) -> str:
        sides = ("left" if place in left else "right" for place in range(len(headings)))
        marked = (
            f'<{tag} style="text-align:{side}">{cell}</{tag}>'
            for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(marked)}</tr>"

    title = f"<caption>{caption}</caption>" if caption else ""
    body = "".join(row("td", line) for line in lines)
    return (
        f'<table style="font-size:{SIZE};font-variant-numeric:tabular-nums">{title}'
        f"<thead>{row('th', headings)}</thead><tbody>{body}</tbody></table>"
    )


def text_table(lines: Sequence[Line], left: Container[int] = ()) -> str:
    """Return text cells in columns, two blanks apart; the first line may be headings.

    >>> print(text_table([("lesson", "cells"), ("00", "7")], left=(0,)))
    lesson  cells
    00          7
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def row(line: Line) -> str:
        cells = enumerate(zip(line, widths, strict=True))
        return "  ".join(c.ljust(n) if at in left else c.rjust(n) for at, (c, n) in cells).rstrip()

    return "\n".join(map(row, lines))
