"""The contract of every session, checked for all models."""

from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel
from course_utils.models.contract import check_sessions
from course_utils.models.logits_processor import constrained
from course_utils.models.qwen3 import batched
from course_utils.models.qwen3.batched import Batched
from course_utils.models.qwen3.onnx import OnnxQwen3, quantised
from course_utils.models.qwen3.readable import Qwen3, Qwen3Session
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.models.toys.characters import CharacterModel
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import (
    LayeredTables,
    RowPerText,
    Separately,
    SequenceSession,
    TableModel,
)
from tests.conftest import random_llama, random_qwen3

V, CONTEXT = 30, 40
TEXT = [0, 5, 9, 1, 2, 7, 5, 3, 8, 8, 1, 4]
TREE = (-1, -1, 0, 0, 1, 2, 2, 4)
NODES = [4, 9, 4, 6, 2, 3, 9, 1]


class NoneTwice:
    """A grammar: no token follows itself."""

    def __init__(self, last):
        self.last = last

    def allowed(self):
        return np.arange(V) != self.last

    def after(self, token):
        return NoneTwice(token)


class InABatch:
    """The middle one of three slots as a LanguageModel; its neighbours grow and shrink with it."""

    def __init__(self, model):
        self.model, self.vocabulary_size, self.context = model, model.vocabulary_size, model.context

    def start(self, prompt):
        batch = self.model.start_batch(3)
        before, behind = (batch.start(slot, [2, 3, 4]) for slot in (0, 2))
        session = batch.start(1, prompt)

        def extend(tokens):
            before.rollback(2)
            behind.rollback(len(tokens) % 3)
            return batch.extend({0: [*tokens[1:], 3, 3][:2], 1: tokens, 2: [7]})[1]

        session.extend = extend
        return session


def first_layers(model):
    """The first layer of a model, on its cache, as a LanguageModel."""
    sizes = dict(vocabulary_size=model.vocabulary_size, context=model.context)
    return SimpleNamespace(start=lambda prompt: model.start(prompt).first(1), **sizes)


@cache
def readable(llama=False):
    model = random_llama(2, 0) if llama else random_qwen3(vocabulary=V)
    return Qwen3.from_transformers(model, CONTEXT)


@cache
def onnx():
    return OnnxQwen3(readable())


TABLE = TableModel.random(V, 1, 0)
QWENS = {
    "readable": readable,
    "readable llama": lambda: readable(llama=True),
    "onnx": onnx,
    "onnx llama": lambda: OnnxQwen3(readable(llama=True)),
    "shared": lambda: SharedTarget(onnx(), (2,)),
    "first layers": lambda: first_layers(readable()),
    "first layers, onnx": lambda: first_layers(onnx()),
}
MODELS = QWENS | {  # those whose sessions hold trees
    "grammar": lambda: constrained(TABLE, NoneTwice(None)),
    "table": lambda: TABLE,
    "rows by text": lambda: RowPerText(V, 0),
    "layered": lambda: LayeredTables(TableModel.random(V, 1, 1), TABLE),
    "characters": lambda: CharacterModel(accuracy=0.7),
    "n-grams": lambda: NGram([[1, 2, 3, 1, 2, 4]], 3, V, discount=0.5),
}
BOUNDED = QWENS | {
    "adapter": lambda: TransformersModel(random_qwen3(vocabulary=V), CONTEXT),
    "batch": lambda: InABatch(Batched(readable())),
    "batch, onnx": lambda: InABatch(Batched(onnx())),
    "int8": lambda: quantised(readable()),
}
EACH = MODELS | BOUNDED | {"separately": lambda: Separately(TABLE)}
TOLERANCE = {"int8": 0.5}  # inputs are rounded relative to the largest number in their block


def made(name):
    """Return (model, tolerance between two ways of computing a row)."""
    return EACH[name](), TOLERANCE.get(name, 1e-4)


@pytest.fixture(params=EACH)
def each(request):
    return made(request.param)


@pytest.fixture(params=BOUNDED)
def bounded(request):
    return made(request.param)


@pytest.fixture(params=MODELS)
def model(request):
    return made(request.param)[0]


