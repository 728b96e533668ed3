"""Texts drawn from the target pass; texts that are not are seen from outside."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.surprise import TILTS, honest_texts, surprise, surprise_along

TARGET = TableModel.random(7, order=1, seed=3)
AS_IS = Sampling()


def drawn(model: TableModel, length: int, temperature: float = 1.0, seed: int = 0) -> list[int]:
    rng, text = np.random.default_rng(seed), [0]
    for _ in range(length):
        p = model.distribution(text) ** (1 / temperature)
        text.append(int(rng.choice(len(p), p=p / p.sum())))
    return text[1:]


def test_the_sums_are_those_of_the_rows():
    text = [3, 1, 4, 1, 5]
    rows = [TARGET.distribution([before]) for before in [0, *text[:-1]]]
    told = [-np.log(row) for row in rows]
    judged = surprise(TARGET, [([0], text)], AS_IS)
    assert judged.tokens == 5
    assert judged.met == pytest.approx(sum(t[x] for t, x in zip(told, text, strict=True)))
    means = [row @ t for row, t in zip(rows, told, strict=True)]
    assert judged.expected == pytest.approx(sum(means))
    variances = [row @ (t - m) ** 2 for row, t, m in zip(rows, told, means, strict=True)]
    fourths = [row @ (t - m) ** 4 for row, t, m in zip(rows, told, means, strict=True)]
    met = zip(told, means, text, strict=True)
    assert judged.variance == pytest.approx(sum(variances))
    assert judged.squares == pytest.approx(sum((t[x] - m) ** 2 for t, m, x in met))
    assert judged.spread == pytest.approx(sum(fourths) - sum(v**2 for v in variances))


@pytest.fixture(scope="module")
def every_text():
    """(probability, what is said of it) of every text of four tokens."""
    texts = []
    for text in np.ndindex(*(7,) * 4):
        rows = [TARGET.distribution([before]) for before in (0, *text[:-1])]
        weight = float(np.prod([row[x] for row, x in zip(rows, text, strict=True)]))
        texts.append((weight, surprise(TARGET, [([0], list(text))], AS_IS)))
    return texts


def test_over_all_texts_each_excess_is_zero_on_average_and_its_square_the_variance(every_text):
    first, second = np.zeros(3), np.zeros(3)
    for weight, judged in every_text:
        for sums, off, variance in (
            (first, judged.met - judged.expected, judged.variance),
            (second, judged.squares - judged.variance, judged.spread),
        ):
            sums += weight * np.array([off, off**2, variance])
    for mean, square, variance in (first, second):
        assert abs(mean) < 1e-12
        assert square == pytest.approx(variance, abs=1e-12)


def test_over_all_texts_no_tilt_gains_on_average(every_text):
    """Why a limit holds at any length: what is 1 on average exceeds c in one case of c at most."""
    gains = np.zeros((2, 2, len(TILTS)))
    for weight, judged in every_text:
        excess = np.array([judged.met - judged.expected, judged.squares - judged.variance])
        signed = excess[:, None, None] * [[-1], [1]] * TILTS
        gains += weight * np.exp(signed - judged.tilted)
    assert gains == pytest.approx(np.ones_like(gains))


def test_of_short_honest_texts_many_lie_beyond_four_deviations_and_none_is_called_wrong():
    """At four deviations one in 16,000 would be called wrong if the sums were normal."""
    rows = np.array([[0.99, *[0.001] * 10]] * 60)
    off, passed = honest_texts(rows, 20_000)
    assert (abs(off) > 4).any(0).mean() > 1 / 1000
    assert passed.all()
    assert off.std(-1) == pytest.approx(1, abs=0.05)


def test_a_text_passes_if_its_deviations_lie_in_the_bands():
    rows = np.random.default_rng(1).dirichlet(np.full(9, 0.3), 80)
    verdicts = set()
    for share in np.linspace(0, 1, 40):  # of tokens that are not drawn but the likeliest
        rng = np.random.default_rng(int(share * 1000))
        text = [
            row.argmax() if rng.random() < share else rng.choice(len(row), p=row) for row in rows
        ]
        judged = surprise_along(rows, text)
        low, high = judged.bands.T
        off = np.array([judged.deviations, judged.second_deviations])
        assert judged.drawn == ((low < off) & (off < high)).all()
        verdicts.add(judged.drawn)
    assert verdicts == {True, False}


@pytest.mark.parametrize("temperature", [0.6, 1.7])
def test_another_temperature_is_seen(temperature):
    judged = surprise(TARGET, [([0], drawn(TARGET, 600, temperature))], AS_IS)
    assert not judged.drawn
    assert (judged.deviations > 0) == (temperature > 1)


def test_a_token_without_probability_is_infinitely_surprising():
    target = TableModel(np.array([0.5, 0.5, 0.0]))
    judged = surprise(target, [([0], [0, 2, 1])], AS_IS)
    assert judged.deviations == judged.second_deviations == np.inf
    assert not judged.drawn


def nearest(p, off, rng):
    """Nothing is drawn: always the token whose surprise is nearest the entropy."""
    return np.abs(-np.log(p) + p @ np.log(p)).argmin()


def steered(p, off, rng):
    """Too sharp while the sum is above 0, else too flat."""
    return rng.choice(len(p), p=sharpened(p, 0.5 if off > 0 else 2.0))


def mixed(p, off, rng):
    """A likeliest token in one of five places, the others drawn too hot."""
    return p.argmax() if rng.random() < 0.2 else rng.choice(len(p), p=sharpened(p, 1.3))


def sharpened(p, temperature):
    powers = p ** (1 / temperature)
    return powers / powers.sum()


@pytest.mark.parametrize(("engine", "sign"), [(nearest, -1), (steered, 1), (mixed, 1)])
def test_a_text_as_surprising_as_expected_is_seen_by_the_second_moment(engine, sign):
    target = TableModel.random(48, order=1, seed=3)
    rng, text, off = np.random.default_rng(0), [0], 0.0
    for _ in range(2000):
        p = target.distribution(text)
        text.append(int(engine(p, off, rng)))
        off += p @ np.log(p) - np.log(p[text[-1]])
    judged = surprise(target, [([0], text[1:])], AS_IS)
    (low, high), (second_low, second_high) = judged.bands
    assert low < judged.deviations < high
    off = judged.second_deviations
    assert off > second_high if sign > 0 else off < second_low
    assert not judged.drawn


def test_a_row_without_choice_adds_nothing():
    """Nor do ties, of which every token is as surprising as every other."""
    for row in ([1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]):
        judged = surprise_along(np.array([row] * 500, np.float32), [0] * 500)
        assert (judged.deviations, judged.second_deviations) == (0, 0)
    rows = np.array([[0.6, 0.3, 0.1], [1.0, 0.0, 0.0]])
    one, both = surprise_along(rows[:1], [1]), surprise_along(rows, [1, 0])
    assert both.deviations == one.deviations
    assert both.second_deviations == one.second_deviations


def test_a_filter_is_seen_and_with_it_in_the_rows_the_text_passes():
    """A server that cuts in silence what nobody asked it to cut, and its honest neighbour."""
    target, cut = TableModel.random(48, order=1, seed=3), Sampling(temperature=0.6, top_k=8)
    rounds = generate(target, [0], max_new_tokens=600, sampling=cut, seed=2)
    texts = [([0], emitted_tokens(rounds))]
    assert surprise(target, texts, cut).drawn
    assert not surprise(target, texts, Sampling(temperature=0.6)).drawn
    beyond = surprise(target, [([0], drawn(target, 600))], cut)
    assert beyond.deviations == beyond.second_deviations == np.inf


def test_a_permutation_of_equally_likely_tokens_is_not_seen():
    """The limit that the module states."""
    target = TableModel(np.array([0.5, 0.25, 0.25]))
    text = [2 if token == 1 else token for token in drawn(target, 400)]
    assert surprise(target, [([0], text)], AS_IS).drawn


def test_greedy_and_empty_texts_are_refused():
    with pytest.raises(ValueError, match="nothing is drawn"):
        surprise(TARGET, [([0], [1])], GREEDY)
    with pytest.raises(ValueError, match="no text to judge"):
        surprise(TARGET, [([0], [])], AS_IS)
