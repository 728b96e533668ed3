"""The student's test is the course's, and tells liars; what could have been accepted."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.engines.client import Question
from course_utils.engines.decisions import Losing
from course_utils.engines.facts import facts
from course_utils.lessons.production_engines import along, told
from course_utils.lessons.production_engines.checks import (
    LIARS,
    check_deviations,
    deviations,
    made_rows,
    sharpened,
)
from course_utils.proofs.surprise import surprise, surprise_along
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
    return along.texts_of(answers.model_copy(update={"questions": questions}))


def test_it_is_the_test_of_the_proofs(tables):
    target, _ = tables
    for sampling in (Sampling(), Sampling(0.6, top_k=3, top_p=0.95, min_p=0.01)):
        texts = [
            emitted_tokens(generate(target, PROMPT, max_new_tokens=30, seed=i, sampling=sampling))
            for i in range(3)
        ]
        whole = surprise(target, [(PROMPT, text) for text in texts], sampling)
        found, bands = along.judged({"a": served(texts)}, target, deviations, sampling)
        assert found["a"] == pytest.approx((whole.deviations, whole.second_deviations))
        assert bands["a"] == pytest.approx(whole.bands)
        assert whole.drawn


def test_another_temperature_is_heard(tables):
    target, _ = tables
    for temperature, sign in ((0.4, -1), (3.0, 1)):
        texts = [drawn(target, 60, seed, temperature) for seed in range(4)]
        found, bands = along.judged({"a": served(texts)}, target, deviations)
        assert found["a"][0] * sign > max(bands["a"][0] * sign)


def test_of_the_texts_of_the_exercise_one_is_honest():
    rows = check_deviations.cases[0][0]
    off = {name: deviations(rows, text) for name, text in LIARS.items()}
    seen = {name for name, text in LIARS.items() if not surprise_along(rows, text).drawn}
    assert max(map(abs, off["drawn as it should be"])) < 2
    assert seen == LIARS.keys() - {"drawn as it should be", "at temperature 0.8"}  # 60 tokens
    assert abs(off["always the token nearest the entropy"][0]) < 2


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


def test_alarms_are_counted_for_each_length_that_the_rows_hold():
    table = along.alarms({"made": made_rows(3, 130)}, (60, 120, 240), 1000)
    assert [line["tokens"] for line in table] == [60, 120]
    for line in table:
        assert max(line["first"], line["second"]) <= line["either"] < 5
        assert line["called wrong"] == 0


def test_each_way_to_guess_is_accepted_as_often_as_its_rule_says():
    p, q = np.array([[0.5, 0.3, 0.2]]), np.array([[0.6, 0.3, 0.1]])
    ways = along.by_rule(p, q, gamma=1, kept=2)
    assert [way["α"] for way in ways] == pytest.approx([0.9, 0.5 + 0.3, 0.5])  # q2 is 2/3, 1/3
    assert [way["tokens per round"] for way in ways] == pytest.approx([1.9, 1.8, 1.5])


def test_an_engine_that_loses_is_told_with_its_sources():
    page = told.losing_table()
    for one in facts("losing", Losing):
        assert one.engine in page.html
        assert one.instead in page.text
        assert all(file in page.html for file in one.where)
