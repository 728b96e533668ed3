"""Three layouts of one batch, and one proof for all three."""

import numpy as np
import pytest

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.models.batched import Batched
from course_utils.models.forms import FORMS
from course_utils.models.layouts import LAYOUTS, Padded, Realigned
from course_utils.models.qwen3 import Qwen3
from course_utils.proofs.rows_alone import compare_rows
from tests.conftest import random_qwen3

PROMPTS = [
    np.random.default_rng(length).integers(97, size=length).tolist()
    for length in (9, 1, 60, 17, 2, 33)
]


@pytest.fixture(scope="module", params=FORMS)
def models(request):
    models = [Qwen3.from_transformers(random_qwen3(layers=n, context=256)) for n in (2, 1)]
    return [FORMS[request.param](m) for m in models]


@pytest.mark.parametrize("sampling", [GREEDY, Sampling()], ids=["greedy", "sampled"])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_rows_are_what_they_are_alone(models, layout, sampling):
    target, draft = map(layout, models)
    found = compare_rows(
        target, draft, PROMPTS, slots=3, sampling=sampling, gamma=3, max_new_tokens=12
    )
    assert found == []


def test_only_realigning_copies_and_only_padding_grows(models):
    sampling, found = Sampling(), {}
    for name, layout in LAYOUTS.items():
        target = layout(models[0])
        run = generate_batch(
            target, PROMPTS[:3], BatchSampled(Batched(models[1]), sampling), slots=3, gamma=3,
            sampling=sampling, max_new_tokens=12,
        )  # fmt: skip
        found[name] = target, list(run)
    realigned, padded = found["realigned"][0], found["padded"][0]
    assert realigned.copied > 0
    assert padded.copied == 0
    assert padded.columns > padded.tokens


def test_the_bytes_that_a_shift_moves(models):
    """A row of 5 tokens beside one of 8: all its keys and values, of both layers, once."""
    model = Realigned(models[0])
    batch = model.start_batch(2)
    batch.start(0, [1] * 8)
    batch.start(1, [2] * 5)
    assert model.copied == 0
    batch.extend({0: [1], 1: [2]})
    token = batch.cache[:, :, 0, :, 0].nbytes
    assert model.copied == 5 * token
    batch.extend({0: [1], 1: [2]})  # they still end together
    assert model.copied == 5 * token
    batch.rollback(0, 8)  # two back: now row 1 is two shorter than before, beside row 0
    batch.extend({0: [1], 1: [2]})
    assert model.copied == (5 + 7) * token


def test_padding_uses_its_columns_up(models):
    batch = Padded(models[0], context=64, width=20).start_batch(2)
    slots = batch.start(0, [1] * 8), batch.start(1, [2] * 5)
    batch.extend({0: [1] * 6, 1: [2] * 6})
    slots[0].rollback(8)
    with pytest.raises(ValueError, match="larger width"):
        batch.extend({0: [1] * 7, 1: [2]})
