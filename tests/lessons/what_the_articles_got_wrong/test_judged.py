"""The verdicts: each from its cases, the formulas those of the theory, the decoders as they say."""

import pytest
import torch

from course_utils.decoding.theory import optimal_gamma
from course_utils.lessons.what_the_articles_got_wrong import claimed, manners, printed
from course_utils.lessons.what_the_articles_got_wrong.checks import FAULTS
from course_utils.lessons.what_the_articles_got_wrong.rows import (
    DEPENDS,
    TRUE,
    WRONG,
    Line,
    as_table,
)
from course_utils.lessons.what_the_articles_got_wrong.specimens import (
    decoder_a,
    decoder_b,
    decoder_c,
    distance,
)
from course_utils.models.toys.tables import RowPerText, TableModel


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [([True, True], TRUE), ([True, False], DEPENDS), ([False, False], WRONG), ([False], WRONG)],
)
def test_a_verdict_is_that_of_its_cases(holds, verdict):
    line = Line("000", "<a claim>", holds, "computed")
    assert line.verdict == verdict
    assert verdict in as_table([line]).text
    assert "&lt;a claim&gt;" in as_table([line]).html


def test_what_needs_no_model_is_judged_as_it_was():
    found = {line.claim: (line.verdict, line.computed) for line in claimed.lines()}
    assert [verdict for verdict, _ in found.values()].count(WRONG) == 6
    assert "7.5 times; best is γ = 4, 1.98." in str(found)
    assert "2.40 to 4.11 with c = 0.1, 1.66 to 2.84 with c = 0.2" in str(found)
    assert "0.375 to 0.641 for α from 0.5 to 0.9 at c = 0.15" in str(found)
    assert "0.672 to 0.800" in str(found)
    assert claimed.optimal_rate((0.7,)).verdict == TRUE  # of one alpha there is one rate


@pytest.mark.parametrize(("alpha", "c"), [(0.7, 0.1), (0.8, 0.3), (0.9, 0.2)])
def test_the_best_number_is_that_of_the_theory_or_none(alpha, c):
    assert claimed.best_count(alpha, c, 19) == optimal_gamma(alpha, c)[0]
    assert claimed.best_count(c, alpha, 19) == 0


def test_the_decoders_are_as_the_exercise_says():
    found = [distance(decoder) for decoder in (decoder_a, decoder_b, decoder_c)]
    assert [tv < 1e-12 for tv in found] == [place == "none" for place in FAULTS.values()]
    assert min(found[1:]) > 0.01


def test_programs_are_judged_without_a_pair_of_models():
    alone = (
        manners.exact_rule, manners.goes_on_after_the_end, manners.draft_follows, manners.accuracy,
        manners.first_loop, manners.second_loop, manners.chosen_by_length,
        manners.softened_training, manners.blockwise,
    )  # fmt: skip
    verdicts = {line().claim: line().verdict for line in alone}
    assert [*verdicts.values()].count(TRUE) == 2
    assert [*verdicts.values()].count(DEPENDS) == 3
    assert verdicts["The longer the text, the larger the best draft."] == WRONG
    counted = manners.accuracy()  # what is missing counts as wrong
    assert (counted.holds, "50%" in counted.computed) == ([False, True], True)


def test_programs_are_judged_on_any_pair():
    target, draft = RowPerText(5, seed=0), RowPerText(5, seed=1)
    texts = [[0, 1, 2, 3, 4] * 3, [4, 3, 2, 1, 0] * 3]
    cache = manners.memory_saving(target, texts)
    assert cache.holds == [False, False, False]
    assert "stops with a NameError" in cache.computed
    assert manners.best_temperature(target, draft, texts).holds[:2] == [True, False]


def test_q_is_0_only_where_it_is_looked_up_with_fewer_bits():
    for least, verdict in ((1e-9, DEPENDS), (1e-3, WRONG)):
        line = manners.smallest_q(TableModel([least, 1 - least]), [0])
        assert line.verdict == verdict
    assert "1 of 2 tokens" in manners.smallest_q(TableModel([1e-9, 1 - 1e-9]), [0]).computed


@pytest.mark.parametrize("line", [manners.first_loop, manners.second_loop])
def test_a_loop_is_judged_by_what_it_writes(line, monkeypatch):
    assert line().verdict == WRONG
    whole = torch.zeros(1, 100) if line is manners.first_loop else [0] * 100
    monkeypatch.setattr(manners.printed, line.__name__, lambda *_: whole)
    assert line().verdict == TRUE


def test_the_first_loop_adds_nothing_or_fails():
    other = TableModel([0.9, 0.1]).distribution, TableModel([0.1, 0.9]).distribution
    same = TableModel([0.1, 0.9]).distribution
    assert printed.first_loop(*other, [0], gamma=3, length=8).tolist() == [[0]]
    with pytest.raises(IndexError):
        printed.first_loop(same, same, [0], gamma=3, length=8)
    assert printed.second_loop(*other, [0], gamma=3, length=8) == []
    assert printed.second_loop(same, same, [0], gamma=3, length=8) == [1] * 8


def test_the_adaptive_draft_chooses_by_the_length_alone():
    adaptive = printed.ChosenByLength()
    for _ in range(100):
        adaptive.note(2, 1.0)
    assert adaptive.rates[2] > 0.99
    assert [adaptive.choose(n) for n in (99, 100, 499, 500)] == [0, 1, 1, 2]


def test_the_figure_says_how_far_the_nearest_claim_is():
    cells = claimed.printed_table()
    assert len(cells) == 12
    assert all(cell["claimed"] > 1.5 * cell["best"] >= 1.5 * cell["true"] for cell in cells)
