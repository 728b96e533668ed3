"""Texts sampled from the target pass; other texts are detected from text and logits."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.drift import Drift, likelier
from course_utils.proofs.likelihood import LAMBDAS, MartingaleTest, likelihood_along, rows_along

TARGET = TableModel.random(7, order=1, seed=3)
WIDE = TableModel.random(48, order=1, seed=3)


def sharpened(p, temperature):
    powers = p ** (1 / temperature)
    return powers / powers.sum()


def text_of(model, length, draw):
    """Tokens after token 0; `draw` is called with (p, sum of the excess so far, rng)."""
    rng, text, excess = np.random.default_rng(0), [0], 0.0
    for _ in range(length):
        p = model.distribution(text)
        text.append(int(draw(p, excess, rng)))
        excess += p @ np.log(p) - np.log(p[text[-1]])
    return text[1:]


def judged(model, text, sampling=Sampling()):
    return likelihood_along(rows_along(model, [0], text, sampling), text)


def test_the_sums_are_those_of_the_rows():
    text = [3, 1, 4, 1, 5]
    rows = [TARGET.distribution([before]) for before in [0, *text[:-1]]]
    surprisal = [-np.log(row) for row in rows]
    mean = [row @ s for row, s in zip(rows, surprisal, strict=True)]
    moment = {
        k: [row @ (s - m) ** k for row, s, m in zip(rows, surprisal, mean, strict=True)]
        for k in (2, 4)
    }
    pairs = list(zip(surprisal, mean, text, strict=True))
    expected = [sum(s[x] - m for s, m, x in pairs), sum((s[x] - m) ** 2 for s, m, x in pairs)]
    expected[1] -= sum(moment[2])
    test = judged(TARGET, text)
    assert test.tokens == 5
    assert test.excess == pytest.approx(expected)
    variance = [sum(moment[2]), sum(moment[4]) - sum(v**2 for v in moment[2])]
    assert test.variance == pytest.approx(variance)
    twice = MartingaleTest.total([test, test])
    assert twice.log_mgf == pytest.approx(2 * test.log_mgf)
    assert twice.excess == pytest.approx(2 * test.excess)


def test_over_all_texts_both_statistics_are_martingales_and_no_lambda_gains():
    """Why a bound is valid at any length: a mean of 1 exceeds c in at most 1 of c cases."""
    moments, gains = np.zeros((3, 2)), np.zeros((2, 2, len(LAMBDAS)))
    for text in np.ndindex(7, 7, 7):
        rows = [TARGET.distribution([before]) for before in (0, *text[:-1])]
        weight = float(np.prod([row[x] for row, x in zip(rows, text, strict=True)]))
        test = judged(TARGET, list(text))
        moments += weight * np.array([test.excess, test.excess**2, test.variance])
        gains += weight * np.exp(test.excess[:, None, None] * [[-1], [1]] * LAMBDAS - test.log_mgf)
    assert moments[0] == pytest.approx(0, abs=1e-12)
    assert moments[1] == pytest.approx(moments[2], abs=1e-12)
    assert gains == pytest.approx(np.ones_like(gains))


@pytest.mark.parametrize("temperature", [0.6, 1.7])
def test_another_temperature_is_seen(temperature):
    text = text_of(TARGET, 600, lambda p, _, rng: rng.choice(7, p=sharpened(p, temperature)))
    test = judged(TARGET, text)
    assert not test.passed
    assert (test.z_scores[0] > 0) == (temperature > 1)


AVERAGED_AWAY = {
    "always the token whose surprisal is nearest the entropy": (
        -1, lambda p, excess, rng: np.abs(-np.log(p) + p @ np.log(p)).argmin()
    ),
    "too sharp while the sum is above 0, else too flat": (
        1, lambda p, excess, rng: rng.choice(len(p), p=sharpened(p, 0.5 if excess > 0 else 2))
    ),
}  # fmt: skip


@pytest.mark.parametrize("engine", AVERAGED_AWAY)
def test_a_text_as_surprising_as_expected_is_seen_by_the_second_moment(engine):
    sign, draw = AVERAGED_AWAY[engine]
    test = judged(WIDE, text_of(WIDE, 2000, draw))
    (low, high), (second_low, second_high) = test.z_bounds()
    first, second = test.z_scores
    assert low < first < high
    assert second > second_high if sign > 0 else second < second_low
    assert not test.passed


def test_a_row_without_choice_adds_nothing():
    """Ties are not detected either, because their tokens are equally surprising."""
    for row in ([1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]):
        test = likelihood_along(np.array([row] * 500, np.float32), [0] * 500)
        assert test.z_scores.tolist() == [0, 0]
    rows = np.array([[0.6, 0.3, 0.1], [1.0, 0.0, 0.0]])
    alone, both = likelihood_along(rows[:1], [1]), likelihood_along(rows, [1, 0])
    assert alone.z_scores == pytest.approx(both.z_scores)


def test_a_filter_that_nobody_asked_for_is_seen_and_a_token_beyond_one_is_impossible():
    cut = Sampling(temperature=0.6, top_k=8)
    text = emitted_tokens(generate(WIDE, [0], max_new_tokens=600, sampling=cut, seed=2))
    assert judged(WIDE, text, cut).passed
    assert not judged(WIDE, text, Sampling(temperature=0.6)).passed
    free = text_of(WIDE, 600, lambda p, _, rng: rng.choice(48, p=p))
    assert judged(WIDE, free).passed
    beyond = judged(WIDE, free, cut)
    assert beyond.z_scores.tolist() == [np.inf, np.inf]
    assert not beyond.passed


# --- drifts towards other distributions --------------------------------------------------------


def drift(p, other, tokens):
    case = Drift("towards something")
    case.add(p, other, tokens)
    return case.check("text")


def test_the_drift_that_is_stated_is_seen():
    """At the stated drift most texts fail, at a third of it few, without drift none."""
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.full(12, 0.4), (2, 600))
    for other in q, likelier(p):
        apart = float(abs(p - other).sum(-1).mean() / 2)
        stated = float(drift(p, other, [0] * 600).sees.split()[1])
        detected = []
        for w in (stated / apart, stated / apart / 3, 0):
            ends = ((1 - w) * p + w * other).cumsum(-1)
            texts = [(ends < rng.random((600, 1))).sum(-1).clip(0, 11) for _ in range(100)]
            detected.append(sum(not drift(p, other, text).passed for text in texts))
        assert detected[0] >= 97
        assert detected[1] <= 10
        assert detected[2] == 0


def test_few_tokens_have_no_power_and_equal_rows_no_drift():
    p = np.random.default_rng(2).dirichlet(np.ones(4), 8)
    for other in likelier(p), p:
        check = drift(p, other, [1] * 8)
        assert (check.passed, check.sees) == (True, "")
