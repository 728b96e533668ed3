"""Texts drawn from the target pass; texts that are not are seen from outside."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.tables import TableModel
from course_utils.proofs.surprise import UNLIKELY, surprise

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
    assert judged.variance == pytest.approx(
        sum(row @ (t - m) ** 2 for row, t, m in zip(rows, told, means, strict=True))
    )


def test_over_all_texts_the_mean_excess_is_zero_and_its_square_the_variance():
    """Exact: every text of four tokens, weighed by its probability."""
    excess = square = variance = 0.0
    for text in np.ndindex(*(7,) * 4):
        rows = [TARGET.distribution([before]) for before in (0, *text[:-1])]
        weight = float(np.prod([row[x] for row, x in zip(rows, text, strict=True)]))
        judged = surprise(TARGET, [([0], list(text))], AS_IS)
        excess += weight * (judged.met - judged.expected)
        square += weight * (judged.met - judged.expected) ** 2
        variance += weight * judged.variance
    assert abs(excess) < 1e-12
    assert square == pytest.approx(variance, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_what_was_drawn_from_the_target_passes(seed):
    assert surprise(TARGET, [([0], drawn(TARGET, 600, seed=seed))], AS_IS).drawn


@pytest.mark.parametrize("temperature", [0.6, 1.7])
def test_another_temperature_is_seen(temperature):
    judged = surprise(TARGET, [([0], drawn(TARGET, 600, temperature))], AS_IS)
    assert not judged.drawn
    assert (judged.deviations > 0) == (temperature > 1)


def test_the_loop_passes_with_a_draft_that_knows_little():
    drafter = Sampled(TableModel.random(7, order=1, seed=9), AS_IS)
    rounds = generate(TARGET, [0], drafter, max_new_tokens=600, gamma=3, seed=1)
    assert surprise(TARGET, [([0], emitted_tokens(rounds))], AS_IS).drawn


def test_a_token_without_probability_is_infinitely_surprising():
    target = TableModel(np.array([0.5, 0.5, 0.0]))
    judged = surprise(target, [([0], [0, 2, 1])], AS_IS)
    assert judged.deviations == np.inf
    assert not judged.drawn


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
    assert UNLIKELY == 4
