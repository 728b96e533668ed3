"""What the site makes of lessons, texts and docstrings; each piece alone."""

import doctest
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.classroom.kit import ask
from course_utils.classroom.notebooks import NOTEBOOKS, beneath, lesson_paths, read_lesson
from course_utils.classroom.scene import MIME
from course_utils.commands.gallery import EXHIBITS
from course_utils.decoding.rules.chain import token_wise
from course_utils.decoding.theory import expected_tokens, speedup
from course_utils.lessons.start_here import quiz
from course_utils.measuring.recorded import recorded_bench
from workshop.site import build as site
from workshop.site import check as site_check
from workshop.site import extension as site_sphinx
from workshop.site import pages as site_pages

MODULES = (site_pages, site_sphinx, site)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0


def lesson(*outputs, title="# Title\n\nText."):
    cell = new_code_cell("ask(quiz.X)", outputs=list(outputs))
    return new_notebook(cells=[new_markdown_cell(title), cell])


def a_scene():
    data, _ = ask(quiz.SAME_TEXT)._repr_mimebundle_()
    return new_output("display_data", data)


def test_a_scene_comes_to_life_and_its_paper_stays_away():
    shown = site_pages.as_read(lesson(a_scene()), site_pages.run_button("make lab"))
    (output,) = shown.cells[1].outputs
    assert list(output.data) == ["text/html"]
    assert output.data["text/html"].startswith('<div data-course-scene="quiz">')
    assert "Run it yourself" in shown.cells[0].source
    assert shown.cells[0].source.startswith("# Title\n")


def test_markup_in_a_scene_stays_in_its_script():
    output = new_output(
        "display_data", {MIME: {"scene": "quiz", "data": {"text": "</script><b>"}, "alt": "<i>"}}
    )
    (html,) = [
        out.data["text/html"] for out in site_pages.as_read(lesson(output), "").cells[1].outputs
    ]
    assert "</script><b>" not in html
    assert "<i>" not in html


def test_a_picture_keeps_its_words_and_the_lesson_is_not_touched():
    picture = new_output(
        "display_data", {"image/png": "aGk="}, metadata={"image/png": {"alt": "words"}}
    )
    stored = lesson(picture)
    shown = site_pages.as_read(stored, "")
    assert shown.cells[1].metadata.mystnb.image.alt == "words"
    assert "mystnb" not in stored.cells[1].metadata


def test_folded_imports_stay_folded():
    stored = lesson()
    stored.cells.append(new_code_cell("import math", metadata={"jupyter": {"source_hidden": True}}))
    shown = site_pages.as_read(stored, "")
    assert ["tags" in cell.metadata for cell in shown.cells[1:]] == [False, True]
    assert shown.cells[2].metadata.tags == ["hide-input"]
    assert "tags" not in stored.cells[2].metadata


def test_stored_links_to_pages_lead_to_pages():
    html = new_output("display_data", {"text/html": '<a href="../REFERENCES.md#vllm">x</a>'})
    (output,) = site_pages.as_read(lesson(html), "").cells[1].outputs
    assert output.data["text/html"] == '<a href="../REFERENCES.html#vllm">x</a>'


def test_the_page_of_scenes_has_each_scene_and_folds_the_questions():
    page = site_pages.gallery({NOTEBOOKS / "00_start_here.ipynb": lesson(a_scene())})
    for one in EXHIBITS:
        title = f"(scene-{one.name})=\n## {one.caption}"
        assert (title in page) != one.of_the_pair
    assert page.index('data-course-scene="round"') < page.index("00 start here: 1 questions")


def test_each_scene_of_the_lessons_has_a_small_picture_and_a_promise():
    pictures = site_pages.thumbnails(map(read_lesson, lesson_paths()))
    said = (site.SITE / "scenes.md").read_text("utf-8")
    assert re.findall(r"\(pictures/(\w+)\.png\)\]\(#scene-(\w+)\)", said) == [
        (n, n) for n in pictures
    ]
    assert set(pictures) == {
        s["scene"] for p in lesson_paths() for s in site_pages.scenes_of(read_lesson(p))
    } - {"quiz", "live"}
    assert max(map(len, pictures.values())) < 40_000  # bytes


