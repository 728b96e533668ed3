"""The calculator's view equals `engines`, and its sentence equals the view."""

from dataclasses import replace

import pytest

from course_utils.engines.calculator import first_losing_batch, roofline, tokens_per_second
from course_utils.lessons.production_engines.calculator_view import (
    KS,
    LIMITS,
    Setting,
    calculator_view,
    crossovers,
)
from course_utils.theory.accelerators import ACCELERATORS, MODELS
from course_utils.theory.speedup import expected_tokens

FULL = Setting("L4", "Qwen3-8B", context=32768)


def costs(setting: Setting, drafting: bool):
    draft = MODELS[setting.draft] if drafting and setting.draft else None
    machine, target = ACCELERATORS[setting.machine], MODELS[setting.target]
    return roofline(machine, target, draft, context=setting.context)


@pytest.mark.parametrize(
    "setting", [Setting(), Setting("L4", context=1024, limit=50), Setting(draft=None, alpha=0.5)]
)
def test_the_view_equals_the_engines_calculator(setting):
    view, limit = calculator_view(setting), setting.limit / 1000
    for k, speeds, off, within, served in zip(
        KS, view.speeds, view.off, view.within, view.served, strict=True
    ):
        turn_costs, tokens = costs(setting, k > 0), expected_tokens(setting.alpha, k)
        assert len(speeds) == turn_costs.most_rows
        for rows in (1, len(speeds) // 2, len(speeds)):
            wait = rows / tokens_per_second(turn_costs, rows, k, tokens)
            assert rows / speeds[rows - 1] == pytest.approx(wait, rel=1e-12)
            assert (wait <= limit) == (rows <= within)
        assert off == (first_losing_batch(turn_costs, setting.alpha, k) if k else None)
        assert served == pytest.approx(max(speeds[:within], default=0))


def test_at_the_opening_a_draft_wins_within_the_limit_and_loses_without_one():
    view = calculator_view(Setting())
    assert max(view.served) > view.served[0]
    loose = calculator_view(replace(Setting(), limit=LIMITS[-1]))
    assert max(loose.served) == loose.served[0]
    assert all(view.off[1:])  # each K has a crossover to be guessed


def test_the_sentence_has_the_views_numbers():
    view = calculator_view(Setting(context=1024))
    assert crossovers(view) == (
        f"K = 2 pays up to the memory's end, {len(view.speeds[1])} in a batch; "
        f"K = 4 loses from {view.off[2]} requests on; K = 8 loses from {view.off[3]} requests on."
    )
    assert "K = 8 loses from 1 request on" in crossovers(calculator_view(Setting(alpha=0.1)))
    assert calculator_view(FULL).speeds[1:] == ((), (), ())  # only plain decoding fits
    assert "do not fit" in crossovers(calculator_view(FULL))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"machine": "B9000"}, "machine is 'B9000'"),
        ({"target": "Qwen3-1.7B", "draft": "Qwen3-1.7B"}, "draft is"),
    ],
)
def test_values_that_the_controls_do_not_offer_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Setting(**wrong)
