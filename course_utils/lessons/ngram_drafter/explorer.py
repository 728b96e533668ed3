"""Two drafters without a neural network, on a text of the reader's: count, look up.

`ngram_view` computes what both know of the next token, `ngram_html` draws it, `explorer`
puts the text and the sliders around it.
"""

from collections.abc import Callable, Sequence
from functools import cache
from html import escape

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.tokens import Decode, Html
from course_utils.lessons.ngram_drafter.ngram_html import FILLS, ngram_html, ngram_text
from course_utils.lessons.ngram_drafter.ngram_view import CountedModel, Find, ngram_view

OWN = "(my own text)"
# the tokens of a text, and how a text in its language writes tokens
Read = Callable[[str], tuple[Sequence[int], Decode]]


def explorer(
    model: Callable[[int, float], CountedModel],
    find: Find,
    read: Read,
    texts: Sequence[str],
    *,
    n: int = 3,
    discount: float = 0.0,
    longest: int = 3,
    gamma: int = 3,
) -> Card:
    """The first of `texts` is shown first, and on paper; the reader may type another one.

    `model(n, discount)` counts anew, so it must be quick; each is made once.
    `find(tokens, longest)` is a lookup's, `read` raises a KeyError or a
    ValueError for a word it does not know.

    Raises:
        ValueError: no texts, an unknown word in them, or a default outside its slider.
    """
    _check(texts, read)
    sliders = [
        _slider(widgets.IntSlider, "n of the n-gram", n, 1, len(FILLS), 1),
        _slider(widgets.FloatSlider, "discount", discount, 0.0, 0.95, 0.05),
        _slider(widgets.IntSlider, "longest lookup", longest, 1, 5, 1),
        _slider(widgets.IntSlider, "guesses copied, γ", gamma, 1, 8, 1),
    ]
    known = cache(model)

    def printed(tokens: Sequence[int], decode: Decode) -> Html:
        n, discount, longest, gamma = (slider.value for slider in sliders)
        view = ngram_view(known(n, discount), find, tokens, decode, longest, gamma)
        return Html(ngram_html(view), ngram_text(view))

    return _Explorer(printed, read, texts, sliders).card


class _Explorer:
    """The text, the sliders, and what was read of the last text that was understood."""

    def __init__(
        self,
        printed: Callable[[Sequence[int], Decode], Html],
        read: Read,
        texts: Sequence[str],
        sliders: Sequence[widgets.Widget],
    ):
        self._printed, self._understood, self._texts = printed, read, texts
        self._known = read(texts[0])
        self._text = widgets.Text(
            texts[0], description="text", continuous_update=False, layout={"width": "auto"}
        )
        self._choice = widgets.Dropdown(options=[*texts, OWN], description="or choose")
        self._message, self._view = widgets.HTML(), widgets.HTML()
        self._text.observe(self._read, "value")
        self._choice.observe(self._choose, "value")
        for slider in sliders:
            slider.observe(self._draw, "value")
        self._draw()
        controls = widgets.Box([self._choice, *sliders], layout={"flex_flow": "row wrap"})
        parts = [self._text, controls, self._message, self._view]
        self.card = Card(parts, printed(*self._known))

    def _draw(self, _: object = None) -> None:
        self._view.value = self._printed(*self._known).html

    def _read(self, event: dict) -> None:
        self._choice.value = event["new"] if event["new"] in self._texts else OWN
        try:
            self._known = self._understood(event["new"])
        except (IndexError, KeyError, ValueError) as problem:
            why = escape(_why(problem))
            self._message.value = f"<b>{why}.</b> The picture stays as it was."
            return
        self._message.value = ""
        self._draw()

    def _choose(self, event: dict) -> None:
        if event["new"] != OWN:
            self._text.value = event["new"]


def _check(texts: Sequence[str], read: Read) -> None:
    if not texts:
        raise ValueError("no texts to explore: give at least one, such as an empty one")
    for text in texts:
        try:
            read(text)
        except (KeyError, ValueError) as problem:
            raise ValueError(f"{_why(problem)}, so {text!r} cannot be shown") from None


def _why(problem: Exception) -> str:
    if isinstance(problem, KeyError):
        return f"{problem.args[0]} is no word of the corpus"
    return str(problem)


def _slider(
    kind: type, name: str, value: float, low: float, high: float, step: float
) -> widgets.Widget:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}; its slider goes from {low} to {high}")
    return kind(value, min=low, max=high, step=step, description=name)
