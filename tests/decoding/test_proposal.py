"""What a drafter cannot do, however it is written, and what is said when it tries."""

from itertools import repeat

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.proposal import CommittedText, checked_draft
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.models.toys.tables import TableModel

FLAT = np.full((1, 4), 0.25)


def proposing(*makes):
    """A drafter whose `propose` is the given function of (tokens, gamma, noise)."""

    class Drafter:
        propose = staticmethod(makes[0])

    return Drafter()


def rounds(target, propose, **options):
    options = {"max_new_tokens": 12, "rows": True} | options
    return list(generate(target, [0, 1], proposing(propose), **options))


@pytest.mark.parametrize(
    ("draft", "message"),
    [
        (Draft((-1,), None), "token -1; the target knows 0 to 3"),
        (Draft((4,), None), "token 4; the target knows 0 to 3"),
        (Draft(("a",), None), "give token ids"),
        (Draft((1.0,), None), "give token ids"),
        (Draft(None, None), "give token ids"),
        (Draft((1,), FLAT * 2), "row sums .2"),
        (Draft((1,), FLAT * 1.02), "row sums .1.02"),
        (Draft((1,), np.log(FLAT)), "no distribution"),
        (Draft((1,), np.array([[0.5, -0.5, 0.5, 0.5]])), "no distribution"),
        (Draft((1,), FLAT * np.nan), "no distribution"),
        (Draft((1,), torch.full((1, 4), torch.nan)), "no distribution"),
        (Draft((1,), np.eye(4)[:1]), "guess 0 is token 1, which its own row of q"),
        (Draft((1,), FLAT[:, :3]), "share one vocabulary"),
        (Draft((1, 2), None, (0, -1)), "node 0 has parent 0"),
        (Draft((1, 2), None, (-1,)), "parents is"),
        (Draft((1,), None, 3), "parents is"),
        (Draft((1,), None, ("a",)), "parents is"),
        (Draft((1,), None, (-1.0,)), "parents is"),
        (Draft(repeat(1), None), "more tokens than fit, which are at most 4"),
        (None, "returned a NoneType: return a Draft"),
        (((1,), None), "returned a tuple: return a Draft"),
        (Draft((1,), FLAT.tolist()), "q is a list: give a NumPy array or a torch tensor"),
        (Draft((1,), 0.25), "q is a float: give"),
        (Draft((1,), FLAT.astype(str)), "q is a ndarray .<U"),
        (Draft((1,), FLAT.astype(object)), "q is a ndarray .object"),
        (Draft((1,), FLAT.astype(complex)), "q is a ndarray .complex128"),
        (Draft((1,), torch.tensor(FLAT) * 1j), "q is a Tensor .torch.complex128"),
        (Draft((1,), torch.tensor(FLAT).to_sparse()), "q is a Tensor .*sparse"),
        (Draft((1,), torch.tensor(FLAT, device="meta")), "q is a Tensor .*meta"),
        (Draft((1,), np.ma.array(FLAT, mask=True)), "q is a MaskedArray"),
    ],
    ids=str,
)
def test_a_draft_that_cannot_be_is_refused(tables, draft, message):
    with pytest.raises(ValueError, match=message):
        rounds(tables[0], lambda tokens, gamma, noise: draft)


@pytest.mark.parametrize("kind", [np.int64, np.uint16, lambda x: torch.tensor(x), lambda x: x])
def test_token_ids_of_any_integer_kind_become_plain_ones(tables, kind):
    found = rounds(tables[0], lambda tokens, gamma, noise: Draft((kind(1), kind(2)), None))
    assert {type(token) for r in found for token in (*r.drafted, *r.emitted)} == {int}


class InTorch:
    """A table whose rows are torch's."""

    def __init__(self, table):
        self.table, self.vocabulary_size, self.context = table, 4, table.context

    def start(self, prompt):
        session = self.table.start(prompt)
        extend = session.extend
        session.extend = lambda tokens: torch.from_numpy(extend(tokens))
        return session


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize(
    "q",
    [
        FLAT.astype(np.float16),
        np.eye(4, dtype=int)[[1]],
        np.eye(4, dtype=bool)[[1]],
        torch.tensor(FLAT).bfloat16(),
        torch.tensor(FLAT, requires_grad=True),
        torch.tensor(FLAT).half(),
        torch.eye(4, dtype=torch.bool)[[1]],
    ],
    ids=lambda q: f"{type(q).__name__}-{q.dtype}",
)
def test_rows_of_any_kind_of_number_serve_a_target_of_any_library(tables, q, library, recwarn):
    target = tables[0] if library == "numpy" else InTorch(tables[0])
    drafted = [r for r in rounds(target, lambda *_: Draft((1,), q)) if r.drafted]
    assert {type(r.q) for r in drafted} == {type(r.p) for r in drafted}
    plain = np.array(q.tolist(), float)
    assert all(np.allclose(np.array(r.q.tolist(), float), plain) for r in drafted)
    assert not list(recwarn)


@pytest.mark.parametrize("q", [np.empty((1, 4)), torch.empty((1, 4))], ids=["numpy", "torch"])
def test_rows_that_a_drafter_writes_over_later_stay_in_the_rounds(tables, q):
    """One buffer for all proposals, which is what a fast drafter has."""

    def reusing(tokens, gamma, noise):
        q[:] = 0.25
        q[0, len(tokens) % 4], q[0, (len(tokens) + 1) % 4] = 0.125, 0.375
        return Draft((1,), q)

    found = [r for r in rounds(tables[0], reusing) if r.drafted]
    assert len(found) > 3
    assert all(r.q[0, r.context % 4] == 0.125 for r in found)


