"""The throughput of a server: limits and monotonicity; and lines through published tables."""

import re
from pathlib import Path

import pytest

from course_utils.engines.calculator import (
    best_k,
    cache_bytes,
    first_losing_batch,
    roofline,
    tokens_per_second,
    weight_bytes,
)
from course_utils.engines.published import EAGLE_1, EAGLE_3, TABLES, fit
from course_utils.theory.accelerators import ACCELERATORS, MODELS

PAIR = MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"]


def costs(context=0, machine="H200"):
    return roofline(ACCELERATORS[machine], *PAIR, context=context)


def test_models_have_the_published_sizes():
    billions = {name: weight_bytes(model) / 2e9 for name, model in MODELS.items()}
    sizes = {"Qwen3-0.6B": 0.596, "Qwen3-1.7B": 1.721, "Qwen3-4B": 4.022, "Qwen3-8B": 8.191,
             "Llama-3.1-8B": 8.030}  # fmt: skip
    assert billions == pytest.approx(sizes, abs=1e-3)
    assert cache_bytes(MODELS["Qwen3-4B"]) == 36 * 2 * 8 * 128 * 2


def test_a_pass_and_the_room_for_rows_by_hand():
    """Two rows with 1000 tokens of context each: bytes over bandwidth, products over FLOP/s."""
    size, draft_size = 8_044_936_192, 1_192_099_840
    turn, cache, draft_cache = costs(1000), 2 * 36 * 8 * 128 * 2, 2 * 28 * 8 * 128 * 2
    assert turn.target(2, 2) == pytest.approx((size + 2000 * cache) / 4.8e12, rel=1e-12)
    assert turn.draft(2) == pytest.approx((draft_size + 2000 * draft_cache) / 4.8e12, rel=1e-12)
    # 36 layers of 32 heads of 128: a query with each key, a weight with each value
    products = size / 2 + 2 * 36 * 32 * 128 * 1000
    assert turn.target(400, 4000) == pytest.approx(2 * products * 4000 / 989.5e12, rel=1e-12)
    draft_products = draft_size / 2 + 2 * 28 * 16 * 128 * 16
    assert costs(16).draft(500) == pytest.approx(2 * draft_products * 500 / 989.5e12, rel=1e-12)
    room = 141e9 - size - draft_size
    assert costs(8000).most_rows == int(room // (8000 * (cache + draft_cache)))
    assert costs(0).most_rows == 512


def test_longer_drafts_stop_paying_earlier_and_better_ones_later():
    """Where n (K + 1) tokens take as long as the tokens per round times 206 = 989.5 / 4.8."""
    free = roofline(ACCELERATORS["H200"], PAIR[0])
    first = [first_losing_batch(free, alpha, k) for alpha, k in ((0.0, 2), (0.5, 2), (0.5, 4))]
    assert first == [69, 121, 80]
    assert best_k(costs(), 1, 0.9) > best_k(costs(), 512, 0.9)
    assert best_k(costs(), 1, 0.0) == best_k(free, 1, 0.0) == 0


def test_what_cannot_be_is_refused():
    for rows, k, tokens in ((513, 3, 2.0), (1, 3, 0.6), (1, 3, 4.5)):
        with pytest.raises(ValueError, match=r"rows|tokens per round"):
            tokens_per_second(costs(), rows, k, tokens)
    with pytest.raises(ValueError, match=r"memory|fit"):
        costs(10**7)
    for lengths in ((2, 9), (2, 2)):
        with pytest.raises(ValueError, match="EAGLE-1"):
            fit(EAGLE_1, lengths)


def test_every_source_is_listed():
    text = (Path(__file__).parents[2] / "REFERENCES.md").read_text("utf-8")
    listed = {f"REFERENCES.md#{anchor}" for anchor in re.findall(r'<a id="(.+?)"></a>', text)}
    assert {known.source for known in (*TABLES, *ACCELERATORS.values())} <= listed


@pytest.mark.parametrize(
    ("table", "a", "c", "worst", "best"),
    [(EAGLE_1, 1.087, 0.105, 0.009, 3), (EAGLE_3, 1.181, 0.144, 0.021, 4)],
)
def test_a_straight_line_explains_six_times_and_the_best_length(table, a, c, worst, best):
    line = fit(table)
    assert (line.a, line.c) == (pytest.approx(a, abs=6e-4), pytest.approx(c, abs=5e-4))
    assert line.predicted == pytest.approx(table.times, rel=worst)
    assert line.best == table.best == best
    assert fit(table, (3, 7)).predicted[1::4] == pytest.approx(table.times[1::4])
