"""A bound follows the format in which a decoder computes: float32 rounds, half precision lies."""

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Draft
from course_utils.decoding.sampling import probabilities, sample
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.proofs import narrowed
from course_utils.proofs import program_certificate as whole
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.program_certificate import FLOAT32, SMALL, Walked, on_tables
from course_utils.proofs.programs import EXACT
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import ALONE_ON, distance_of


def float32(rows, sampling):
    return probabilities(rows.astype(np.float32), sampling)


def torch_float32(rows, sampling):
    return probabilities(torch.tensor(rows, dtype=torch.float32), sampling)


def inverse_transform(row, u):
    """The first token whose cumulative probability exceeds u, in the row's own format."""
    ends = row.cumsum(0)
    return min(int((ends / ends[-1] <= u).sum()), int((row > 0).nonzero()[-1][-1]))


def chain(rows, draw, fault=0.0):
    """A decoder of these rows and this way to draw; `fault` is added to each acceptance."""

    def drafts(session, text, gamma, sampling, uniform):
        guesses, q = [], []
        for _ in range(gamma):
            logits = session.extend([*text, *guesses][session.length :])[-1:]
            q.append(rows(logits, sampling)[0])
            guesses.append(draw(q[-1], uniform()))
        return guesses, q

    def verify(session, text, guesses, q, sampling, uniform, rule):
        logits = session.extend([*text, *guesses][session.length :])
        p = rows(logits[-len(guesses) - 1 :], sampling)
        for i, x in enumerate(guesses):
            if not uniform() < p[i][x] / q[i][x] + fault:
                left = (p[i] - q[i]).clip(0)
                return i, draw(left / left.sum(), uniform())
        return len(guesses), draw(p[len(guesses)], uniform())

    return lambda *given: speculate(*given, draft_tokens=drafts, verify=verify)


FORMATS = {
    "NumPy, the course's draws": (float32, sample),
    "torch, draws of its own": (torch_float32, inverse_transform),
}


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(whole, "ON_TABLES", {"exact distribution": (SMALL, ALONE_ON["top-k"])})


@pytest.mark.parametrize("parts", FORMATS.values(), ids=FORMATS)
def test_an_honest_decoder_in_float32_is_not_lossy_and_a_fault_of_a_millionth_is(few, parts):
    check = next(on_tables(chain(*parts)))
    assert (check.passed, check.detail) == (True, f"within {FLOAT32}")
    check = next(on_tables(chain(*parts, fault=1e-6)))
    assert not check.passed
    assert f"more than {FLOAT32} at temperature" in check.detail


def test_float32_explains_more_where_more_tokens_are_possible():
    models = whole._readers(shifted_pair(600))
    exam = narrowed.narrowed(models, (1, 2), 1, {0: (600, 1)})
    figure, rounding = Walked(chain(float32, inverse_transform)).distance(exam, repeated=0)
    assert 1e-6 < figure < rounding < 1e-5


def test_a_decoder_in_float64_has_no_such_excuse(few):
    check = next(on_tables(chain(probabilities, sample, fault=1e-9)))
    assert (check.passed, check.threshold) == (False, EXACT)


class Half:
    """Hands over rows in bfloat16."""

    draw = staticmethod(sample)

    def __init__(self, model):
        self.model = model

    def propose(self, tokens, gamma, noise):
        session, text, q = self.model.start(tokens[:-1]), [*tokens], []
        for uniform in noise.uniforms("draft", gamma):
            row = probabilities(session.extend(text[-1:]), tokens.sampling)[0]
            q.append(torch.tensor(row).bfloat16())
            text.append(self.draw(q[-1], uniform))
        return Draft(tuple(text[len(tokens) :]), torch.stack(q) if q else None)


class AddsUpInHalf(Half):
    """Draws from sums in bfloat16, so not from those rows."""

    draw = staticmethod(inverse_transform)


@pytest.mark.parametrize(("drafter", "lossless"), [(Half, True), (AddsUpInHalf, False)])
def test_rows_in_half_precision_are_well_if_the_guesses_are_drawn_from_them(drafter, lossless):
    check = distance_of("exact distribution, temperature")(Decoder(drafter=drafter))
    assert (check.passed, check.decisive) == (lossless, True)
