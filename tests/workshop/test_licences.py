"""Works of others in the course come with their licence, as text and not as a link."""

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.classroom.scene import bundle, scene_page

ROOT = NOTEBOOKS.parent
FONTS = ROOT / "site/_static/katex/fonts"


def test_the_excerpts_of_python_come_with_its_licence():
    text = (ROOT / "data/PYTHON-LICENSE.txt").read_text("utf-8")
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in text
    assert "Copyright (c) 2001" in text
    for page in ("README.md", "data/README.md"):
        assert "PYTHON-LICENSE.txt)" in (ROOT / page).read_text("utf-8")


def test_katex_and_each_of_its_fonts_come_with_theirs():
    assert "The MIT License" in (FONTS.parent / "LICENSE").read_text("utf-8")
    text = (FONTS / "OFL.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    for font in FONTS.glob("*.woff2"):
        assert font.name.partition("-")[0] in text


def test_a_page_that_has_the_scenes_in_it_has_the_licences_of_their_packages():
    page = scene_page([{"scene": "round", "data": {}, "alt": "a round"}])
    notices = bundle()[bundle().index("/*! d3-") :]
    assert notices.replace("</", "<\\/") in page
