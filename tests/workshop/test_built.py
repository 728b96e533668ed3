"""The site as a whole: it builds without a warning, and what it promises is in its pages."""

import re
from html.parser import HTMLParser

import pytest

pytest.importorskip("sphinx", reason="the site's own packages are not here: `make site` gets them")

from course_utils.classroom.notebooks import beneath, lesson_paths
from course_utils.measuring.recorded import recorded_bench
from tests.built import built_site
from workshop.site import build as site
from workshop.site import check as site_check
from workshop.site import extension as site_sphinx

LESSONS = [f"notebooks/{beneath(path).with_suffix('.html').as_posix()}" for path in lesson_paths()]


@pytest.fixture(scope="module")
def folder():
    return built_site()  # raises with what Sphinx said, if only a warning


class Words(HTMLParser):
    """What a reader sees of a page as text, code left out, and what is folded."""

    def __init__(self, page: str):
        super().__init__()
        self.open, self.words, self.folded = [], "", ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag in ("pre", "code", "script", "style", "details"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            self.open.pop()

    def handle_data(self, data):
        if not {"pre", "code", "script", "style"} & set(self.open):
            self.words += data
        if "details" in self.open:
            self.folded += data


def words(path):
    return Words(path.read_text("utf-8"))


def test_every_page_is_there(folder):
    pages = [*LESSONS, "index.html", "scenes.html", "search.html", "404.html", "README.html"]
    pages += [f"notebooks/{page}.html" for page in ("instructor", "project", "cheatsheet")]
    pages += ["GLOSSARY.html", "REFERENCES.html", "reference/course_utils.decoding.html"]
    pages += [site_sphinx.PREVIEW]
    assert [page for page in pages if not (folder / page).exists()] == []


def test_every_link_and_anchor_leads_somewhere_and_nothing_is_fetched_from_outside(folder):
    assert list(site_check.problems(folder)) == []


@pytest.mark.parametrize("page", LESSONS)
def test_a_lesson_is_whole(folder, page):
    text = (folder / page).read_text("utf-8")
    scenes, folded = (1, 3) if "/electives/" in page else (2, 6)  # at least
    assert text.count("data-course-scene=") >= scenes
    assert "Run it yourself" in text
    shown = words(folder / page)
    assert "$" not in re.sub(r"\$\d", "", shown.words), "a formula was not read as one"
    assert "**" not in shown.words
    assert "```" not in shown.folded
    pictures = re.findall(r'<img[^>]*src="[./]+/_images[^>]*>', text)
    assert [picture for picture in pictures if not re.search(r'alt="[^"]+', picture)] == []
    assert len(re.findall(r"<details\b", text)) == text.count("</details>") >= folded
    assert 'class="next-page"' in text or page == LESSONS[-1]


def test_solutions_are_folded_and_their_code_is_coloured(folder):
    text = (folder / LESSONS[0]).read_text("utf-8")
    solution = text.partition("<summary>Solution</summary>")[2].partition("</details>")[0]
    assert "highlight-python" in solution
    assert "<details open" not in text


def test_the_words_of_the_glossary_are_linked(folder):
    text = (folder / LESSONS[0]).read_text("utf-8")
    assert 'href="../GLOSSARY.html#target-model"' in text
    assert 'id="target-model"' in (folder / "GLOSSARY.html").read_text("utf-8")


def test_the_cheat_sheet_leads_to_the_functions(folder):
    text = (folder / "notebooks/cheatsheet.html").read_text("utf-8")
    function = "course_utils.decoding.rules.chain.residual"
    assert f'href="../reference/course_utils.decoding.html#{function}"' in text


def test_the_start_page_answers_five_questions(folder):
    shown = words(folder / "index.html").words
    for question in ("What is it?", "Why is it faster?", "Why is the text the same?"):
        assert question in shown
    assert "When does it not pay?" in shown
    assert "What do I do next?" in shown
    assert "data-course-scene=" in (folder / "index.html").read_text("utf-8")


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ValueError, match="choose another"):
        site.build(tmp_path, recorded_bench())
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
