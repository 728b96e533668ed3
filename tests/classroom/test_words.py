"""Words that no page, picture or chart may stumble over: they are drawn, and nothing breaks."""

import json
import warnings
from xml.etree import ElementTree

import pytest

from course_utils.classroom.chart import Chart
from course_utils.classroom.live import live
from course_utils.classroom.live_view import follow, live_html
from course_utils.classroom.picture import entitle, legend_below, panels, picture
from course_utils.classroom.stepper import stepper
from course_utils.classroom.table import table
from course_utils.classroom.tokens import coloured
from course_utils.classroom.words import printable
from course_utils.decoding.loop import generate
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.explorer import explorer
from course_utils.lessons.start_here.race import race
from course_utils.models.characters import CharacterModel
from course_utils.models.n_grams import NGram

UNFIT = {
    "zero": "a\x00b",
    "escape": "\x1b[31mred",
    "delete": "\x7f\x85",
    "turned around": "\u202egnp.exe\u2066",
    "half a pair": "\ud83d",
    "no character": "\ufffe\uffff",
}
ODD = UNFIT | {
    "mathematics": r"$\bad$",
    "more mathematics": "$x_$ and $",
    "backslashes": "\\frac{\\",
    "markup": "</text><script>alert(1)</script>&amp;\"'",
    "lines and tabs": "a\n\tb\r\nc",
    "Chinese": "人工智能",
    "nothing": "",
    "blank": " \u3000\u00a0",
    "emoji": "👩\u200d💻",
}
words = pytest.mark.parametrize("word", ODD.values(), ids=list(ODD))


def fit(text):
    """Can it be sent to a browser, and is it free of what must not be drawn?"""
    json.dumps(text, ensure_ascii=False).encode()
    assert printable(text) == text


def markup(text):
    fit(text)
    assert "<script" not in text


def well_formed(svg):
    markup(svg)
    ElementTree.fromstring(f"<svg>{svg}</svg>".encode())


@pytest.mark.parametrize("text", UNFIT.values(), ids=list(UNFIT))
def test_what_must_not_be_drawn_gets_a_sign(text):
    assert "\ufffd" in printable(text)
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize("text", ["人工智能", "a\n\tb", "👩\u200d💻", "\u00ad", "שלום"])
def test_what_people_write_stays(text):
    assert printable(text) == text


@words
def test_a_chart_of_any_words(word):
    chart = Chart(word, (0, 1), (0, 1), x_label=word, y_label=word, x_ticks=[(0, word)], alt=word)
    chart.text(0.5, 0.5, word)
    chart.level(0.5, word)
    chart.legend([(word, "#000000", "square")])
    well_formed(chart.svg())
    still = chart.still()
    well_formed(still.svg)
    fit(still._repr_mimebundle_()["text/plain"])


@words
def test_a_picture_of_any_words(word):
    figure, (axes,) = panels()
    axes.plot([0, 1], [0, 1], label=word)
    axes.set_title(word)
    axes.set_xlabel(word)
    axes.set_xticks([0, 1], [word, "x"])
    axes.text(0.5, 0.5, word)
    entitle(figure, word)
    legend_below(figure, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = picture(figure, word)
    assert made.png.startswith(b"\x89PNG")
    data, metadata = made._repr_mimebundle_()
    fit(data["text/plain"])
    fit(metadata["image/png"]["alt"])


def test_a_dollar_is_a_dollar():
    def pixels(word):
        figure, (axes,) = panels()
        axes.text(0.5, 0.5, word)
        return picture(figure, "").png

    assert pixels("$x$") != pixels("x")
    assert pixels("$x$") != pixels("$y$")


def runs(word):
    """Two greedy runs whose first token is the word."""
    target = CharacterModel()
    rounds = list(generate(target, [0], PromptLookup(), max_new_tokens=8))
    plain = list(generate(target, [0], max_new_tokens=8))

    def decode(tokens):
        return word + target.alphabet.decode(tokens)

    return plain, rounds, decode


@words
def test_widgets_of_any_words(word):
    plain, rounds, decode = runs(word)
    card = race(plain, rounds, decode)
    well_formed(card.children[-1].value)
    well_formed(card.still.svg)
    markup(live_html(list(follow(rounds, decode, word))[-1], word))
    spoken = explorer(
        lambda *_: NGram([[0, 1, 2]], 2, 3), lambda *_: None,
        lambda text: ([0, 1], lambda tokens: word), [word], n=2,
    )  # fmt: skip
    steps = stepper(rounds, decode)
    for card in (spoken, steps):
        markup(card.children[-1].value)
    target, drafters = CharacterModel(), {word: lambda sampling: None}
    pages = [
        live(target, drafters, target.alphabet.encode, decode, prompt=word, still=rounds).still,
        coloured(rounds, decode, word),
        table([{word: word}], word),
        spoken.still,
        steps.still,
    ]
    for page in pages:
        markup(page.html)
        fit(page.text)
