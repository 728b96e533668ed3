"""Quiz questions: every choice is answered, what was passed stays passed."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from course_utils import lessons
from course_utils.classroom import progress
from course_utils.classroom.notebooks import lesson_paths, room
from course_utils.classroom.quiz import (
    LETTERS,
    Choice,
    Question,
    ask,
    beside,
    on_paper,
    read_quiz,
)
from course_utils.lessons.start_here.quiz import SAME_TEXT

WHY = Question(
    "why_bonus",
    "Where does the <bonus> come from?",
    (
        Choice("the draft", "The draft has no row there."),
        Choice("the target's last row", "It was computed anyway.", right=True),
    ),
)


READ = replace(WHY, choices=WHY.choices[::-1])  # shuffled
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


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_choice_of_the_course_has_a_reason_of_its_own(question):
    reasons = [choice.why for choice in question.choices]
    assert 3 <= len(set(reasons)) == len(reasons) <= 4


def test_no_letter_is_right_much_more_often_than_the_others():
    """No more than two fifths, and no less than a sixth, of the questions that have it."""
    place = [[choice.right for choice in question.choices].index(True) for question in QUESTIONS]
    right, there = Counter(place), Counter(i for q in QUESTIONS for i in range(len(q.choices)))
    rates = {LETTERS[i]: right[i] / there[i] for i in there}
    assert all(1 / 6 < rate < 2 / 5 for rate in rates.values()), rates


def test_choices_are_shuffled_alike_on_every_machine():
    said = [choice.text.split()[:3] for choice in SAME_TEXT.choices]
    assert [" ".join(words).lower() for words in said] == [
        "a little worse,", "the same, token", "the same meaning", "a little better,",
    ]  # fmt: skip


def test_no_words_of_a_question_name_a_letter():
    words = [f"{q.text} {c.text} {c.why}" for q in QUESTIONS for c in q.choices]
    named = re.compile(r"\b[a-f]\)|\b(answer|choice|option)s? [a-fA-F]\b")
    assert [said for said in words if named.search(said)] == []


def test_each_choice_gets_its_own_answer():
    wrong, right = WHY.answer(0), WHY.answer(1)
    assert (wrong.status, wrong.message) == ("wrong", "The draft has no row there.")
    assert (right.status, right.message) == ("passed", "It was computed anyway.")


def test_a_click_is_answered_by_its_reason_and_recorded(tmp_path, monkeypatch):
    """The browser shows the reason; `tests/browser` clicks it there."""
    monkeypatch.setattr(progress, "HERE", tmp_path)
    progress.begin(tmp_path)
    asked = ask(WHY)
    assert [choice["why"] for choice in asked.data["choices"]] == [c.why for c in WHY.choices]
    asked.chosen = 0
    assert progress.recorded(tmp_path) == {"why_bonus": "wrong"}
    asked.chosen = 1
    assert progress.recorded(tmp_path) == {"why_bonus": "passed"}
    asked.chosen = 0  # what was passed stays passed
    assert progress.recorded(tmp_path) == {"why_bonus": "passed"}
    assert asked.note == ""


def test_a_click_says_too_that_the_record_was_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "HERE", tmp_path)
    (tmp_path / progress.FILE).write_text("[")
    asked = ask(WHY)
    asked.chosen = 1
    assert "progress.json was damaged" in asked.note
    assert progress.recorded(tmp_path) == {"why_bonus": "passed"}


@pytest.mark.parametrize("index", [-2, 2, 99])
def test_a_choice_that_is_none_is_not_recorded(tmp_path, monkeypatch, index):
    monkeypatch.setattr(progress, "HERE", tmp_path)
    progress.begin(tmp_path)
    ask(WHY).chosen = index
    assert progress.recorded(tmp_path) == {}


def test_on_paper_every_reason_is_folded_and_escaped():
    html = on_paper(WHY).html
    assert html.count("<details>") == 2
    assert "&lt;bonus&gt;" in html
    assert "<bonus>" in on_paper(WHY).text
    assert "text/html" in ask(WHY)._repr_mimebundle_()[0]


@pytest.mark.parametrize("rights", [(False, False), (True, True), (True,), (True,) + (False,) * 6])
def test_a_question_needs_one_right_choice_of_two_to_six(rights):
    with pytest.raises(ValueError, match="name_of_it"):
        Question("name_of_it", "?", tuple(Choice("x", "y", right) for right in rights))


@pytest.fixture
def page(tmp_path):
    room = tmp_path / "made_up"
    room.mkdir()
    return room / "quiz.md"


def test_every_lesson_has_a_page_of_questions_and_no_name_is_given_twice():
    rooms = {room(path).rpartition(".")[2] for path in lesson_paths()}
    assert rooms == {page.parent.name for page in PAGES}
    names = [question.name for question in QUESTIONS]
    assert len(set(names)) == len(names)


def test_a_question_is_read_as_it_is_written(page):
    page.write_text(WRITTEN, "utf-8")
    assert read_quiz(page) == {"why_bonus": READ}


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("[x]", "[ ]", 5, "why_bonus: exactly one choice must be right"),
        ("- [ ]", "- [x]", 5, "why_bonus: exactly one choice must be right"),
        (WRITTEN[WRITTEN.index("- [ ]") :], "", 5, "why_bonus: 0 choices; give 2 to 6"),
        ("[ ]", "[?]", 10, "'- [?] the draft' is no part of a question; write `- [ ] a wrong"),
        ("[x]", "[X]", 12, '"- [X] the target\'s last row" is no part of a question'),
        ("  > It was", "It was", 13, "'It was computed' is no part of a question"),
        ("  > The draft has no row there.\n", "", 10, "'the draft' has no reason; write `  > why`"),
        ("## why", "### why", 10, "a choice of no question; `## its_name` begins one"),
        ("## why_bonus", "## Why a bonus?", 5, "'## Why a bonus?' is no name; take a-z, 0-9 and _"),
        ("Where does the\n<bonus> come from?", "", 5, "why_bonus has no text; write it below"),
    ],
)
def test_a_page_written_badly_is_refused_with_its_line(page, old, new, line, said):
    assert WRITTEN.count(old) == 1
    page.write_text(WRITTEN.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match="^" + re.escape(f"made_up/quiz.md, line {line}: {said}")):
        read_quiz(page)


def test_a_name_that_stands_twice_is_refused_at_the_second(page):
    page.write_text(WRITTEN + "\n" + WRITTEN[WRITTEN.index("## ") :], "utf-8")
    with pytest.raises(ValueError, match=r"line 16: why_bonus stands above already"):
        read_quiz(page)


def test_the_page_is_read_when_its_first_question_is_asked_for(page):
    asked, names = beside(str(page.with_suffix(".py")))
    with pytest.raises(AttributeError):  # as each import does
        asked("__path__")
    page.write_text(WRITTEN, "utf-8")
    assert names() == ["WHY_BONUS"]
    assert asked("WHY_BONUS") == READ
    with pytest.raises(AttributeError, match=r"made_up/quiz\.md has no `## why_malus`"):
        asked("WHY_MALUS")
