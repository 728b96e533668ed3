"""The rule for a lesson's minutes, how well it fits what it was fitted to, and where it is said."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.classroom.notebooks import NOTEBOOKS, lesson_paths, read_lesson
from course_utils.classroom.scene import MIME
from workshop.notebooks import times
from workshop.notebooks.times import (
    PAGES,
    Contents,
    Minutes,
    contents,
    filled,
    in_hours,
    minutes,
    practice,
    to_read,
    totals,
)

# The seven lessons that there were at commit bf1e465: what was in them, the minutes that
# their exercises stated, and a reader's estimate of a student's minutes, exercises included.
ESTIMATED = (
    (Contents(words=1439, lines=86, outputs=12, questions=3, scenes=3), 21, 40),
    (Contents(words=2169, lines=253, outputs=22, questions=3, scenes=1), 38, 65),
    (Contents(words=2136, lines=252, outputs=21, questions=3, scenes=1), 41, 75),
    (Contents(words=5818, lines=625, outputs=51, questions=3, scenes=2), 44, 160),
    (Contents(words=4147, lines=448, outputs=38, questions=3, scenes=1), 39, 110),
    (Contents(words=2663, lines=359, outputs=25, questions=3, scenes=0), 40, 100),
    (Contents(words=4299, lines=490, outputs=44, questions=3, scenes=2), 35, 110),
)
LESSONS = {path.name: read_lesson(path) for path in lesson_paths()}


def test_the_rule_is_as_far_from_the_estimates_as_it_says():
    by_rule = [to_read(there) + build for there, build, _ in ESTIMATED]
    off = [abs(rule - said) for rule, (_, _, said) in zip(by_rule, ESTIMATED, strict=True)]
    total, said = round(sum(by_rule)), sum(said for _, _, said in ESTIMATED)
    mean, most = round(sum(off) / len(off)), round(max(off))
    text = " ".join(times.__doc__.split())
    assert f"rule and reader nearly agree ({total} minutes, {said})" in text
    assert f"off by {mean} minutes on average and by {most} at most" in text


def test_the_rates_are_those_that_the_docstring_states():
    for said in (
        f"a minute for {times.WORDS_PER_MINUTE} words",
        f"{times.SECONDS_PER_LINE} seconds for a line",
        f"{times.SECONDS_PER_OUTPUT} seconds for an output",
        f"{times.MINUTES_PER_QUESTION} minute for a quiz question",
        f"{times.MINUTES_PER_SCENE} minute for a scene",
    ):
        assert said in times.__doc__


def lesson(*cells):
    stub = new_code_cell("def f(): ...\n" * 9, metadata={"tags": ["exercise-f"]})
    head = "### Exercise 1: F\n\n*Difficulty: ●●● · 22 minutes · objective 1*"
    shown = new_output("display_data", {"text/html": "<p>not attempted"})
    check = new_code_cell("checks.check_f(f)", outputs=[shown])
    return new_notebook(cells=[new_markdown_cell(head), stub, check, *cells])


def code(source, *data, **metadata):
    outputs = [new_output("display_data", mime) for mime in data]
    return new_code_cell(source, outputs=outputs, metadata=metadata)


EMPTY = contents(lesson())


@pytest.mark.parametrize(
    ("cell", "added"),
    [
        (new_markdown_cell("It's a five-word [sentence here](https://a.b/c d)."), {"words": 5}),
        (new_markdown_cell("<details><summary>Hint</summary>\n\nMany words.\n</details>"), {}),
        (new_markdown_cell("```python\na = 1\n\nb = 2\n```"), {"lines": 2}),
        (code("a\n\nb", {"image/png": "="}, {"text/html": "<table>"}), {"lines": 2, "outputs": 2}),
        (code("import a", jupyter={"source_hidden": True}), {}),
        (code("Source(f)", {"text/markdown": "```python\na\nb\nc```"}), {"lines": 4}),
        (code("a", {MIME: {"scene": "race"}}), {"lines": 1, "outputs": 1, "scenes": 1}),
        (code("a", {MIME: {"scene": "quiz"}}), {"lines": 1, "outputs": 1}),
        (code("ask(quiz.Q)", {"text/html": "<p>"}, tags=["quiz", "quiz-q"]), {"questions": 1}),
    ],
)
def test_what_is_counted_of_a_cell(cell, added):
    found = contents(lesson(cell))
    assert {k: v - vars(EMPTY)[k] for k, v in vars(found).items() if v != vars(EMPTY)[k]} == added


def test_stubs_and_their_checks_are_worked_on_and_not_read():
    assert Contents(EMPTY.words, lines=0, outputs=0, questions=0, scenes=0) == EMPTY


def test_the_minutes_are_rounded_to_five():
    assert minutes(lesson()) == Minutes(read=5, build=20)
    assert minutes(lesson(new_markdown_cell("word " * 1400))) == Minutes(read=10, build=20)
    assert minutes(lesson(new_markdown_cell("word " * 1900))) == Minutes(read=15, build=20)
    assert minutes(new_notebook()) == Minutes(0, 0)


PAGE = """Take **1 hours** (1 to read, 1 to build), or **2 hours** (2 to read, 2 to build).

