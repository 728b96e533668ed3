"""A batch of texts in one cache: each row what its text is alone, whatever its neighbours are."""

import numpy as np
import pytest
import torch

from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import Each
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.qwen3 import batched
from course_utils.models.qwen3.batched import Batched, batch_bytes
from course_utils.models.qwen3.forms import FORMS
from course_utils.models.qwen3.onnx import CHUNK
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from course_utils.pairs import load_pair
from course_utils.proofs.batch_invariance import BatchDecoder, compare_rows
from tests.conftest import random_qwen3

CONTEXT, VOCABULARY = 512, 97
TOLERANCE = 1e-5  # logits of size 10 in float32; products of other shapes round otherwise


@pytest.fixture(scope="module", params=FORMS)
def pair(request) -> tuple[Batched, Batched]:
    """A target and a draft that agree at times: the draft is the target's first layer."""
    models = [Qwen3.from_transformers(random_qwen3(layers=n, context=CONTEXT)) for n in (2, 1)]
    return tuple(Batched(FORMS[request.param](m)) for m in models)


@pytest.fixture(scope="module")
def target(pair) -> Batched:
    return pair[0]


def prompts(lengths, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(VOCABULARY, size=length).tolist() for length in lengths]


def alone(target, text, last):
    """Logits of the last tokens of a text."""
    return as_numpy(target.start(text[:-last]).extend(text[-last:]))


@pytest.mark.parametrize("batch", [1, 2, 7, 16])
def test_every_row_says_and_accepts_what_it_does_alone(pair, batch):
    """Lengths 1 to 400; one more prompt than slots."""
    lengths = np.linspace(1, 400, batch + 1).astype(int)
    texts = prompts(np.random.default_rng(batch).permutation(lengths), seed=batch)
    sampling = GREEDY if batch % 2 else Sampling()
    found = compare_rows(
        *pair, texts, slots=batch, sampling=sampling, seed=batch, gamma=1 + batch % 5,
        max_new_tokens=6, stop_tokens=(7,),
    )  # fmt: skip
    assert found == []


def test_a_row_depends_on_its_neighbours_by_rounding_alone():
    """In float32 no text shows it."""
    loaded = load_pair("tiny", dtype="float32", device="cpu")
    target, draft = (Batched(model, 128) for model in (loaded.target, loaded.draft))
    texts = [text[:40] for text in map(loaded.encode, held_out_prompts("code")[:7])]
    together = target.start_batch(len(texts))
    for slot, text in enumerate(texts):
        together.start(slot, text[:-3])
    rows = together.extend({slot: text[-3:] for slot, text in enumerate(texts)})
    apart = max(
        abs(as_numpy(rows[slot]) - alone(target, text, 3)).max() for slot, text in enumerate(texts)
    )
    settings = dict(slots=7, gamma=2, max_new_tokens=16)
    few = Sampling(top_k=20)  # no tail, where the edges between tokens lie as near as rounding
    assert compare_rows(target, draft, texts, sampling=few, seed=1, **settings) == []
    assert apart < TOLERANCE * 10


def test_rows_that_reach_the_context_and_rows_that_look_up(pair):
    texts = [[5, 6] * 253, [1, 2, 3] * 5, *prompts([511, 509, 1])]
    assert compare_rows(*pair, texts, slots=3, max_new_tokens=9) == []
    lookup = BatchDecoder(
        drafter=lambda model: Each(PromptLookup), alone=lambda model: PromptLookup()
    )
    assert compare_rows(*pair, texts, lookup, slots=3, max_new_tokens=9) == []


def test_ragged_rows_in_one_pass(target):
    """1, 4, none and 2 new tokens behind texts of 9, 1, 30 and no tokens."""
    texts, batch = prompts([10, 5, 30, 2]), target.start_batch(4)
    new = {0: 1, 1: 4, 3: 2}
    for slot, text in enumerate(texts):
        batch.start(slot, text[: len(text) - new.get(slot, 0)])
    rows = batch.extend({slot: texts[slot][-last:] for slot, last in new.items()})
    assert batch.lengths == [10, 5, 30, 2]
    for slot, last in new.items():
        expected = alone(target, texts[slot], last)
        np.testing.assert_allclose(as_numpy(rows[slot]), expected, atol=TOLERANCE)


