"""Coloured text, tables, figures and notebooks work with any text."""

import re
import warnings
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.classroom import notebooks as lessons
from course_utils.classroom.palette import KINDS, ROLES
from course_utils.classroom.picture import curves, finished, panels, spell_out
from course_utils.classroom.table import table
from course_utils.classroom.tokens import coloured, marked
from course_utils.classroom.words import printable
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.characters import CharacterModel

STAGE = Path(__file__).parents[2] / "stage" / "lib" / "stage.css"
ODD = {
    "escape": "\x1b[31mred",
    "reversed": "\u202egnp.exe\u2066",
    "lone surrogate": "\ud83d",
    "noncharacter": "\ufffe\uffff",
    "mathematics": r"$\bad$ $x_$ and $",
    "markup": "</text><script>alert(1)</script>&amp;\"'",
    "lines and tabs": "a\n\tb\r\nc",
    "Chinese": "人工智能",
}


@pytest.fixture
def run():
    target, drafter = CharacterModel(), Sampled(CharacterModel(accuracy=0.7))
    return list(generate(target, [0], drafter, gamma=3, max_new_tokens=18, seed=1)), target.alphabet


def bare(html):
    return re.sub(r' (style|title)="[^"]*"', "", html)


def test_coloured_text_marks_each_kind_even_without_style(run):
    rounds, alphabet = run
    block = coloured(rounds, alphabet.decode, prompt="<q>")
    assert block.text == "<q>Haste makes waste."
    kinds = {kind for r in rounds for kind in r.kinds}
    assert "correction" in kinds
    assert all(bare(marked(kind, kind)) in bare(block.html) for kind in kinds)
    assert len({bare(marked("x", kind)) for kind in KINDS}) == len(KINDS)


def test_scenes_use_the_palette():
    rule = STAGE.read_text("utf-8").split("\n.course-scene {")[1].split("}")[0]
    colours = dict(re.findall(r"--(\w+): (#[0-9A-F]{6});", rule))
    assert colours == {name: look.colour for name, look in ROLES.items()}


def test_text_is_escaped_and_can_be_drawn(run):
    rounds, alphabet = run
    word = "".join(ODD.values())
    written = coloured(rounds, lambda tokens: word + alphabet.decode(tokens), word)
    for page in (written, table([{word: word}], word)):
        assert printable(page.html) == page.html
        assert printable(page.text) == page.text
        assert "<script" not in page.html


def test_the_alt_text_of_a_picture_works_with_any_words():
    figure, (axes,) = panels()
    words = "".join(ODD.values())
    curves(axes, [0, 1], {f"a{words}": [0, 1], "b": [1, 2.5]}, words, words)
    axes.set_xticks(range(len(ODD)), list(ODD.values()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data, metadata = finished(figure, words, columns=2)._repr_mimebundle_()
    assert data["text/plain"].endswith("b from 1 to 2.5")
    assert printable(metadata["image/png"]["alt"]) == metadata["image/png"]["alt"]


@pytest.mark.parametrize(("text", "drawn"), [("人", "U+4EBA"), ("$x$ \\$", r"\$x\$ \$")])
def test_a_character_without_a_font_is_its_code_point_and_a_dollar_is_a_dollar(text, drawn):
    figure, (axes,) = panels()
    label = axes.text(0.5, 0.5, text)
    spell_out(figure, ())
    assert label.get_text() == drawn


def test_an_unknown_parameter_or_lesson_is_refused_with_the_known_ones(tmp_path):
    cell = new_code_cell("gamma = 3  # drafted\npair = 'tiny'", metadata={"tags": ["parameters"]})
    nbformat.write(new_notebook(cells=[cell]), path := tmp_path / "01_a.ipynb")
    assert lessons.parameters(lessons.read_lesson(path)) == {"gamma": 3, "pair": "tiny"}
    lessons.check_parameters(path, {"gamma": 5})
    with pytest.raises(ValueError, match="gamma=3, pair='tiny'"):
        lessons.check_parameters(path, {"gama": 5})
    with pytest.raises(FileNotFoundError, match="01_a"):
        lessons.lesson_paths(["7"], tmp_path)
