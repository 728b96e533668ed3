"""A batch of texts in one cache: each row equals its text alone, whatever its neighbours."""

import numpy as np
import pytest

from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import Each
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.qwen3 import batched
from course_utils.models.qwen3.batched import Batched
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.batch_invariance import BatchDecoder, compare_rows
from tests.conftest import random_qwen3

CONTEXT, VOCABULARY = 512, 97


@pytest.fixture(scope="module", params=FORMS)
def pair(request) -> tuple[Batched, Batched]:
    """Return a target and, as a draft that sometimes agrees, its first layer."""
    models = [Qwen3.from_transformers(random_qwen3(layers=n, context=CONTEXT)) for n in (2, 1)]
    return tuple(Batched(FORMS[request.param](m)) for m in models)


def prompts(lengths, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(VOCABULARY, size=length).tolist() for length in lengths]


@pytest.mark.parametrize("batch", [1, 2, 7])
def test_every_row_says_and_accepts_what_it_does_alone(pair, batch):
    """Lengths 1 to 400; one more prompt than slots."""
    lengths = np.linspace(1, 400, batch + 1).astype(int)
    texts = prompts(np.random.default_rng(batch).permutation(lengths), seed=batch)
    sampling = GREEDY if batch % 2 else Sampling()
    differences = compare_rows(
        *pair, texts, slots=batch, sampling=sampling, seed=batch, gamma=1 + batch % 5,
        max_new_tokens=6, stop_tokens=(7,),
    )  # fmt: skip
    assert differences == []


def test_rows_that_reach_the_context_and_rows_that_look_up(pair):
    texts = [[5, 6] * 253, [1, 2, 3] * 5, *prompts([511, 509, 1])]
    lookup = BatchDecoder(
        drafter=lambda model: Each(PromptLookup), alone=lambda model: PromptLookup()
    )
    for decoder in ((), (lookup,)):
        assert compare_rows(*pair, texts, *decoder, slots=3, max_new_tokens=9) == []


def test_a_wrong_argument_is_an_error_before_any_work(pair, monkeypatch):
    target = pair[0]
    batch = target.start_batch(2)
    batch.start(0, [1] * (CONTEXT - 1))
    with pytest.raises(ValueError, match="512"):
        batch.extend({0: [1, 2], 1: [1]})
    assert batch.lengths == [CONTEXT - 1, 0]
    with pytest.raises(ValueError, match="slot"):
        batch.start(2, [1])
    monkeypatch.setattr(batched, "memory_of", lambda device: (batch.cache.nbytes, 0))
    assert target.start_batch(2).cache.nbytes == batch.cache.nbytes
    with pytest.raises(ValueError, match="2 slots"):
        target.start_batch(3)
    with pytest.raises(ValueError, match="Separately"):  # only a Qwen3 is batched
        Batched(TableModel.random(4, 1, 0))


def test_a_full_slot_that_waits_keeps_its_text(pair):
    target, (text, other) = pair[0], prompts([CONTEXT, 4])
    batch = target.start_batch(2)
    full = batch.start(0, text)
    batch.start(1, other[:2])
    batch.extend({1: other[2:]})  # slot 0 has nothing new
    alone = target.start(text)
    np.testing.assert_allclose(
        full.cache[..., :CONTEXT, :], alone.cache[..., :CONTEXT, :], atol=1e-4
    )
