"""A tree in one pass: the rows of every path, as if it had been read alone."""

from itertools import product

import pytest
import torch

from course_utils.decoding.rows import as_numpy
from course_utils.decoding.trees import tree_places
from course_utils.models.qwen3.forms import FORMS
from course_utils.models.qwen3.onnx import CHUNK, OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3

TEXT = [5, 3, 8, 8, 1, 0, 7]
TREE = (-1, -1, 0, 0, 1, 2, 2, 4)
TOKENS = [4, 9, 4, 6, 2, 3, 9, 1]


@pytest.fixture(scope="module", params=FORMS)
def model(request):
    model = Qwen3.from_transformers(random_qwen3())
    return FORMS[request.param](model)


def path_to(place):
    return [] if place < 0 else [*path_to(TREE[place]), place]


def alone(model, place):
    """The last row of a text that ends with the path to `place`."""
    text = [*TEXT, *(TOKENS[i] for i in path_to(place))]
    return as_numpy(model.start([]).extend(text)[-1])


def test_every_node_is_scored_as_the_end_of_its_own_text(model):
    session = model.start(TEXT[:-1])
    rows = as_numpy(session.extend([TEXT[-1], *TOKENS], TREE))
    for place in range(-1, len(TREE)):
        assert rows[place + 1] == pytest.approx(alone(model, place), abs=1e-5)


def test_a_tree_behind_a_text_of_one_token_that_nobody_has_read(model):
    """An empty cache is a case of its own to some kernels."""
    rows = as_numpy(model.start([]).extend([TEXT[0], *TOKENS], TREE))
    for place in range(-1, len(TREE)):
        text = [TEXT[0], *(TOKENS[i] for i in path_to(place))]
        expected = as_numpy(model.start([]).extend(text)[-1])
        assert rows[place + 1] == pytest.approx(expected, abs=1e-5)


def test_a_tree_may_grow_call_by_call(model):
    session = model.start(TEXT)
    for start, stop in ((0, 2), (2, 5), (5, 6), (6, 8)):
        rows = as_numpy(session.extend(TOKENS[start:stop], TREE[:stop]))
        for row, place in zip(rows, range(start, stop), strict=True):
            assert row == pytest.approx(alone(model, place), abs=1e-5)


@pytest.mark.parametrize("place", [-1, 1, 2, 4, 6, 7])
def test_what_follows_the_kept_path_is_what_follows_its_text(model, place):
    session = model.start(TEXT)
    session.extend(TOKENS, TREE)
    session.keep(len(TEXT), path_to(place))
    text = [*TEXT, *(TOKENS[i] for i in path_to(place))]
    assert session.length == len(text)
    expected = as_numpy(model.start(text).extend([2, 6]))
    assert as_numpy(session.extend([2, 6])) == pytest.approx(expected, abs=1e-5)


def test_states_are_kept_beside_the_cache(model):
    """Those of a kept path are those of its text; a tap of all blocks is what `process` gives."""
    aux_layers = (1, model.layers)
    session = model.start(TEXT, aux_layers)
    session.process(TOKENS, TREE)
    session.keep(len(TEXT), path_to(6))
    text = [*TEXT, *(TOKENS[i] for i in path_to(6))]
    afresh = model.start([], aux_layers)
    last = afresh.process(text)
    for tap, found in session.states.items():
        assert torch.allclose(found[: len(text)], afresh.states[tap][: len(text)], atol=1e-5)
    assert torch.equal(afresh.states[model.layers][: len(text)], last)


def test_a_tree_behind_a_long_text_is_read_in_one_pass():
    wide = random_qwen3(context=300)
    model = OnnxQwen3(Qwen3.from_transformers(wide, context=300))
    long = [token % 17 for token in range(CHUNK + 5)]
    rows = model.start([]).extend([*long, *TOKENS], TREE)
    expected = model.start(long).extend(TOKENS, TREE)
    assert rows[-len(TOKENS) :] == pytest.approx(expected, abs=1e-5)


def test_a_node_sees_the_text_its_ancestors_and_itself():
    for length, new in product((0, 3, 9), (8, 10)):
        positions, seen = tree_places(length, new, TREE)
        base = length + new - len(TREE)
        for i, row in enumerate(seen):
            slot = length + i
            sees = {at for at, yes in enumerate(row) if yes}
            if slot < base:
                assert sees == set(range(slot + 1))
                assert positions[i] == slot
            else:
                path = path_to(slot - base)
                assert sees == {*range(base), *(base + place for place in path)}
                assert positions[i] == base + len(path) - 1
