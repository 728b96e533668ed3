"""The site: its rendering of a lesson, and its pages once built."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.classroom.notebooks import beneath, lesson_paths
from course_utils.classroom.scene import MIME
from workshop.site import build as site

pytest.importorskip("sphinx", reason="the site's own packages are not here: `make site` gets them")

from tests.built import built_site

LESSONS = [f"notebooks/{beneath(path).with_suffix('.html').as_posix()}" for path in lesson_paths()]


def test_a_scene_comes_to_life_and_its_markup_stays_in_its_script():
    quiz = {"scene": "quiz", "data": {"text": "</script><b>"}, "alt": "<i>"}
    cell = new_code_cell("ask(quiz.X)", outputs=[new_output("display_data", {MIME: quiz})])
    stored = new_notebook(cells=[new_markdown_cell("# Title"), cell])
    (output,) = site.as_read(stored).cells[1].outputs
    assert list(output.data) == ["text/html"]
    assert output.data["text/html"].startswith('<div data-course-scene="quiz">')
    assert "</script><b>" not in output.data["text/html"]
    assert "<i>" not in output.data["text/html"]
    assert MIME in stored.cells[1].outputs[0].data  # the lesson is not touched


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ValueError, match="not empty"):
        site.build(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


@pytest.mark.slow
def test_it_is_built_and_its_lessons_are_whole():
    folder = built_site()  # raises with what Sphinx printed, if only a warning
    others = ["index", "scenes", "search", "GLOSSARY"]
    for page in [*LESSONS, *(f"{name}.html" for name in others)]:
        text = (folder / page).read_text("utf-8")
        assert len(re.findall(r"<details\b", text)) == text.count("</details>")
        if page in LESSONS:
            assert "data-course-scene=" in text, page
            assert "<summary>Solution</summary>" in text, page
            pictures = re.findall(r'<img[^>]*src="[./]+/_images[^>]*>', text)
            assert [p for p in pictures if not re.search(r'alt="[^"]+', p)] == [], page
