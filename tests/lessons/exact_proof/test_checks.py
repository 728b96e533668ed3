"""The checks of lesson 03 about laws and whole drafts tell wrong from wrong."""

import numpy as np
import pytest

from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.lessons.exact_proof.checks import check_exact_distance, exact_distance
from course_utils.lessons.verification_rules.checks import check_kept_whole, kept_whole
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import Decoder, exam

CHECKS = (check_exact_distance, check_kept_whole)


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (check_exact_distance, exact_distance),
        (check_kept_whole, kept_whole),
        (check_kept_whole, lambda *case: np.array(kept_whole(*case)).tolist()),
    ],
)
def test_right_answers_pass(check, function):
    assert check(function).status == "passed"


# ------------------------------------------------------------------ the law of all paths


def added(paths):
    law = {}
    for weight, text in paths:
        law[text] = law.get(text, 0) + weight
    return law


def off(paths, truth, texts):
    law = added(paths)
    return [law.get(text, 0) - truth.get(text, 0) for text in texts]


def union(paths, truth):
    return {*added(paths), *truth}


def last_weight(paths, truth):
    law = {text: weight for weight, text in paths}
    return sum(abs(law.get(t, 0) - truth.get(t, 0)) for t in {*law, *truth}) / 2


def counted(paths, truth):
    return exact_distance([(1 / len(paths), text) for _, text in paths], truth)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (last_weight, "the last one"),
        (counted, "not equally likely"),
        (lambda w, t: sum(abs(x - t.get(text, 0)) for x, text in w) / 2, "compared each path"),
        (lambda w, t: sum(map(abs, off(w, t, union(w, t)))), "halve"),
        (lambda w, t: max(map(abs, off(w, t, union(w, t)))), "largest error"),
        (lambda w, t: sum(off(w, t, union(w, t))) / 2, "cancel"),
        (lambda w, t: sum(map(abs, off(w, t, added(w)))) / 2, "no path says"),
        (lambda w, t: sum(map(abs, off(w, t, t))) / 2, "never says"),
        (lambda w, t: sum(abs(added(w)[x] - t[x]) for x in union(w, t)) / 2, "law.get(text, 0)"),
        (lambda w, t: 7.0, "not 7"),
        (lambda w, t: None if len(t) > 2 else exact_distance(w, t), "return nothing"),
    ],
)
def test_exact_distance_names_the_mistake(function, words):
    feedback = check_exact_distance(function)
    assert feedback.status == "wrong"
    assert words in feedback.message


@pytest.mark.parametrize("name", ["coin used twice", "no coin", "argmax bonus"])
def test_exact_distance_is_that_of_the_proofs(name):
    e = exam(gamma=1, length=2)
    decoder = bug(name).decoder
    paths = [(w, text) for text, w in e.law(decoder).items()]
    assert exact_distance(paths, e.truth()) == pytest.approx(e.distance(decoder), abs=1e-15)


# ------------------------------------------------------------------ drafts kept whole


def ratios(p, q, drafted):
    return [p[i, x] / q[i, x] for i, x in enumerate(drafted)]


def running(values):
    r = 1.0
    for value in values:
        r = min(1.0, r * value)
    return r


def capped(values):
    return np.minimum(1, values).prod()


def both(token_wise, block):
    return lambda *case: (token_wise(ratios(*case)), block(ratios(*case)))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (both(running, capped), "swapped: token-wise first"),
        (both(capped, capped), "Multiply first, then cap"),
        (both(capped, lambda r: min(1, np.prod(r))), "once, at the end"),
        (both(capped, np.prod), "Credit cannot be saved up"),
        (both(lambda r: min(1, np.prod(r)), running), "pay for an earlier one"),
        (both(running, running), "is block's"),
        (both(np.prod, running), "never more than 1"),
        (both(np.prod, np.prod), "Without any cap"),
        (both(lambda r: min(1, *r), running), "worst token"),
        (lambda p, q, x: both(capped, running)(q, p, x), "swapped? It is"),
        (both(lambda r: 0.1, running), "not (0.1"),
        (lambda *case: 0.5, "two probabilities"),
        (lambda *case: (kept_whole(*case)[0], ...), "still open"),
    ],
)
def test_kept_whole_names_the_mistake(function, words):
    feedback = check_kept_whole(function)
    assert feedback.status == "wrong"
    assert words in feedback.message


def test_kept_whole_is_what_an_enumeration_finds():
    e = exam(gamma=3, seed=4)
    for place, rule in enumerate((TOKEN_WISE, BLOCK)):
        first_rounds = e.first_rounds(Decoder(rule))
        for draft in {r.drafted for _, r in first_rounds}:
            mine = [(w, r) for w, r in first_rounds if r.drafted == draft]
            whole = sum(w for w, r in mine if r.accepted == 3) / sum(w for w, _ in mine)
            _, r = mine[0]
            assert kept_whole(r.p, r.q, draft)[place] == pytest.approx(whole, abs=1e-12)
