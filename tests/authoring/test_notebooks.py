"""Every lesson: its form as committed, and a run with wrong answers, then the solutions.

The run as a student opens it, with the parameters as they are committed, is nbval's, in
`make test`.  What the rules of form catch is shown in `test_lint.py`.
"""

import ast
from dataclasses import astuple
from importlib import import_module

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from course_utils.classroom import progress
from course_utils.classroom.notebooks import (
    lesson_paths,
    parameters,
    read_lesson,
    room,
    solved,
    tags,
)
from course_utils.classroom.parts import exercises, questions
from course_utils.commands import course
from tests.forked_kernels import forked_kernels  # noqa: F401 (a fixture, of all of this file)
from workshop.notebooks.lint import as_text, problems, summary

LESSONS = lesson_paths()
# A shorter run, by what a lesson lets its reader change: every cell, exercise and check is in
# it.  A planner needs two rounds of nine tokens each, a batch two of five.
SHORT = {
    "00_start_here": {"max_new_tokens": 24},
    "01_character_simulator": {"runs": 100},
    "02_ngram_drafter": {"source_files": 12, "prompts": 1, "max_new_tokens": 8},
    "04_exact_proof": {"texts": 1000},
    "05_verification_rules": {"examined_pairs": 2},
    "06_speedup_theory": {"texts": 2, "max_new_tokens": 20, "simulated_rounds": 50},
    "07_decoding_with_a_cache": {"max_new_tokens": 16, "repeats": 3},
    "08_better_drafts": {"steps": 3},
    "09_adaptive_speculation": {"places": 60, "seeds": 2},
    "11_batched_speculation": {"new_tokens": 12, "sizes": [1, 8, 16]},
    "13_qwen3_speculative_decoder": {"largest_gamma": 4, "prompt_count": 1, "budget": 5},
    "greedy_or_sampled": {"length": 60},
    "grammar": {"texts": 2, "tokens": 60},
    "numerical_ties": {"text_count": 1, "max_new_tokens": 16},
    "block_at_once": {"new_tokens": 12, "chains": 8},
    "suffix_automaton": {"source_files": 12, "longest": 8000, "prompts": 1, "max_new_tokens": 8},
    "what_lossy_rules_cost": {"examined_pairs": 2, "texts": 1, "new_tokens": 20},
    "the_target_moves": {"epochs": 3, "tokens": 8, "prompts": 2, "group": 2},
}
pytestmark = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def test_the_lesson_breaks_no_rule_of_form(path, record_property):
    notebook = read_lesson(path)
    others = [read_lesson(other) for other in LESSONS if other != path]
    found = problems(notebook, path, others)
    record_property("lint", astuple(summary(path.stem, notebook, found)))
    if found:
        pytest.fail(as_text(path.stem, found), pytrace=False)


def test_a_question_is_recorded_under_the_name_of_its_tag(path):
    asked = import_module(f"{room(path)}.quiz")
    for quiz in questions(read_lesson(path)):
        assert getattr(asked, quiz.name.upper()).name == quiz.name


def wrong(stub):
    """The stub filled with nonsense: functions and methods return it, names hold it."""
    tree = ast.parse(stub)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = ast.parse("return 'nonsense'").body
        elif isinstance(node, ast.Assign):
            node.value = ast.Constant("nonsense")
    return ast.unparse(tree)


def answered_twice(notebook):
    """Each exercise with a wrong answer and its check, then with the solution and its check."""
    copy = solved(notebook)
    for exercise in reversed(exercises(notebook)):
        stub, check = notebook.cells[exercise.at].source, copy.cells[exercise.at + 1].source
        copy.cells[exercise.at : exercise.at] = [new_code_cell(wrong(stub)), new_code_cell(check)]
    return copy


def shortened(notebook, values):
    """A copy with other parameters; papermill would turn the keys of a dict into texts."""
    assert values.keys() <= parameters(notebook).keys()
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        if "parameters" in tags(cell):
            lines = [f"{name} = {value!r}" for name, value in values.items()]
            cell.source = "\n".join([cell.source, *lines])
    return copy


def test_wrong_answers_are_told_so_and_the_solved_lesson_passes_every_check(path, tmp_path):
    notebook = read_lesson(path)
    names = [exercise.name for exercise in exercises(notebook)]
    # papermill's own copy lies elsewhere; links and data are found through the package
    (tmp_path / "in").mkdir()
    progress.begin(tmp_path / "in")
    short = shortened(notebook, SHORT.get(path.stem, {}))
    nbformat.write(answered_twice(short), tmp_path / "in" / path.name)
    failure = course.run(tmp_path / "in" / path.name, tmp_path / path.name, {})
    assert failure is None, failure
    run = read_lesson(tmp_path / path.name).cells
    for exercise in exercises(read_lesson(tmp_path / path.name)):
        said = [str(run[exercise.at + offset].outputs) for offset in (-1, 1)]
        assert f"{exercise.name}: wrong" in said[0]
        assert f"{exercise.name}: passed" in said[1]
    assert progress.recorded(tmp_path / "in") == dict.fromkeys(names, "passed")
