"""The limits of a drafter's code, and the errors when it breaks them."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.proposal import CommittedText, checked_draft
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import GREEDY
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from tests.conftest import random_qwen3

FLAT = np.full((1, 4), 0.25)
FOUR = SimpleNamespace(vocabulary_size=4)
TABLE, IN_TORCH = TableModel.random(4, 1, 0), Qwen3.from_transformers(random_qwen3(1, 4))


def rounds(target, propose, **options):
    drafter = SimpleNamespace(propose=propose)
    return list(generate(target, [0, 1], drafter, rows=True, max_new_tokens=12, **options))


@pytest.mark.parametrize(
    ("draft", "message"),
    [
        (Draft((-1,), None), "token -1"),
        (Draft((1.0,), None), "token ids"),
        (Draft((1,) * 5, None), "at most 4"),
        (Draft((1,), FLAT * 1.02), "1.02"),
        (Draft((1,), torch.full((1, 4), torch.nan)), "not a distribution"),
        (Draft((1,), np.eye(4)[:1]), "guess 0 is token 1, but its row of q"),
        (Draft((1,), FLAT[:, :3]), "share one vocabulary"),
        (Draft((1, 2), None, (0, -1)), "node 0 has parent 0"),
        (Draft((1, 2), None, (-1,)), "1 parents for 2 guesses"),
        (((1,), None), "tuple"),
        (Draft((1,), FLAT.tolist()), "list"),
    ],
    ids=str,
)
def test_an_invalid_draft_is_refused(draft, message):
    with pytest.raises(ValueError, match=message):
        checked_draft(draft, 4, FOUR)


@pytest.mark.parametrize("target", [TABLE, IN_TORCH], ids=["numpy", "torch"])
@pytest.mark.parametrize(
    "q",
    [
        FLAT.astype(np.float16),
        np.eye(4, dtype=bool)[[1]],
        torch.tensor(FLAT).bfloat16(),
        torch.tensor(FLAT, requires_grad=True),
    ],
    ids=lambda q: f"{type(q).__name__}-{q.dtype}",
)
def test_rows_of_any_kind_of_number_serve_a_target_of_any_library(q, target, recwarn):
    drafted = [r for r in rounds(target, lambda *_: Draft((1,), q)) if r.drafted]
    assert {type(r.q) for r in drafted} == {type(r.p) for r in drafted}
    plain = np.array(q.tolist(), float)
    assert all(np.allclose(np.array(r.q.tolist(), float), plain) for r in drafted)
    assert not list(recwarn)


@pytest.mark.parametrize("q", [np.empty((1, 4)), torch.empty((1, 4))], ids=["numpy", "torch"])
def test_rounds_keep_rows_that_a_drafter_overwrites_later(tables, q):
    """A drafter with one buffer for all proposals, as fast drafters have."""

    def reusing(tokens, gamma, noise):
        q[:] = 0.25
        q[0, len(tokens) % 4], q[0, (len(tokens) + 1) % 4] = 0.125, 0.375
        return Draft((1,), q)

    drafted = [r for r in rounds(tables[0], reusing) if r.drafted]
    assert len(drafted) > 3
    assert all(r.q[0, r.context % 4] == 0.125 for r in drafted)


def test_a_drafter_gets_only_its_own_uniforms_one_per_guess(tables):
    for purpose, count in (("verify", 1), ("draft", 5)):
        with pytest.raises(ValueError, match="uniforms"):
            rounds(tables[0], lambda *_, p=purpose, c=count: _[2].uniforms(p, c))


def test_the_committed_text_can_be_read_and_not_changed(tables):
    expected = emitted_tokens(generate(tables[0], [0, 1], sampling=GREEDY, max_new_tokens=12))

    def tampering(tokens, gamma, noise):
        tokens[:].append(3)  # a slice is a copy
        assert not {"append", "__setitem__", "__delitem__", "extend", "pop"} & {*dir(tokens)}
        return Draft((), None)

    assert emitted_tokens(rounds(tables[0], tampering, sampling=GREEDY)) == expected
    tokens, more = [5, 6, 7], [8]
    view = CommittedText(tokens)
    assert (len(view), view[-1], view[1:], list(view)) == (3, 7, [6, 7], [5, 6, 7])
    assert (view + more, view == [5, 6, 7], view == (5, 6)) == ([5, 6, 7, 8], True, False)
    tokens.append(8)
    assert view[-1] == 8  # a view, so that handing it out costs nothing however long it is


def test_a_row_of_q_that_sums_to_nearly_one_is_normalised():
    q = np.array([[0.89, 0.05, 0.05]])
    draft = checked_draft(Draft((0,), q), 1, TableModel.random(3, order=0, seed=0))
    np.testing.assert_allclose(draft.q, q / 0.99, rtol=1e-15)
    assert q[0, 0] == 0.89  # the drafter's own row is left alone
    p = np.array([0.5, 0.25, 0.25])
    accepted = np.minimum(p, draft.q[0])
    emitted = accepted + (1 - accepted.sum()) * residual(p, draft.q[0])
    np.testing.assert_allclose(emitted, p, atol=1e-15)