| lesson | path | read / build (min) | run (s) | note |
|---|---|---|---|---|
| [one](notebooks/01_a.ipynb) | core path | 1 / 1 | 9 | 1 / 1 |
| [two](02_b.ipynb) | deep dive | 2 / 2 | 9 | |
| [one](01_a.ipynb) | too short |
| **core path** | | 3 / 3 | | |
| **everything** | | 4 / 4 | | |

| who | what |
|---|---|
| [one](01_a.ipynb) | 1 / 1 |

read 01 (99) and 02 (99); 01: all (99); 01: 2, 3 (99); 01: 1–2 (99); 07: 1 (99)
"""


def course():
    """{file name: lesson}: one of the core path, one deep dive."""
    opening = (
        "# A\n\n*{}*\n\n**Prerequisites:** no · **Time:** 1 minutes to read, "
        "8 seconds to run · **Hardware:** any\n\n"
    )
    one = lesson(new_markdown_cell("word " * 4000))
    one.cells.insert(0, new_markdown_cell(opening.format("Core path")))
    two = lesson(new_markdown_cell("word " * 9000))
    two.cells.insert(0, new_markdown_cell(opening.format("Deep dive")))
    return {"01_a.ipynb": one, "02_b.ipynb": two}


def test_a_page_is_filled_in_and_nothing_else_of_it_changes():
    text = filled(PAGE, course(), whole=True)
    hours = in_hours(Minutes(30, 20)), in_hours(Minutes(95, 40))
    assert text.startswith("Take {}, or {}.\n".format(*hours))
    assert "| [one](notebooks/01_a.ipynb) | core path | 30 / 20 | 8 | 1 / 1 |" in text
    assert "| [two](02_b.ipynb) | deep dive | 65 / 20 | 8 | |" in text
    assert "\n| [one](01_a.ipynb) | too short |\n" in text
    assert "| **core path** | | 30 / 20 | | |\n| **everything** | | 95 / 40 | | |" in text
    assert "| [one](01_a.ipynb) | 1 / 1 |" in text
    assert "read 01 (30) and 02 (65); 01: all (22); 01: 2, 3 (0); 01: 1–2 (22); 07: 1 (99)" in text
    assert filled(text, course(), whole=True) == text


def test_of_one_lesson_only_its_own_is_filled_in():
    text = filled(PAGE, {"01_a.ipynb": course()["01_a.ipynb"]})
    changed = [line for line in text.split("\n") if line not in PAGE.split("\n")]
    assert [line[:9] for line in changed] == ["| [one](n", "read 01 ("]
    assert "read 01 (30) and 02 (99); 01: all (22)" in text


def test_hours_are_rounded_to_halves_and_add_up():
    assert in_hours(Minutes(read=335, build=265)) == "**10 hours** (5½ to read, 4½ to build)"
    assert in_hours(Minutes(read=20, build=50)) == "**1½ hours** (½ to read, 1 to build)"


def test_the_minutes_of_an_exercise_are_those_of_its_checkpoints():
    built = lesson()
    built.cells[0].source = built.cells[0].source.replace("Exercise 1", "Exercise 1, checkpoint 1")
    more = lesson().cells
    more[0].source = more[0].source.replace("Exercise 1", "Exercise 1, checkpoint 2")
    built.cells += more
    assert practice(built, "1") == practice(built, "all") == 44
    assert minutes(built).build == 45


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_state_the_minutes_of_the_rule(page):
    text = (NOTEBOOKS / page).read_text("utf-8")
    assert filled(text, LESSONS, whole=True) == text, "run `make fix`"


def test_the_readme_states_the_totals_twice_and_where_they_come_from():
    text = (NOTEBOOKS / PAGES[0]).read_text("utf-8")
    core, every = (in_hours(took) for took in totals(LESSONS.values()))
    (said,) = [part for part in text.split("\n\n") if part.startswith("**How long does it take?**")]
    assert core in said
    assert every in said
    assert "course_utils/authoring/times.py" in said
    assert "nobody has" in said
