"""Words that no page, picture or chart may stumble over: they are drawn, and nothing breaks."""

import warnings

import pytest

from course_utils.classroom.picture import entitle, legend_below, panels, picture, spell_out
from course_utils.classroom.table import table
from course_utils.classroom.tokens import coloured
from course_utils.classroom.words import printable
from course_utils.decoding.loop import generate
from course_utils.models.toys.characters import CharacterModel

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


@pytest.mark.parametrize("text", UNFIT.values(), ids=list(UNFIT))
def test_what_must_not_be_drawn_gets_a_sign(text):
    assert "\ufffd" in printable(text)
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize("text", ["人工智能", "a\n\tb", "👩\u200d💻", "\u00ad", "שלום"])
def test_what_people_write_stays(text):
    assert printable(text) == text


def test_a_picture_of_any_words():
    for word in ODD.values():
        figure, (axes,) = panels()
        axes.plot([0, 1], [0, 1], label=word)
        axes.set_title(word)
        axes.set_xticks([0, 1], [word, "x"])
        axes.text(0.5, 0.5, word)
        entitle(figure, word)
        legend_below(figure, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            data, metadata = picture(figure, word)._repr_mimebundle_()
        assert printable(data["text/plain"]) == data["text/plain"]
        assert printable(metadata["image/png"]["alt"]) == metadata["image/png"]["alt"]


def test_chinese_without_a_font_is_written_as_its_number():
    figure, (axes,) = panels()
    text = axes.text(0.5, 0.5, "人")
    spell_out(figure, ())
    assert text.get_text() == "U+4EBA"


def test_a_dollar_is_a_dollar():
    def pixels(word):
        figure, (axes,) = panels()
        axes.text(0.5, 0.5, word)
        return picture(figure, "").png

    assert pixels("$x$") != pixels("x")
    assert pixels("$x$") != pixels("$y$")


@pytest.mark.parametrize("word", ODD.values(), ids=list(ODD))
def test_printed_words(word):
    target = CharacterModel()
    rounds = list(generate(target, [0], max_new_tokens=8))
    coloured_words = coloured(rounds, lambda tokens: word + target.alphabet.decode(tokens), word)
    for page in (coloured_words, table([{word: word}], word)):
        assert printable(page.html) == page.html
        assert printable(page.text) == page.text
        assert "<script" not in page.html
