"""Generated text with a colour for how each token came about.

Pure: rounds and a `decode` function in, a string out.  Everything a model said
is escaped.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from course_utils.classroom.palette import ANSI, ANSI_END, KINDS, MARKS, MEANINGS
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
    """All rounds as one block of text with a legend; `prompt` comes first, plain."""
    rounds = list(rounds)
    kinds = [kind for r in rounds for kind in r.kinds]
    texts = pieces([token for r in rounds for token in r.emitted], decode)
    spans = [_span(text, kind) for text, kind in zip(texts, kinds, strict=True)]
    used = [kind for kind in KINDS if kind in kinds]
    legend = " &nbsp; ".join(_span(kind, kind) + " " + MEANINGS[kind] for kind in used)
    plain = "".join(texts)
    return Html(
        f'<pre style="white-space:pre-wrap;line-height:1.6;font-size:1em;margin:0">'
        f"{escape(prompt)}{''.join(spans)}</pre>"
        f'<p style="margin:.6em 0 0"><small>{legend}</small></p>',
        f"{prompt}{plain}",
    )


def ansi(text: str, kind: str) -> str:
    """A piece of text for a terminal."""
    return f"{ANSI[kind]}{text}{ANSI_END}" if text else ""


class Html:
    """Markup for a notebook, and plain text where there is no browser."""

    def __init__(self, html: str, text: str):
        self.html = html
        self.text = text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html, "text/plain": self.text}


def _span(text: str, kind: str) -> str:
    # hex + "55" is the colour at a third of its strength, so that text stays readable
    style = f"background:{KINDS[kind]}55;border-radius:3px;{MARKS[kind]}"
    return f'<span style="{style}" title="{MEANINGS[kind]}">{escape(text)}</span>'
