"""How much of a cell fits the seconds it may take, and a pair without a draft."""

from dataclasses import replace

import pytest

from course_utils.decoding.contracts import Seconds
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import Sampling
from course_utils.lessons.qwen3_speculative_decoder import budget, figures
from course_utils.lessons.qwen3_speculative_decoder.budget import Budget, measured_budget
from course_utils.models.toys.tables import TableModel

MODELS = TableModel.random(6, 2, seed=1), TableModel.random(6, 2, seed=2)


@pytest.mark.parametrize(
    ("wanted", "each", "count", "said"),
    [
        (4, {"plain": 1}, 4, ""),
        (4, {"plain": 10}, 4, "about 20 s for 4 of 4 texts\n"),
        (4, {"drafted": 120}, 3, "about 90 s for 3 of 4 texts; with budget = 120 all of them\n"),
        (4, {"plain": 100, "drafted": 200}, 1, "about 100 s for 1 of 4 texts; with budget = 400"),
        (4, {"plain": 1000}, 1, "about 500 s for 1 of 4 texts"),
    ],
)
def test_as_much_as_fits_is_done_and_many_seconds_are_said(wanted, each, count, said, capsys):
    assert Budget(plain=0.5, drafted=0.25, per_cell=100).fit(wanted, "texts", **each) == count
    out = capsys.readouterr().out
    assert out.startswith(said)
    assert bool(out) == bool(said)


def test_a_token_costs_what_a_median_round_does(monkeypatch):
    def clocked(target, prompt, drafter, **options):
        for i, r in enumerate(generate(target, prompt, drafter, **options)):
            slow = 100.0 if i == 0 else 1.0 if drafter else float(i)
            yield replace(r, seconds=Seconds(slow if drafter else 0.0, slow, slow))

    monkeypatch.setattr(budget, "generate", clocked)
    found = measured_budget(MODELS, [1], 60, Sampling(), gamma=2)
    assert (found.plain, found.per_cell) == (12.0, 60)  # the sixth of eleven
    assert 1 < found.drafted < 3  # three seconds a round of one token or more


def test_no_seconds_are_no_budget():
    for seconds in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="give the seconds that a cell may take"):
            measured_budget(MODELS, [1], seconds, Sampling(), gamma=2)


def test_a_lesson_without_a_draft_is_told_what_to_give(pair):
    with pytest.raises(ValueError, match="this lesson needs a draft: set draft to a folder"):
        figures.pair_table(replace(pair, draft=None), 64)
