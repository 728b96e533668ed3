"""Generated text with a colour for how each token came about.

Pure: rounds and a `decode` function in, a string out.  Everything a model said
is escaped.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from course_utils.classroom.palette import ANSI, ANSI_END, KINDS, MARKS, MEANINGS, SIZE, TAGS, TINT
from course_utils.classroom.words import printable
from course_utils.decoding.contracts import Round

Decode = Callable[[list[int]], str]
_HALF_A_CHARACTER = "\ufffd"
_LONGEST_CHARACTER = 4  # bytes of UTF-8, hence tokens


class Detokenizer:
    """Tokens in, text out, as it becomes readable.

    Byte-level tokens may hold a third of a Chinese character, so tokens cannot be
    decoded one by one: a split character comes with the last token of it.
    """

    def __init__(self, decode: Decode):
        self._decode = decode
        self._waiting: list[int] = []

    def push(self, token: int) -> str:
        """The text that `token` completes; empty in the middle of a character."""
        self._waiting.append(token)
        text = self._decode(self._waiting)
        if text.endswith(_HALF_A_CHARACTER) and len(self._waiting) < _LONGEST_CHARACTER:
            return ""
        self._waiting = []
        return text

    def rest(self) -> str:
        """What is left when no more tokens come."""
        text, self._waiting = self._decode(self._waiting) if self._waiting else "", []
        return text


def pieces(tokens: Sequence[int], decode: Decode) -> list[str]:
    """The text each token adds; together, the whole text."""
    detokenizer = Detokenizer(decode)
    texts = [detokenizer.push(token) for token in tokens]
    if texts:
        texts[-1] += detokenizer.rest()
    return texts


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
