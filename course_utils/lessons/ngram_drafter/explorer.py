"""Two drafters without a neural network, on a text of the reader's: count, look up.

`counted.explore` computes what both know of the next token, `counted_html` draws
it, `explorer` puts the text and the sliders around it, `explored` is its form on
paper.
"""

from collections.abc import Callable, Sequence
from functools import cache
from html import escape

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.tokens import Decode, Html
from course_utils.lessons.ngram_drafter.ngram_html import (
    FILLS,
    backed_off,
    explorer_html,
    looked_up,
)
from course_utils.lessons.ngram_drafter.ngram_view import Counted, Find, explore

OWN = "(my own text)"


def explorer(
    model: Callable[[int, float], Counted],
    find: Find,
    encode: Callable[[str], Sequence[int]],
    decode: Decode,
    texts: Sequence[str],
    *,
    n: int = 3,
    discount: float = 0.0,
    longest: int = 3,
    gamma: int = 3,
) -> Card:
    """The first of `texts` is shown first; the reader may type another one.

    `model(n, discount)` counts anew, so it must be quick; each is made once.
    `find(tokens, longest)` is a lookup's, `encode` raises a KeyError or a
    ValueError for a word it does not know.

    Raises:
        ValueError: no texts, an unknown word in them, or a default outside its slider.
    """
    _check(texts, encode)
    sliders = [
        _slider(widgets.IntSlider, "n of the n-gram", n, 1, len(FILLS), 1),
        _slider(widgets.FloatSlider, "discount", discount, 0.0, 0.95, 0.05),
        _slider(widgets.IntSlider, "longest lookup", longest, 1, 5, 1),
        _slider(widgets.IntSlider, "guesses copied, γ", gamma, 1, 8, 1),
    ]
    text = widgets.Text(
        texts[0], description="text", continuous_update=False, layout={"width": "auto"}
    )
    choice = widgets.Dropdown(options=[*texts, OWN], description="or choose")
    message, view = widgets.HTML(), widgets.HTML()
    known, tokens = cache(model), list(encode(texts[0]))

    def picture(tokens: Sequence[int]) -> Html:
        n, discount, longest, gamma = (slider.value for slider in sliders)
        return explored(known(n, discount), find, tokens, decode, longest=longest, gamma=gamma)

    def draw(_: object = None) -> None:
        view.value = picture(tokens).html

    def read(event: dict) -> None:
        choice.value = event["new"] if event["new"] in texts else OWN
        try:
            new = list(encode(event["new"]))
        except (IndexError, KeyError, ValueError) as problem:
            message.value = f"<b>{escape(_why(problem))}.</b> The picture stays as it was."
            return
        tokens[:], message.value = new, ""
        draw()

    def choose(event: dict) -> None:
        if event["new"] != OWN:
            text.value = event["new"]

    text.observe(read, "value")
    choice.observe(choose, "value")
    for slider in sliders:
        slider.observe(draw, "value")
    draw()
    controls = widgets.Box([choice, *sliders], layout={"flex_flow": "row wrap"})
    return Card([text, controls, message, view])


def explored(
    model: Counted,
    find: Find,
    tokens: Sequence[int],
    decode: Decode,
    *,
    longest: int = 3,
    gamma: int = 3,
) -> Html:
    """The static twin: what the explorer shows of one text."""
    view = explore(model, find, tokens, decode, longest, gamma)
    law = ", ".join(f"{bar.text} {bar.probability:.2f}" for bar in view.bars)
    lines = [backed_off(view), f"law: {law}", looked_up(view)]
    return Html(explorer_html(view), "\n".join(lines))


def _check(texts: Sequence[str], encode: Callable[[str], Sequence[int]]) -> None:
    if not texts:
        raise ValueError("no texts to explore: give at least one, such as an empty one")
    for text in texts:
        try:
            encode(text)
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
