"""A drafting head equals its definition: rows, states, trees."""

import numpy as np
import pytest
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from course_utils.decoding import GREEDY, Sampling, generate
from course_utils.decoding.sampling import probabilities
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.block_at_once.ahead import defined_rows
from course_utils.models.logits_processor import Processed
from course_utils.models.names import ONNX, PAIRS, READABLE
from course_utils.models.qwen3.head_models import HeadModel
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.models.trained_heads import HEADS, load_head, trained_head
from tests.small_heads import AUX_LAYERS, PROMPT, random_head, small_target

KINDS = ("eagle", "mtp", "medusa", "block")


@pytest.fixture(scope="module")
def readable():
    return small_target()


@pytest.fixture(scope="module", params=(READABLE, ONNX))
def shared(request, readable):
    return SharedTarget(FORMS[request.param](readable), AUX_LAYERS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_computes_on_the_device_of_its_target(kind):
    """Put it on "meta", which computes nothing and refuses mixed devices as a GPU does."""
    with torch.device("meta"):
        target = Qwen3ForCausalLM(Qwen3Config.from_pretrained(PAIRS["tiny"][0]))
    model = Qwen3.from_transformers(target)
    head = load_head(HEADS / kind, model)
    aux_layers = (model.layers,) if kind == "medusa" else head.shape.aux_layers
    shared = SharedTarget(model, aux_layers)
    text = shared.start(PROMPT[:-1])  # a head reads its states
    drafter = HeadModel(shared, head).start(PROMPT)
    assert drafter.extend([4, 6], (-1, 0)).device == model.device
    drafter.keep(len(PROMPT), (1,))
    text.extend([PROMPT[-1], 9])
    drafter.rollback(len(PROMPT))
    assert drafter.extend([9, 4]).device == model.device


@pytest.mark.parametrize("kind", KINDS)
def test_the_rows_of_every_round_are_those_of_the_definition(shared, readable, kind):
    """Also if a drafter continues with another text of the same length."""
    head = random_head(kind, shared)
    drafter = Sampled(HeadModel(shared, head))
    for prompt, sampling in (
        (PROMPT, Sampling()),
        ([PROMPT[0], 2, 2, 9, 4, 6, 3], Sampling(0.8, top_k=12)),
    ):
        options = dict(gamma=3, sampling=sampling, max_new_tokens=40, seed=2, rows=True)
        rounds = list(generate(shared, prompt, drafter, **options))
        assert {len(r.emitted) for r in rounds} > {1}  # rejections, and guesses accepted
        assert sum(bool(r.drafted) for r in rounds) > 10
        text = list(prompt)
        for r in rounds:
            if r.drafted:
                q = probabilities(defined_rows(head, readable, text, r.drafted), sampling)
                np.testing.assert_allclose(r.q, q, atol=1e-4)
            text += r.emitted


@pytest.mark.parametrize("kind", KINDS)
def test_each_path_of_a_tree_is_the_chain_it_would_be(shared, readable, kind):
    """After the same text: rows of a tree grown level by level, and of its paths."""
    head, text = random_head(kind, shared), [*PROMPT, 4]
    parents, tokens = (-1, -1, 0, 1, 1, 2), [9, 2, 6, 3, 9, 1]
    running = shared.start(text[:-1])
    session = HeadModel(shared, head).start(text[:-1])
    session.extend(text[-1:])
    rows = [session.extend(tokens[a:b], parents[:b]) for a, b in ((0, 2), (2, 5), (5, 6))]
    rows = np.concatenate([np.asarray(r) for r in rows])
    for place in range(len(tokens)):
        path = [place]
        while parents[path[0]] >= 0:
            path.insert(0, parents[path[0]])
        defined = defined_rows(head, readable, text, [*(tokens[i] for i in path), 0])[-1]
        np.testing.assert_allclose(rows[place], defined, atol=1e-3)
    assert running.length == len(text) - 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_drafts_for_a_readable_target_in_bfloat16(kind):
    shared = SharedTarget(small_target(torch.bfloat16), AUX_LAYERS)
    drafter = Sampled(HeadModel(shared, random_head(kind, shared)))
    rounds = generate(shared, PROMPT, drafter, sampling=GREEDY, max_new_tokens=8)
    assert any(r.drafted for r in rounds)


def test_a_head_needs_the_states_of_a_decoding_target(shared):
    head = random_head("mtp", shared)
    early = HeadModel(shared, head).start(PROMPT)
    with pytest.raises(ValueError, match="session"):
        HeadModel(shared, head).start(PROMPT).extend([4])
    running = shared.start(PROMPT)  # later than its drafter: the rows are the same
    late = HeadModel(shared, head).start(PROMPT)
    np.testing.assert_allclose(early.extend([4, 9]), late.extend([4, 9]), atol=1e-4)
    assert running.length == len(PROMPT)
    for kind in ("mtp", "medusa"):
        with pytest.raises(ValueError, match="layer 3"):
            HeadModel(SharedTarget(shared.model), random_head(kind, shared))
    processed = Processed(shared.model, None, lambda rows, states: rows)
    with pytest.raises(ValueError, match="Processed"):
        trained_head(processed, HEADS / "mtp")
    with pytest.raises(ValueError, match="9"):
        SharedTarget(shared.model, aux_layers=(9,))
