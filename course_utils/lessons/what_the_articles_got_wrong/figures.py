"""The figure of this elective: a text cut into tokens."""

from collections.abc import Sequence
from html import escape

from course_utils.classroom.palette import REJECTED, TARGET, TINT
from course_utils.classroom.tokens import Html, block


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
