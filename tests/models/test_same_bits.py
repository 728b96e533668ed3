"""In fixed shapes the logits of a token are the same bits, however many rows are in its pass."""

import pytest
import torch

from course_utils.decoding import GREEDY, emitted_tokens, generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.pairs import load_pair
from course_utils.models.same_bits import ROWS
from course_utils.proofs.passes import score

IDS = [(7 * i * i + 3 * i) % 4096 for i in range(140)]  # two blocks of keys and a part of one


@pytest.fixture(scope="module", params=["bfloat16", "float32"])
def pair(request):
    return load_pair("tiny", dtype=request.param, form="same-bits")


@pytest.fixture(scope="module")
def alone(pair):
    return score(pair.target, IDS[:1], IDS[1:])


@pytest.mark.parametrize("k", [2, 5, ROWS, ROWS + 1])
def test_a_row_has_the_same_bits_alone_and_among_others(pair, alone, k):
    assert torch.equal(score(pair.target, IDS[:1], IDS[1:], k), alone)


def test_its_logits_are_the_models(pair, alone):
    native = load_pair("tiny", dtype=pair.target.dtype, form="readable").target
    rows = score(native, IDS[:1], IDS[1:])
    assert rows.shape == alone.shape
    assert (rows - alone).abs().max() < {torch.float32: 1e-4, torch.bfloat16: 0.5}[native.dtype]


def test_greedy_texts_with_a_draft_are_those_without(pair):
    plain, fast = (
        emitted_tokens(
            generate(pair.target, IDS[:20], d, sampling=GREEDY, gamma=4, max_new_tokens=24)
        )
        for d in (None, Sampled(pair.draft, GREEDY))
    )
    assert plain == fast