def test_a_link_that_is_shared_shows_a_picture_if_the_address_is_known():
    assert "og:image" not in site_sphinx.shared("notebooks/a", "A", "")
    said = site_sphinx.shared("notebooks/a", '"A" & B', "https://example.org/course/")
    assert 'property="og:title" content="&quot;A&quot; &amp; B"' in said
    assert 'property="og:url" content="https://example.org/course/notebooks/a.html"' in said
    assert f'"og:image" content="https://example.org/course/{site_sphinx.PREVIEW}"' in said


def test_the_figures_of_the_start_page_are_the_recorded_ones():
    lessons = [read_lesson(path) for path in lesson_paths()]
    bench = recorded_bench()
    said = site.figures(lessons, bench)
    assert float(said["v_k"]) == pytest.approx(bench["costs"]["T=0 float32"]["v"][5], abs=0.005)
    readme = " ".join((NOTEBOOKS.parent / "README.md").read_text("utf-8").split())
    assert f"large model is called {said['calls']} times for {said['tokens']} tokens" in readme
    assert said["bench"] == "python -m workshop bench"
    with pytest.raises(ValueError, match="make notebooks"):
        site.figures([lesson()], bench)
    with pytest.raises(ValueError, match="nonsense"):
        site.filled("{{ nonsense }}", said)


def test_the_start_page_says_what_its_sums_are_of(monkeypatch):
    monkeypatch.setattr(site, "ALPHA", 0.7)
    monkeypatch.setattr(site, "C", 0.25)
    said = site.figures([read_lesson(lesson_paths()[0])], recorded_bench())
    alpha, c = (float(said[name].removesuffix(" %")) / 100 for name in ("alpha", "c"))
    assert said["expected"] == f"{expected_tokens(alpha, int(said['gamma'])):.1f}"
    assert said["speed_free"] == f"{speedup(alpha, int(said['gamma']), c):.1f}"
    page = (NOTEBOOKS.parent / "site" / "index.md").read_text("utf-8")
    assert {"alpha", "gamma", "c", "k", "p", "q"} <= set(re.findall(r"{{ (\w+) }}", page))


def test_accepted_and_corrected_make_p():
    """The picture's parts are those of the rule, not of a sketch."""
    shown = [float(part) for part in re.findall(r"--part:([\d.]+)", site.parts())]
    assert sum(shown) == pytest.approx(1)
    assert shown == pytest.approx([0.3, 0.2, 0.2, 0.2, 0.1])
    assert token_wise(site.P[None], site.Q[None], [2], [0.21, 0.4]).accepted == 0


def test_every_lesson_stands_in_the_list():
    listed = site.lessons_list((NOTEBOOKS.parent / "README.md").read_text("utf-8"))
    pages = re.findall(r'href="notebooks/([\w/]+)\.html"', listed)
    assert pages == [beneath(path).with_suffix("").as_posix() for path in lesson_paths()]


def test_the_check_finds_what_is_wrong(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">1</a><a href="b.html#gone">2</a><a href="gone.html">3</a>'
        '<a href="https://example.org">4</a><img src="https://example.org/x.png">'
        '<script src="//example.org/x.js"></script><link rel="stylesheet" href="s.css">'
        '<a href="#gone">5</a><img src="data:image/png;base64,aGk=">'
    )
    (tmp_path / "b.html").write_text('<p id="there">')
    (tmp_path / "s.css").write_text("p { background: url('https://example.org/y.png') }")
    assert sorted(site_check.problems(tmp_path)) == [
        "a.html: a.html has no anchor #gone",
        "a.html: b.html has no anchor #gone",
        "a.html: fetches //example.org/x.js from outside",
        "a.html: fetches https://example.org/x.png from outside",
        "a.html: the link gone.html leads nowhere",
        "s.css: fetches https://example.org/y.png from outside",
    ]