@pytest.mark.parametrize("purpose", ["verify", "other", "coffee"])
def test_a_drafter_is_handed_no_uniforms_but_its_own(tables, purpose):
    def peeking(tokens, gamma, noise):
        return Draft((int(noise.uniforms(purpose, 1)[0] < 0.5),), None)

    with pytest.raises(ValueError, match="those of its own guesses"):
        rounds(tables[0], peeking)


def test_a_drafter_has_one_uniform_for_each_guess(tables):
    def greedy_for_chance(tokens, gamma, noise):
        return Draft((int(noise.uniforms("draft", gamma + 1)[0] < 0.5),), None)

    with pytest.raises(ValueError, match="asked for 5 uniforms; there is one for each of the 4"):
        rounds(tables[0], greedy_for_chance)


@pytest.mark.parametrize(
    "change",
    [
        lambda tokens: tokens.append(3),
        lambda tokens: tokens.clear(),
        lambda tokens: tokens.__setitem__(-1, 3),
        lambda tokens: tokens.__delitem__(0),
        lambda tokens: tokens.extend([1]),
    ],
)
def test_the_committed_text_can_be_read_and_not_changed(tables, change):
    expected = emitted_tokens(generate(tables[0], [0, 1], sampling=GREEDY, max_new_tokens=12))

    def tampering(tokens, gamma, noise):
        with pytest.raises(AttributeError):
            change(tokens)
        return Draft((), None)

    assert emitted_tokens(rounds(tables[0], tampering, sampling=GREEDY)) == expected


def test_a_view_reads_like_the_list_it_shows():
    tokens = [5, 6, 7]
    view = CommittedText(tokens)
    assert (len(view), view[-1], view[1:], list(view)) == (3, 7, [6, 7], [5, 6, 7])
    more = [8]
    assert (view + more, view == [5, 6, 7], view == (5, 6), repr(view)) == (
        [5, 6, 7, 8], True, False, "[5, 6, 7]",
    )  # fmt: skip
    tokens.append(8)
    assert view[-1] == 8  # a view, so that handing it out costs nothing however long it is


def test_a_draft_that_changes_when_looked_at_twice_is_taken_once(tables):
    class Shifty:
        q = parents = None
        looked = 0

        @property
        def tokens(self):
            self.looked += 1
            return (self.looked % 4,) * 2

    for r in rounds(tables[0], lambda tokens, gamma, noise: Shifty()):
        assert r.drafted in ((1, 1), (1,), ())
        assert r.drafted[: r.accepted] == r.emitted[: r.accepted]


class Broken:
    """A model whose logits are not numbers from the third token on."""

    vocabulary_size, context = 3, 100

    def __init__(self, bad, library):
        self.bad, self.library = bad, library

    def start(self, prompt):
        table = TableModel(np.full((3, 3), 1 / 3)).start(prompt)
        extend = table.extend

        def broken(tokens):
            rows = extend(tokens)
            rows[:, 1 if table.length > 2 else slice(0)] = self.bad
            return self.library(rows)

        table.extend = broken
        return table


@pytest.mark.parametrize("library", [np.asarray, torch.from_numpy])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("sampling", [Sampling(), GREEDY], ids=["sampled", "greedy"])
def test_rows_that_are_not_finite_end_the_run_with_a_sentence(library, bad, sampling):
    run = generate(Broken(bad, library), [0, 1], sampling=sampling)
    next(run)
    with pytest.raises(ValueError, match="logits are NaN or infinite"):
        next(run)


@pytest.mark.parametrize("library", [np.array, torch.tensor])
@pytest.mark.parametrize(
    "extreme", [Sampling(temperature=1e-30), Sampling(top_p=1e-300), Sampling(min_p=1.0)]
)
def test_extreme_settings_keep_the_likeliest_token(library, extreme):
    logits = library([[1.0, 3.5, -2.0, 3.0]])
    if library is torch.tensor:
        logits = logits.float()
    assert probabilities(logits, extreme).tolist() == [[0, 1, 0, 0]]


def test_a_row_of_q_that_misses_one_is_normalised_as_its_draw_was():
    target = TableModel.random(3, order=0, seed=0)
    q = np.array([[0.89, 0.05, 0.05]])
    draft = checked_draft(Draft((0,), q), 1, target)
    np.testing.assert_allclose(draft.q, q / 0.99, rtol=1e-15)
    assert q[0, 0] == 0.89  # the drafter's own row is left alone
    p = np.array([0.5, 0.25, 0.25])
    accepted = np.minimum(p, draft.q[0])
    emitted = accepted + (1 - accepted.sum()) * residual(p, draft.q[0])
    np.testing.assert_allclose(emitted, p, atol=1e-15)


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, np.float16], ids=str)
def test_rows_in_half_precision_are_judged_as_distributions(kind):
    row = np.random.default_rng(0).dirichlet(np.ones(4))[None]
    q = torch.tensor(row, dtype=kind) if isinstance(kind, torch.dtype) else row.astype(kind)
    found = checked_draft(Draft((1,), q), 1, TableModel.random(4, order=0, seed=0)).q
    exact = as_numpy(q).astype(float)
    np.testing.assert_allclose(found, exact / exact.sum(), atol=1e-7)
