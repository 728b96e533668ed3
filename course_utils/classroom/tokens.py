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


def pieces(tokens: Sequence[int], decode: Decode) -> list[str]:
    """The text each token adds; a character split over tokens comes with its last.

    Byte-level tokens may hold a third of a Chinese character, so tokens cannot be
    decoded one by one.
    """
    texts, waiting = [], []
    for token in tokens:
        waiting.append(token)
        text = decode(waiting)
        if text.endswith(_HALF_A_CHARACTER) and len(waiting) < 4:
            texts.append("")
            continue
        texts.append(text)
        waiting = []
    if waiting:
        texts[-1] = decode(waiting)
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


def ansi(texts: Iterable[str], kinds: Iterable[str]) -> str:
    """The pieces for a terminal."""
    return "".join(
        f"{ANSI[kind]}{text}{ANSI_END}" for text, kind in zip(texts, kinds, strict=True) if text
    )


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
