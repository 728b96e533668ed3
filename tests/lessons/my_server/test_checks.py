"""Answers that the exercises of this room do not hold themselves; the witness is the course's."""

import numpy as np
import pytest

from course_utils.classroom.slip import slip
from course_utils.decoding import Sampling
from course_utils.decoding.sampling import sample
from course_utils.lessons.my_server.checks import (
    CALCULATES,
    PAIR,
    check_broken_round,
    check_z_of_texts,
    z_of_texts,
)
from course_utils.lessons.my_server.outside import asked, bug_report, logits, smallest, verdict
from course_utils.lessons.my_server.server import models, serve_round, served
from course_utils.proofs.certificate import LOSSY, NO_DEFECT
from course_utils.proofs.surprise import surprise

ACCEPTS, LEFT = "uniforms[i] < p[i, x] / q[i, x]", "np.maximum(p[i] - q[i], 0)"
MEASURED = "sample(left / left.sum(), uniforms[-1])"


def broken(*edit):
    return slip(serve_round, edit)


def of_its_own(p, q, guesses, uniforms):
    return 0, sample(p[0], np.random.default_rng().random())


RIGHT_ANSWERS = [
    (check_broken_round, broken(LEFT, "p[i]")),
    (check_broken_round, broken(ACCEPTS, "p[i, x] >= q[i, x]")),
    (check_broken_round, broken(MEASURED, "int(left.argmax())")),
    (check_broken_round, broken("sample(p[-1], uniforms[-1])", "int(p[-1].argmax())")),
]
WRONG_ANSWERS = [
    (check_broken_round, serve_round, "This round is exact"),
    (check_broken_round, broken(ACCEPTS, "2 * uniforms[i] < p[i, x] / q[i, x]"), CALCULATES),
    (check_broken_round, broken(f"if not {ACCEPTS}", "if False"), "a greedy request gives it away"),
    (check_broken_round, of_its_own, "random numbers of its own"),
    (check_broken_round, lambda *_: 3, PAIR),
    (check_z_of_texts, lambda texts, temperature: 0.0, "For 1 text of 2 tokens"),
]


@pytest.mark.parametrize(
    ("one_round", "said"), [(serve_round, NO_DEFECT), (broken(ACCEPTS, f"{ACCEPTS} * 2"), LOSSY)]
)
def test_a_server_is_judged_from_its_answers_and_reported(one_round, said):
    with served(one_round) as url:
        answers, cold = asked(url, 32, 64, 1.0), asked(url, 4, 16, 0.0)
    certificate = verdict(answers, 1.0)
    assert (certificate.verdict, verdict(cold, 0.0).verdict) == (said, NO_DEFECT)
    z = z_of_texts([(logits(text), text.tokens) for text in answers], 1.0)
    texts = [(text.prompt, text.tokens) for text in answers]
    assert z == pytest.approx(surprise(models()[0], texts, Sampling()).deviations)
    least = smallest(answers, 1.0, z_of_texts)
    assert (least is None) == (said == NO_DEFECT)
    report = bug_report(answers, 1.0, certificate, z_of_texts, cold, certificate)
    assert ("Nothing to report" in report) == (said == NO_DEFECT)
    assert f"{z:.1f}" in report
