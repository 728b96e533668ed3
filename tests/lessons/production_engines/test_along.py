"""The student's test is the course's, and tells liars; what could have been accepted."""

import numpy as np
import pytest

from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.engines.client import Question
from course_utils.lessons.production_engines import along
from course_utils.lessons.production_engines.surprise_check import (
    LIARS,
    check_deviations,
    deviations,
    made_rows,
    sharpened,
    written,
)
from course_utils.proofs.surprise import UNLIKELY, surprise
from tests.lessons.production_engines.test_beside import part, raw

PROMPT = (0, 1, 2)


def drawn(target, n, seed, temperature=1.0):
    """A text of the target at some temperature."""
    rng, tokens = np.random.default_rng(seed), []
    for _ in range(n):
        text = [*PROMPT, *tokens]
        row = probabilities(target.start(text[:-1]).extend(text[-1:]), Sampling(temperature))[0]
        tokens.append(int(rng.choice(len(row), p=row / row.sum())))
    return tokens


def served(texts):
    answers = part([raw(text) for text in texts])
    questions = [Question(PROMPT, len(text), 1.0) for text in texts]
    return answers.model_copy(update={"questions": questions})


def test_it_is_the_test_of_the_proofs(tables):
    target, _ = tables
    texts = [drawn(target, 30, seed) for seed in range(3)]
    whole = surprise(target, [(PROMPT, text) for text in texts], Sampling())
    (found,) = along.deviations_of([("a", served(texts))], target, deviations).values()
    assert found == pytest.approx(whole.deviations)
    assert abs(found) < UNLIKELY


def test_another_temperature_is_heard(tables):
    target, _ = tables
    for temperature, sign in ((0.4, -1), (3.0, 1)):
        texts = [drawn(target, 60, seed, temperature) for seed in range(4)]
        (found,) = along.deviations_of([("a", served(texts))], target, deviations).values()
        assert sign * found > UNLIKELY


def test_of_the_texts_of_the_exercise_one_is_honest():
    rows = check_deviations.cases[0][0]
    off = {name: deviations(rows, text) for name, text in LIARS.items()}
    honest = off.pop("drawn as it should be")
    assert abs(honest) < 2
    assert all(abs(x) > abs(honest) for x in off.values())
    assert off["always the likeliest"] < -UNLIKELY < UNLIKELY < off["from other rows"]


def test_honest_texts_lie_around_zero_with_a_spread_of_one():
    rows = made_rows(5, 200)
    found = [deviations(rows, written(rows, seed)) for seed in range(300)]
    assert abs(np.mean(found)) < 4 / np.sqrt(300)
    assert 0.85 < np.std(found) < 1.15


def test_sharpened_rows_are_distributions_of_the_same_order():
    rows = made_rows(2, 20)
    sharp = sharpened(rows, 0.5)
    assert np.allclose(sharp.sum(-1), 1)
    assert (sharp.argmax(-1) == rows.argmax(-1)).all()
    assert (sharp.max(-1) > rows.max(-1)).all()


def test_a_drawn_guess_is_accepted_more_often_than_a_certain_one():
    p, q = np.array([[0.5, 0.3, 0.2]]), np.array([[0.4, 0.5, 0.1]])
    found = along.possible(p, q)
    assert found.sampled == pytest.approx(0.4 + 0.3 + 0.1)
    assert found.greedy == 0.3


def test_rows_lie_at_the_places_of_their_tokens(tables):
    target, _ = tables
    texts = [drawn(target, 4, 1), drawn(target, 6, 2)]
    rows = along.rows_along(target, served(texts))
    assert rows.shape == (10, 4)
    assert along.tokens_of(served(texts)).tolist() == texts[0] + texts[1]
    text = [*PROMPT, *texts[1]]
    alone = probabilities(target.start(text[:-2]).extend([text[-2]]), Sampling())
    assert np.allclose(rows[-1], alone[0])
