"""What a server would bring: limits, what grows with what, and what is refused."""

from dataclasses import replace
from itertools import pairwise

import pytest

from course_utils.classroom.memory_examples import Model, Shape
from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import (
    Costs,
    bytes_held,
    cached_bytes,
    off_from,
    roofline,
    seconds_per_token,
    speedup,
    tokens_per_second,
)

H200 = ACCELERATORS["H200"]
PAIR = MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"]


def costs(context=0, **more):
    return roofline(H200, *PAIR, context=context, **more)


SETTINGS = {
    "no context": costs(),
    "1024 tokens": costs(1024),
    "8192 tokens": costs(8192),
    "a free draft": roofline(H200, PAIR[0], context=512),
    "an L4": roofline(ACCELERATORS["L4"], *PAIR, context=256),
    "host": replace(costs(), host=lambda rows: 3e-4),
}
some = pytest.mark.parametrize("found", SETTINGS.values(), ids=SETTINGS)


def test_models_have_the_published_sizes():
    billions = {name: bytes_held(model) / 2e9 for name, model in MODELS.items()}
    assert billions == pytest.approx(
        {
            "Qwen3-0.6B": 0.596, "Qwen3-1.7B": 1.721, "Qwen3-4B": 4.022, "Qwen3-8B": 8.191,
            "Llama-3.1-8B": 8.030,
        },
        abs=1e-3,
    )  # fmt: skip
    assert cached_bytes(MODELS["Qwen3-4B"]) == 36 * 2 * 8 * 128 * 2


def test_weights_of_four_bits_keep_a_cache_of_sixteen():
    """42.2 GB are left beside the weights; a row of 2048 tokens takes 0.74 GB of them, not 0.23."""
    # as their configs have them; the 1B is tied, the 70B is not (REFERENCES.md: llama2024)
    large = Shape(80, 8192, 28672, 64, vocab_size=128_256, tie_word_embeddings=False)
    target = Model("70B", large, width=0.5)
    draft = Model("1B", Shape(16, 2048, 8192, 32, head_dim=64, vocab_size=128_256))
    h100 = ACCELERATORS["H100 SXM"]
    assert bytes_held(Model("70B", large)) == pytest.approx(141.1e9, rel=1e-3)
    assert bytes_held(draft) == pytest.approx(2.472e9, rel=1e-3)
    assert cached_bytes(target) == 4 * 80 * 8 * 128
    assert roofline(h100, target, draft, context=2048).most_rows == 57
    eight_bits = replace(target, cache_width=1)
    assert roofline(h100, eight_bits, draft, context=2048).most_rows == 104


def test_a_draft_with_a_window_reads_and_keeps_only_that():
    whole, window = costs(4096), costs(4096, draft_context=512)
    assert window.draft(32) == costs(512).draft(32) < whole.draft(32)
    assert window.target(32, 96) == whole.target(32, 96)
    assert window.most_rows > whole.most_rows


def test_a_pass_by_hand():
    """Two rows with 1000 tokens of context each: bytes over bandwidth, and products over FLOP/s."""
    size, draft_size = 8_044_936_192, 1_192_099_840
    found = costs(1000)
    cache, draft_cache = 2 * 36 * 8 * 128 * 2, 2 * 28 * 8 * 128 * 2
    assert found.target(2, 2) == pytest.approx((size + 2000 * cache) / 4.8e12, rel=1e-12)
    assert found.draft(2) == pytest.approx((draft_size + 2000 * draft_cache) / 4.8e12, rel=1e-12)
    # 36 layers of 32 heads of 128: a query with each key, a weight with each value
    products = size / 2 + 2 * 36 * 32 * 128 * 1000
    assert found.target(400, 4000) == pytest.approx(2 * products * 4000 / 989.5e12, rel=1e-12)


def test_as_many_rows_as_the_memory_has_room_for():
    room = 141e9 - 8_044_936_192 - 1_192_099_840
    assert costs(8000).most_rows == int(room // (8000 * (2 * 36 + 2 * 28) * 8 * 128 * 2))
    assert costs(0).most_rows == 512


@some
def test_longer_drafts_stop_paying_earlier_and_better_ones_later(found):
    def off(alpha, k):
        return off_from(found, alpha, k) or 10**6

    alphas, ks = (0.3, 0.6, 0.8, 1.0), (1, 2, 4, 8)
    table = {(alpha, k): off(alpha, k) for alpha in alphas for k in ks}
    for alpha in alphas:
        assert all(table[alpha, longer] <= table[alpha, k] for k, longer in pairwise(ks))
    for k in ks:
        column = [table[alpha, k] for alpha in alphas]
        assert column == sorted(column)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: tokens_per_second(costs(), 0, 3, 2.0), "0 rows"),
        (lambda: tokens_per_second(costs(), 513, 3, 2.0), "hold for 1 to 512"),
        (lambda: tokens_per_second(costs(), 1, -1, 1.0), "K is -1"),
        (lambda: tokens_per_second(costs(), 1, 3, 0.6), "acceptance rate"),
        (lambda: tokens_per_second(costs(), 1, 3, 4.5), "1 to K"),
        (lambda: costs(-1), "context is -1"),
        (lambda: costs(512, draft_context=513), "draft_context is 513; give 0 to the context"),
        (lambda: costs(10**7), "do not fit the 141 GB of H200"),
        (lambda: roofline(ACCELERATORS["L4"], MODELS["Llama-3.1-8B"], PAIR[0]), "larger accel"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(ask, said):
    with pytest.raises(ValueError, match=said):
        ask()


def test_measured_costs_are_as_good_as_computed_ones():
    found = Costs(target=lambda rows, tokens: 1e-3 * tokens, draft=lambda rows: 0.0)
    assert speedup(found, 4, 2, 3.0) == pytest.approx(1.0)
    assert seconds_per_token(found, 4, 0, 1.0) == pytest.approx(4e-3)


def test_a_free_draft_that_is_always_right_loses_nowhere():
    for machine in ACCELERATORS.values():
        assert off_from(roofline(machine, MODELS["Qwen3-0.6B"]), 1.0, 2) is None
