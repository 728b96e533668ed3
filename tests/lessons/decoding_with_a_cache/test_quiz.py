"""Lesson 07's quiz: what its right answers say is what the course's code does."""

import torch

from course_utils.classroom.notebooks import lesson_paths, read_lesson
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.decoding_with_a_cache import quiz as lesson_07
from course_utils.lessons.decoding_with_a_cache.players import NeverRollsBack, every_ending
from course_utils.models.names import held_out_prompts
from course_utils.models.toys.tables import TableModel


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_a_rollback_erases_nothing_and_counts_two_fewer(pair):
    assert right(lesson_07.WHAT_A_ROLLBACK_ERASES).startswith("Nothing. The cache counts two")
    session = pair.target.start(range(1, 20))
    session.extend([5, 6, 7, 8])
    before, address, length = session.cache.clone(), session.cache.data_ptr(), session.length
    session.rollback(length - 2)
    assert session.length == length - 2
    assert session.cache.data_ptr() == address
    # bit by bit: slots that were never written may hold anything, also NaN
    assert torch.equal(session.cache.view(torch.int32), before.view(torch.int32))
    assert (before[..., length - 2 : length, :] != 0).any()


def test_after_full_acceptance_the_draft_lacks_two_tokens():
    assert right(lesson_07.WHAT_THE_DRAFT_LACKS).startswith("Two")
    records = every_ending(TableModel.random(9, order=1, seed=0), [1, 2, 3], [4, 5, 6, 7], 8)
    assert [record["not processed"] for record in records] == [1, 1, 1, 1, 2]


def test_a_draft_that_never_rolls_back_costs_acceptance_and_leaves_the_text(pair):
    assert right(lesson_07.A_DRAFT_THAT_NEVER_ROLLS_BACK).startswith("The acceptance: fewer")
    prompts = [pair.encode(code) for code in held_out_prompts("code")[:2]]
    settings = {"sampling": GREEDY, "max_new_tokens": 48}

    def rounds(kind):
        run = []
        for prompt in prompts:
            run += generate(pair.target, prompt, kind(pair.draft), **settings)
        return run

    well, badly = rounds(Sampled), rounds(NeverRollsBack)
    assert emitted_tokens(well) == emitted_tokens(badly)
    rates = [summarise(run).accepted_per_examined for run in (well, badly)]
    assert rates[1] < rates[0] - 0.05


def test_what_exercise_5_asks_stands_right_before_its_stub():
    (path,) = lesson_paths(["07"])
    cells = read_lesson(path).cells
    stub = next(i for i, cell in enumerate(cells) if cell.id == "ex-guesses_within")
    assert cells[stub - 1].source.startswith("### Exercise 5")
