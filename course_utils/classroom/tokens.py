"""Generated text with a colour for each kind of token; the model's text is escaped."""

from collections.abc import Iterable
from html import escape

from course_utils.classroom.palette import KINDS, KINDS_OF_TOKENS, MEANINGS, SIZE, TINT
from course_utils.classroom.words import printable
from course_utils.decoding.contracts import Round
from course_utils.writing.text import Decode, pieces


def coloured(rounds: Iterable[Round], decode: Decode, prompt: str = "") -> "Html":
    """Return all rounds as one block of text with a legend; `prompt` comes first, dimmed."""
    rounds = list(rounds)
    kinds = [kind for r in rounds for kind in r.kinds]
    texts = pieces([token for r in rounds for token in r.emitted], decode)
    spans = "".join(marked(text, kind) for text, kind in zip(texts, kinds, strict=True))
    entries = [_dimmed("prompt") + " given"] * bool(prompt)
    entries += [f"{marked(kind, kind)} {MEANINGS[kind]}" for kind in KINDS if kind in kinds]
    return block((_dimmed(prompt) if prompt else "") + spans, entries, prompt + "".join(texts))


def marked(text: str, kind: str) -> str:
    """Return escaped text in the colour, style and tags of its kind."""
    colour, meaning, _, tags, style = KINDS_OF_TOKENS[kind]
    marked_text = escape(text)
    for tag in reversed(tags):
        marked_text = f"<{tag}>{marked_text}</{tag}>"
    style = f"background:{colour}{TINT};border-radius:3px;{style}"
    return f'<span style="{style}" title="{meaning}">{marked_text}</span>'


def visible(text: str) -> str:
    """Return text whose line ends, and blanks if it has nothing else, are visible signs.

    >>> visible("  \\n"), visible("a b\\n")
    ('␣␣⏎', 'a b⏎')
    """
    line = text.replace("\n", "⏎")
    return line if text.strip() else line.replace(" ", "␣")


def block(markup: str, legend: Iterable[str], text: str) -> "Html":
    """Return running text with a legend below it, larger in Presentation Mode."""
    size = f"font-size:{SIZE}"
    return Html(
        f'<pre style="white-space:pre-wrap;line-height:1.6;{size};margin:0">{markup}</pre>'
        f'<p style="{size};margin:.6em 0 0"><small>{" &nbsp; ".join(legend)}</small></p>',
        text,
    )


def ansi(text: str, kind: str) -> str:
    """Return text in the colour of its kind, for a terminal."""
    return f"{KINDS_OF_TOKENS[kind].ansi}{text}\033[0m" if text else ""


class Html:
    """Markup for a notebook, and plain text without a browser."""

    def __init__(self, html: str, text: str):
        self.html = printable(html)
        self.text = printable(text)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html, "text/plain": self.text}


def _dimmed(text: str) -> str:
    return f'<small style="font-size:1em;opacity:.75">{escape(text)}</small>'
