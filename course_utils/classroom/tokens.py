"""Generated text with a colour for how each token came about.

Pure: rounds and a `decode` function in, a string out.  Everything a model said
is escaped.
"""

from collections.abc import Iterable
from html import escape

from course_utils.classroom.palette import ANSI, ANSI_END, KINDS, MARKS, MEANINGS, SIZE, TAGS, TINT
from course_utils.classroom.words import printable
from course_utils.decoding.contracts import Round
from course_utils.decoding.detokenizer import Decode, pieces


def coloured(rounds: Iterable[Round], decode: Decode, prompt: str = "") -> "Html":
    """All rounds as one block of text with a legend; `prompt` comes first, dimmed."""
    rounds = list(rounds)
    kinds = [kind for r in rounds for kind in r.kinds]
    texts = pieces([token for r in rounds for token in r.emitted], decode)
    spans = "".join(marked(text, kind) for text, kind in zip(texts, kinds, strict=True))
    entries = [_given("prompt") + " given"] * bool(prompt)
    entries += [f"{marked(kind, kind)} {MEANINGS[kind]}" for kind in KINDS if kind in kinds]
    return block((_given(prompt) if prompt else "") + spans, entries, prompt + "".join(texts))


def marked(text: str, kind: str) -> str:
    """A piece of text in the colour, the style and the tags of its kind, escaped."""
    opened = "".join(f"<{tag}>" for tag in TAGS[kind])
    closed = "".join(f"</{tag}>" for tag in reversed(TAGS[kind]))
    style = f"background:{KINDS[kind]}{TINT};border-radius:3px;{MARKS[kind]}"
    return f'<span style="{style}" title="{MEANINGS[kind]}">{opened}{escape(text)}{closed}</span>'


def visible(text: str) -> str:
    """Blanks as signs where there is nothing else: no token looks empty.

    >>> visible("  \\n"), visible("a b\\n")
    ('␣␣⏎', 'a b⏎')
    """
    shown = text.replace("\n", "⏎")
    return shown if text.strip() else shown.replace(" ", "␣")


def block(markup: str, legend: Iterable[str], text: str) -> "Html":
    """Running text as it is, larger in Presentation Mode, and a line that explains its marks."""
    size = f"font-size:{SIZE}"
    return Html(
        f'<pre style="white-space:pre-wrap;line-height:1.6;{size};margin:0">{markup}</pre>'
        f'<p style="{size};margin:.6em 0 0"><small>{" &nbsp; ".join(legend)}</small></p>',
        text,
    )


def ansi(text: str, kind: str) -> str:
    """A piece of text for a terminal."""
    return f"{ANSI[kind]}{text}{ANSI_END}" if text else ""


class Html:
    """Markup for a notebook, and plain text where there is no browser."""

    def __init__(self, html: str, text: str):
        self.html = printable(html)
        self.text = printable(text)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html, "text/plain": self.text}


def _given(text: str) -> str:
    return f'<small style="font-size:1em;opacity:.75">{escape(text)}</small>'