def fresh(model, text):
    """Return the row after a text in a fresh session."""
    return as_numpy(model.start(text[:-1]).extend(text[-1:]))[0]


def same(rows, expected, tolerance=1e-4):
    np.testing.assert_allclose(as_numpy(rows), expected, atol=tolerance, rtol=0)


@pytest.mark.parametrize("cuts", [[], [1, 4, 5], [3, 11]])
def test_rows_are_those_of_a_fresh_text_however_it_was_fed(each, cuts):
    model, tolerance = each
    session, edges = model.start([]), [0, *cuts, len(TEXT)]
    parts = pairwise(edges)
    rows = [as_numpy(session.extend(TEXT[start:stop])) for start, stop in parts]
    assert session.length == len(TEXT)
    expected = [fresh(model, TEXT[: i + 1]) for i in range(len(TEXT))]
    assert expected[0].shape == (model.vocabulary_size,)
    same(np.concatenate(rows), expected, tolerance)


def test_a_good_model_passes_its_own_trial(each):
    check_sessions(each[0], rounding=0.1 if each[1] == 0.5 else 1e-3)


class Slipping(SequenceSession):
    """A session that is wrong in one way; its rows depend on all of its text."""

    fault = ""

    def extend(self, tokens, parents=None):
        if self.fault == "resets its state":
            self._tokens[:] = [0] * self.length
        if self.fault == "in a tree":
            parents = parents and range(-1, len(parents) - 1)
        rows = super().extend(tokens, parents)
        ahead = self.fault == "looks ahead" and len(tokens) > 1
        return rows - np.eye(V)[tokens[-1]] if ahead else rows

    def rollback(self, length):
        if self.fault == "rolled back":
            self._tokens[:length] = self._tokens[-length:]
        super().rollback(length - (self.fault == "rollback"))

    def keep(self, length, path):
        super().keep(length, range(len(path)) if self.fault == "keep a path" else path)


@pytest.mark.parametrize(
    "fault",
    ["looks ahead", "resets its state", "rolled back", "rollback", "in a tree", "keep a path"],
)
def test_a_model_that_breaks_the_contract_fails_its_trial(fault):
    model = RowPerText(V, 0)
    session = type("Session", (Slipping,), {"fault": fault})
    model.start = lambda prompt: session(model.distribution, prompt)
    with pytest.raises(ValueError, match=fault):
        check_sessions(model)


def test_after_a_rollback_another_text_may_follow(each):
    model, tolerance = each
    session, text = model.start(TEXT), TEXT
    for length, more in ((9, [1, 1, 6]), (5, [4]), (1, TEXT[1:7]), (0, [2, 3])):
        session.rollback(99)  # beyond the end: nothing to forget
        assert session.length == len(text)
        session.rollback(length)
        assert session.length == length
        text = [*text[:length], *more]
        same(session.extend(more)[-1], fresh(model, text), tolerance)


def test_two_sessions_do_not_disturb_each_other(each):
    model, tolerance = each
    texts = TEXT[:4], TEXT[4:9]
    sessions = [model.start(text) for text in texts]
    for token in (3, 8, 5):
        for session, text in zip(sessions, texts, strict=True):
            text.append(token + len(text) % 2)
            same(session.extend(text[-1:])[0], fresh(model, text), tolerance)


def test_a_text_too_long_for_the_context_changes_nothing(bounded):
    model, tolerance = bounded
    session = model.start(TEXT)
    with pytest.raises(ValueError, match="do not fit the context"):
        session.extend([1] * (model.context - len(TEXT) + 1))
    assert session.length == len(TEXT)
    rest = [i % 9 for i in range(model.context - len(TEXT))]
    same(session.extend(rest)[-1], fresh(model, TEXT + rest), tolerance)
    with pytest.raises(ValueError, match="do not fit the context"):
        session.extend([1])


def test_every_model_decodes_and_drafts_for_itself(each):
    model = each[0]
    rounds = list(generate(model, [0, 1], Sampled(model), gamma=3, max_new_tokens=12, seed=1))
    assert len(emitted_tokens(rounds)) == 12
    # up to rounding of the ratio, since p and q come from passes of other shapes
    missed = sum(len(r.drafted) - r.accepted for r in rounds)
    assert missed <= (6 if each[1] == 0.5 else 1)


