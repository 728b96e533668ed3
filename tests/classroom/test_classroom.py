"""Coloured text, tables, source and the tools of lessons."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.classroom import notebooks as lessons
from course_utils.classroom.source import Source
from course_utils.classroom.table import markup_table, table, text_table
from course_utils.classroom.tokens import coloured
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.characters import CharacterModel


@pytest.fixture
def run():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=18, seed=1))
    return rounds, target.alphabet.decode


def test_coloured_text_names_each_kind_and_escapes_everything(run):
    rounds, decode = run
    block = coloured(rounds, decode, prompt="<q>")._repr_mimebundle_()
    assert block["text/plain"] == "<q>人工智能是未来科技发展的核心驱动力。"
    assert "&lt;q&gt;" in block["text/html"]
    assert "<q>" not in block["text/html"]
    for kind in {kind for r in rounds for kind in r.kinds}:
        assert f">{kind}<" in block["text/html"]
    rude = coloured(rounds, lambda tokens: "<script>" * len(tokens)).html
    assert "<script>" not in rude
    assert rude.count("&lt;script&gt;") == 18


def test_a_table_reads_well_as_text_and_as_markup():
    shown = table([{"gamma": 1, "<x>": 1.23456}, {"gamma": 10, "<x>": None}], "Title")
    assert shown.text.splitlines() == ["Title", "gamma   <x>", "    1  1.23", "   10     –"]
    assert "&lt;x&gt;" in shown.html


def test_columns_are_as_wide_as_their_longest_cell_and_set_left_or_right():
    lines = [("lesson", "cells", "state"), ("00", "7", "open")]
    assert text_table(lines, left=(0, 2)).splitlines() == [
        "lesson  cells  state",
        "00          7  open",
    ]
    html = markup_table(lines[0], [["<b>00</b>", "7", "open"]], left=(0, 2))
    assert '<td style="text-align:left"><b>00</b></td><td style="text-align:right">7</td>' in html


def test_source_shows_the_shared_code():
    assert "def generate(" in Source(generate)._repr_mimebundle_()["text/markdown"]


def notebook():
    solution = "<details>\n\n```python\ndef f():\n    return 1\n```\n</details>"
    return new_notebook(
        cells=[
            new_code_cell("gamma = 3  # drafted\npair = 'tiny'", metadata={"tags": ["parameters"]}),
            new_code_cell("def f(): ...", metadata={"tags": ["exercise", "exercise-f"]}),
            new_markdown_cell(solution, metadata={"tags": ["solution", "solution-f"]}),
        ]
    )


def test_parameters_are_read_from_the_tagged_cell():
    assert lessons.parameters(notebook()) == {"gamma": 3, "pair": "tiny"}


def test_an_unknown_parameter_is_refused_with_the_known_ones(tmp_path):
    nbformat.write(notebook(), tmp_path / "01_x.ipynb")
    lessons.check_parameters(tmp_path / "01_x.ipynb", {"gamma": 5})
    with pytest.raises(ValueError, match=r"no parameter 'gama'; it has gamma=3, pair='tiny'"):
        lessons.check_parameters(tmp_path / "01_x.ipynb", {"gama": 5})


def test_solutions_take_the_place_of_stubs():
    original = notebook()
    assert lessons.solved(original).cells[1].source == "def f():\n    return 1"
    assert original.cells[1].source == "def f(): ..."
    del original.cells[2]
    with pytest.raises(ValueError, match="'f' has no solution"):
        lessons.solved(original)


def test_lessons_are_found_by_the_beginning_of_their_name(tmp_path):
    for name in ("03_b.ipynb", "01_a.ipynb", "notes.ipynb"):
        (tmp_path / name).touch()
    assert [p.stem for p in lessons.lesson_paths(folder=tmp_path)] == ["01_a", "03_b"]
    assert [p.stem for p in lessons.lesson_paths(["03"], tmp_path)] == ["03_b"]
    with pytest.raises(FileNotFoundError, match=r"begins with '7'; there are 01_a, 03_b"):
        lessons.lesson_paths(["7"], tmp_path)
    with pytest.raises(FileNotFoundError, match="no lessons"):
        lessons.lesson_paths(folder=tmp_path / "none")
