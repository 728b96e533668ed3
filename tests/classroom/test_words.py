"""Words that no page, picture or chart may stumble over: they are drawn, and nothing breaks."""

import json
import warnings

import pytest

from course_utils.classroom.live import live
from course_utils.classroom.picture import entitle, legend_below, panels, picture
from course_utils.classroom.quiz import Choice, Question, ask
from course_utils.classroom.scene import scene_div
from course_utils.classroom.stepper import stepper
from course_utils.classroom.table import table
from course_utils.classroom.tokens import coloured
from course_utils.classroom.words import printable
from course_utils.decoding.loop import generate
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.lessons.start_here.race import race
from course_utils.models.characters import CharacterModel

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
    for part in strings(text):
        assert printable(part) == part


def strings(value):
    """Of a text, or of whatever JSON holds."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return [text for one in value for text in strings(one)]
    return [value] if isinstance(value, str) else []


def markup(text):
    fit(text)
    assert "<script" not in text


@pytest.mark.parametrize("text", UNFIT.values(), ids=list(UNFIT))
def test_what_must_not_be_drawn_gets_a_sign(text):
    assert "\ufffd" in printable(text)
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize("text", ["人工智能", "a\n\tb", "👩\u200d💻", "\u00ad", "שלום"])
def test_what_people_write_stays(text):
    assert printable(text) == text


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
    data, metadata = made._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
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
def test_scenes_of_any_words(word):
    plain, rounds, decode = runs(word)
    target, drafters = CharacterModel(), {word: lambda sampling: None}
    scenes = [
        playground([word, "b", "c", "d", "e"]),
        race(plain, rounds, decode),
        stepper(rounds, decode),
        live(target, drafters, target.alphabet.encode, decode, prompt=word),
        ask(Question(word, word, (Choice(word, word, True), Choice("b", word)))),
    ]
    for scene in scenes:
        fit(scene.stored)
        assert "<script" not in scene_div(scene.stored).removeprefix("<div").split(">", 2)[2]


@words
def test_printed_words(word):
    _, rounds, decode = runs(word)
    for page in (coloured(rounds, decode, word), table([{word: word}], word)):
        markup(page.html)
        fit(page.text)
