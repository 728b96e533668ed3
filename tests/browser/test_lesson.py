"""A lesson in JupyterLab, as a student opens and runs it: its widgets and its questions live."""

import pytest
from playwright.sync_api import expect

from course_utils.classroom.notebooks import lesson_paths
from course_utils.classroom.quiz import LETTERS
from course_utils.lessons.start_here.quiz import SAME_TEXT
from tests.browser.conftest import Shown
from tests.browser.drives import DRIVES
from tests.browser.hands import SOON, Hand
from workshop.browser import lab, run_all, visiting

(LESSON,) = lesson_paths(["00"])


@pytest.fixture(scope="module")
def shown():
    with lab(LESSON) as address, visiting(1400, 1400) as visit:
        run_all(visit, address, LESSON)
        yield Shown(visit, "lesson-00")


def card(shown, words):
    """The scene that says so."""
    found = shown.visit.page.locator(".course-scene").filter(has_text=words).first
    found.scroll_into_view_if_needed()
    return found


@pytest.mark.parametrize("letter", LETTERS[: len(SAME_TEXT.choices)])
def test_each_choice_of_a_question_gets_its_answer(shown, letter):
    question = card(shown, SAME_TEXT.text)
    question.locator(".pick").nth(LETTERS.index(letter)).click()
    choice = SAME_TEXT.choices[LETTERS.index(letter)]
    expect(question).to_contain_text(choice.why, timeout=SOON)
    shown.keep(question, f"question-{letter}")


def test_the_rounds_of_the_lesson_are_alive(shown):
    scene = shown.visit.page.locator(".course-scene.round").first
    scene.scroll_into_view_if_needed()
    DRIVES["round"](scene, Hand("mouse"))


def test_every_figure_and_card_is_there_and_nothing_failed(shown):
    page = shown.visit.page
    expect(page.locator(".course-scene")).to_have_count(7)  # three questions, four scenes
    # figures of matplotlib; no widget stands beside its printed form
    expect(page.locator(".jp-RenderedImage img, .jp-RenderedSVG")).to_have_count(3)
    expect(page.get_by_text("Error displaying widget")).to_have_count(0)
    expect(page.get_by_text("Traceback")).to_have_count(0)
    shown.keep(page, "page")


def test_no_script_failed_and_nothing_left_this_machine(shown):
    assert shown.problems() == []