# --- trees ------------------------------------------------------------------------------


def path_to(place):
    return [] if place < 0 else [*path_to(TREE[place]), place]


def text_to(place, text=TEXT):
    return [*text, *(NODES[i] for i in path_to(place))]


@pytest.mark.parametrize("text", [TEXT, TEXT[:1]], ids=["text", "nobody has read it"])
def test_every_node_is_scored_as_the_end_of_its_own_text_and_a_tree_may_grow(model, text):
    """An empty cache is a special case for some kernels."""
    expected = [fresh(model, text_to(place, text)) for place in range(-1, len(TREE))]
    same(model.start(text[:-1]).extend([text[-1], *NODES], TREE), expected)
    session = model.start(text)
    for start, stop in ((0, 2), (2, 5), (5, 6), (6, 8)):
        same(session.extend(NODES[start:stop], TREE[:stop]), expected[start + 1 : stop + 1])


@pytest.mark.parametrize("place", [-1, 1, 2, 4, 6, 7])
def test_what_follows_the_kept_path_is_what_follows_its_text(model, place):
    session, text = model.start(TEXT), text_to(place)
    session.extend(NODES, TREE)
    session.keep(len(TEXT), path_to(place))
    assert session.length == len(text)
    same(session.extend([2, 6])[-1], fresh(model, [*text, 2, 6]))
    session.rollback(len(TEXT) - 1)  # it can be rolled back like any other
    same(session.extend([3])[0], fresh(model, [*TEXT[:-1], 3]))


@pytest.mark.parametrize("make", [readable, onnx])
def test_a_tree_needs_a_token_before_it(make):
    """ONNX Runtime's attention would silently read it as a chain."""
    with pytest.raises(ValueError, match="tree"):
        make().start([]).extend([5, 6, 7], [-1, 0, 0])


# --- prompts in several passes, and stored states -------------------------------------------


BOTH = pytest.mark.parametrize("make", [readable, onnx], ids=["readable", "onnx"])


@BOTH
def test_a_text_longer_than_a_pass(make, monkeypatch):
    model, layers = make(), (1, 2)
    expected = model.start([], layers)
    hidden, tree = expected.process(TEXT), model.start(TEXT).extend(NODES, TREE)
    for kind in {Qwen3Session, type(expected)}:
        monkeypatch.setattr(kind, "chunk", 5)
    session = model.start([], layers)
    same(session.process(TEXT), hidden)
    for layer in layers:
        same(session.states[layer][: len(TEXT)], expected.states[layer][: len(TEXT)])
    same(model.start([]).extend([*TEXT, *NODES], TREE)[-len(NODES) :], tree)


@BOTH
def test_rows_of_a_batch_longer_than_a_pass(make, monkeypatch):
    monkeypatch.setattr(batched, "CHUNK", 5)
    rows = Batched(make()).start_batch(2).extend({1: TEXT, 0: TEXT[:7]})
    same(rows[1], [fresh(make(), TEXT[: i + 1]) for i in range(len(TEXT))])
    same(rows[0], rows[1][:7])


@BOTH
def test_states_are_kept_with_the_path_and_the_last_are_what_process_gives(make):
    model, layers = make(), (1, 2)
    session, text = model.start(TEXT, layers), text_to(6)
    session.process(NODES, TREE)
    session.keep(len(TEXT), path_to(6))
    afresh = model.start([], layers)
    last = afresh.process(text)
    for layer, states in session.states.items():
        same(states[: len(text)], as_numpy(afresh.states[layer][: len(text)]))
    same(afresh.states[2][: len(text)], as_numpy(last), 0)


def test_rolling_back_moves_an_integer():
    session = readable().start(TEXT)
    cache, content = session.cache, session.cache.clone()
    session.rollback(1)
    assert session.cache is cache
    same(cache[..., : len(TEXT), :], as_numpy(content[..., : len(TEXT), :]), 0)