def test_rolling_a_row_back_moves_its_integer_and_no_other(target):
    text, other = prompts([20, 12])
    batch = target.start_batch(2)
    row, neighbour = batch.start(0, text[:10]), batch.start(1, other[:-1])
    batch.extend({0: [1, 2, 3]})
    cache = batch.cache.clone()
    row.rollback(10)
    assert (row.length, neighbour.length) == (10, 11)
    assert torch.equal(cache, batch.cache)
    rows = batch.extend({0: text[10:], 1: other[-1:]})
    np.testing.assert_allclose(as_numpy(rows[0]), alone(target, text, 10), atol=TOLERANCE)
    np.testing.assert_allclose(as_numpy(rows[1]), alone(target, other, 1), atol=TOLERANCE)


def test_keys_are_read_where_they_lie(target):
    """No copy of the cache is made, and only the new tokens' slots are written."""
    batch = target.start_batch(3)
    for slot, text in enumerate(prompts([7, 3, 9])):
        batch.start(slot, text)
    before, where = batch.cache.clone(), batch.cache.data_ptr()
    batch.extend({0: [1], 1: [2, 3], 2: [4]})
    changed = (before != batch.cache).any(dim=(0, 1, 3, 5))  # (slots, context)
    assert batch.cache.data_ptr() == where
    assert changed.nonzero().tolist() == [[0, 7], [1, 3], [1, 4], [2, 9]]


def test_a_slot_given_away_remembers_nothing(target):
    long, short = prompts([90, 5])
    batch, fresh = target.start_batch(1), target.start_batch(1)
    batch.start(0, long)
    batch.start(0, short[:-1])
    fresh.start(0, short[:-1])
    assert np.array_equal(
        as_numpy(batch.extend({0: short[-1:]})[0]), as_numpy(fresh.extend({0: short[-1:]})[0])
    )


def test_a_long_prompt_takes_several_passes(target):
    text = prompts([2 * CHUNK + 17])[0]
    batch = target.start_batch(2)
    batch.start(0, text[:5])
    batch.start(1, [3])
    rows = batch.extend({0: text[5:], 1: [4]})
    np.testing.assert_allclose(as_numpy(rows[0])[-2:], alone(target, text, 2), atol=TOLERANCE)
    np.testing.assert_allclose(as_numpy(rows[1]), alone(target, [3, 4], 1), atol=TOLERANCE)


def test_what_does_not_fit_is_said_before_anything_is_done(target, monkeypatch):
    batch = target.start_batch(2)
    batch.start(0, [1] * (CONTEXT - 1))
    with pytest.raises(ValueError, match="slot 0 do not fit the context of 512"):
        batch.extend({0: [1, 2], 1: [1]})
    assert batch.lengths == [CONTEXT - 1, 0]
    with pytest.raises(ValueError, match="slots 0 to 1"):
        batch.start(2, [1])
    monkeypatch.setattr(batched, "free_memory", lambda device: 10**6)
    with pytest.raises(ValueError, match=r"at most 1 slots, or a shorter context"):
        target.start_batch(10**6)


def test_the_bytes_of_a_batch(target):
    batch = target.start_batch(3)
    assert batch_bytes(target.model.config, 3, CONTEXT, torch.float32) == batch.cache.nbytes


def test_only_a_qwen3_is_batched():
    with pytest.raises(ValueError, match="Separately"):
        Batched(TableModel.random(4, 1, 0))


def test_a_row_keeps_its_numbers_in_any_slot(pair):
    """The same prompt in every row, sampled: as many texts as there are streams."""
    sampling = Sampling()
    found = compare_rows(*pair, [[1, 2, 3]] * 7, slots=2, sampling=sampling, max_new_tokens=8)
    assert found == []
    shared = BatchDecoder(noise=lambda s, r: Noise(s))
    assert compare_rows(*pair, [[1, 2, 3]] * 7, shared, sampling=sampling, max_new_tokens=8)
