"""Quiz questions: every choice is answered, what was passed stays passed."""

import re
from collections import Counter
from pathlib import Path

import pytest

from course_utils import lessons
from course_utils.classroom import progress
from course_utils.classroom.notebooks import lesson_paths, room
from course_utils.classroom.quiz import LETTERS, Choice, Question, ask, beside, read_quiz
from course_utils.lessons.start_here.quiz import SAME_TEXT

PAGES = sorted(Path(lessons.__path__[0]).glob("*/quiz.md"))
QUESTIONS = [question for page in PAGES for question in read_quiz(page).values()]
WRITTEN = """# Quiz of a made-up lesson

Words for whoever reads the page.

## why_bonus

Where does the
<bonus> come from?

- [ ] the draft
  > The draft has no row there.
- [x] the target's last row
  > It was computed
  > anyway.
"""
WHY = Question(
    "why_bonus",
    "Where does the <bonus> come from?",
    (
        Choice("the target's last row", "It was computed anyway.", right=True),
        Choice("the draft", "The draft has no row there."),
    ),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_choice_of_the_course_has_a_reason_of_its_own_that_names_no_letter(question):
    reasons = [choice.why for choice in question.choices]
    assert 3 <= len(set(reasons)) == len(reasons) <= 4
    words = " ".join([question.text, *reasons, *(choice.text for choice in question.choices)])
    assert not re.search(r"\b[a-f]\)|\b(answer|choice|option)s? [a-fA-F]\b", words)


def test_every_lesson_has_questions_and_no_name_is_given_twice():
    rooms = {room(path).rpartition(".")[2] for path in lesson_paths()}
    assert rooms == {page.parent.name for page in PAGES}
    assert max(Counter(question.name for question in QUESTIONS).values()) == 1


def test_choices_are_shuffled_alike_on_every_machine_and_no_letter_is_right_most_often():
    assert [choice.text.split()[2] for choice in SAME_TEXT.choices] == [
        "better,", "token", "worse,", "meaning,",
    ]  # fmt: skip
    place = [[choice.right for choice in question.choices].index(True) for question in QUESTIONS]
    right, there = Counter(place), Counter(i for q in QUESTIONS for i in range(len(q.choices)))
    rates = {LETTERS[i]: right[i] / there[i] for i in there}
    assert all(1 / 6 < rate < 2 / 5 for rate in rates.values()), rates


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "HERE", tmp_path)
    progress.begin(tmp_path)
    return tmp_path


def test_a_click_is_recorded_and_what_is_no_choice_is_not(mine):
    for index, recorded in ((-2, {}), (99, {}), (1, {"why_bonus": "wrong"})):
        ask(WHY).chosen = index
        assert progress.read(mine).done == recorded
    asked = ask(WHY)
    asked.chosen = 0
    assert (asked.note, progress.read(mine).done) == ("", {"why_bonus": "passed"})
    (mine / progress.FILE).write_text("[")
    asked.chosen = 1
    assert "progress.json was damaged" in asked.note


@pytest.fixture
def page(tmp_path):
    (tmp_path / "made_up").mkdir()
    return tmp_path / "made_up/quiz.md"


def test_a_page_is_read_as_it_is_written_when_its_first_question_is_asked_for(page):
    asked, names = beside(str(page.with_suffix(".py")))
    page.write_text(WRITTEN, "utf-8")
    assert names() == ["WHY_BONUS"]
    assert asked("WHY_BONUS") == WHY
    with pytest.raises(AttributeError, match=r"made_up/quiz\.md has no `## why_malus`"):
        asked("WHY_MALUS")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[x]", "[ ]"),
        ("- [ ]", "- [x]"),
        ("  > The draft has no row there.\n", ""),
        ("## why_bonus", "## Why a bonus?"),
        ("Where does the\n<bonus> come from?", ""),
        (WRITTEN, WRITTEN + WRITTEN[WRITTEN.index("## ") :]),
    ],
)
def test_a_page_written_badly_is_refused(page, old, new):
    assert WRITTEN.count(old) == 1
    page.write_text(WRITTEN.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=r"made_up/quiz\.md, ## .*: write a name of its own"):
        read_quiz(page)
