"""Lesson 11's claims on small models: a student's parts, the rate, the loss under load."""

import numpy as np
import pytest

from course_utils.decoding.sampling import Sampling
from course_utils.lessons.batched_speculation import checks
from course_utils.lessons.batched_speculation.batches import OwnBatch
from course_utils.lessons.batched_speculation.checks import check_visible_columns
from course_utils.models.qwen3.batched import Batched
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.proofs.batch_invariance import compare_rows
from course_utils.theory.batches import throughput
from course_utils.theory.speedup import expected_tokens
from tests.conftest import random_qwen3

PROMPTS = [
    np.random.default_rng(length).integers(97, size=length).tolist() for length in (9, 1, 40, 17, 2)
]


@pytest.mark.parametrize("form", FORMS)
def test_the_parts_of_exercise_1_make_a_correct_batch(form):
    small = (Qwen3.from_transformers(random_qwen3(layers=n, context=128)) for n in (2, 1))
    target, draft = (FORMS[form](model) for model in small)
    parts = checks.place_tokens, checks.visible_columns, checks.committed_lengths
    how = {"slots": 3, "gamma": 3, "max_new_tokens": 10, "sampling": Sampling()}
    assert compare_rows(OwnBatch(target, *parts, 96), Batched(draft, 96), PROMPTS, **how) == []


@pytest.mark.parametrize("gamma", [0, 2, 4])
def test_the_rate_of_exercise_3_equals_the_planners(gamma):
    def c(rows):
        return 0.1 * rows

    def v(tokens):
        return 1 + tokens / 20

    tokens = 1 + 0.7 * gamma
    for rows in (1, 8):
        planned_rate = throughput(tokens, gamma, rows, c, v, lambda n: 0.05 * n)
        rate = checks.batch_rate(rows, gamma, tokens, c, v, lambda n, g: 0.05 * n)
        assert rate == pytest.approx(planned_rate)


def test_a_draft_that_doubles_the_speed_of_one_text_helps_sixteen_less():
    """The quiz, with costs like those of two cores: flat up to four tokens, then linear."""

    def v(tokens):
        return 1 + max(0, tokens - 4) / 20

    def gain(rows, gamma=4, c=lambda rows: 0.1):
        return throughput(expected_tokens(0.75, gamma), gamma, rows, c, v) * v(rows) / rows

    assert gain(1) > 2
    assert gain(16) < gain(4) < gain(1)
    assert max(gain(64, gamma, lambda rows: 0.1 * rows) for gamma in range(1, 17)) < 1


def lists_of_columns(lengths, counts):
    ends = [n + i for n, count in zip(lengths, counts, strict=True) for i in range(count)]
    return [[column <= end for column in range(max(ends) + 1)] for end in ends]


RIGHT_ANSWERS = [(check_visible_columns, lists_of_columns)]
