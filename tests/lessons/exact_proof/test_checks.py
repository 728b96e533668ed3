"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from collections import Counter
from itertools import product
from random import random

import numpy as np
import pytest

from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.lessons.exact_proof.checks import (
    check_every_path,
    check_exact_distance,
    every_path,
    exact_distance,
)
from course_utils.proofs.enumeration import merge_paths

# --- the walk


def of_all_answers(program, most=3):
    """Every way to answer three questions, each once, asked or not."""
    weights = Counter()
    for answers in product((True, False), repeat=most):
        steps = []

        def ask(yes, answers=answers, steps=steps):
            steps.append((yes if answers[len(steps)] else 1 - yes, answers[len(steps)]))
            return steps[-1][1]

        result = program(ask)
        path = tuple(answer for _, answer in steps)
        weights[path, result] = np.prod([weight for weight, _ in steps])
    return [(weight, result) for (_, result), weight in weights.items()]


@pytest.mark.parametrize(
    "walk",
    [
        of_all_answers,
        lambda program: [[*pair] for pair in reversed(every_path(program))],
        lambda program: [*every_path(program), (0.0, "impossible")],
    ],
)
def test_any_walk_through_all_paths_passes(walk):
    assert check_every_path(walk).status == PASSED


def at_a_fixed_depth(program):
    """Two answers for every program, however many questions it has."""
    paths = []
    for answers in product((True, False), repeat=2):
        left, weights = [*answers], [1.0]

        def ask(yes, left=left, weights=weights):
            answer = left.pop(0)
            weights.append(yes if answer else 1 - yes)
            return answer

        result = program(ask)
        paths.append((np.prod(weights), result))
    return paths


def thrown(program):
    return [(0.125, program(lambda yes: random() < yes)) for _ in range(8)]


def endless(program):
    while True:
        program(lambda yes: True)


@pytest.mark.parametrize(
    ("walk", "words"),
    [
        (lambda program: iter(every_path(program)), "put list(...) around it"),
        (lambda program: {r: w for w, r in every_path(program)}, "a list with one pair"),
        (lambda program: [w for w, _ in every_path(program)], "raised TypeError"),
        (lambda program: every_path(program) * 2, "You gave 2 paths for one that asks nothing"),
        (at_a_fixed_depth, "You gave 4 paths for one that asks nothing"),
        (lambda program: [(1 - w, r) for w, r in every_path(program)], "not [(0.0, 'certain')]"),
        (endless, "was run 50 times"),
        (thrown, "You gave 8 paths for one that asks nothing"),
    ],
)
def test_other_walks_are_told_apart(walk, words):
    feedback = check_every_path(walk)
    assert feedback.status == WRONG
    assert words in feedback.message


# --- the distance


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda paths, truth: 7.0, "not 7"),
        (lambda paths, truth: round(exact_distance(paths, truth), 2), "0.2031, not 0.2"),
        (  # once taken for the largest error of a single text
            lambda paths, truth: sum(
                max(merge_paths(paths).get(t, 0) - truth[t], 0) for t in truth
            ),
            "the answer is",
        ),
        (
            lambda paths, truth: None if len(truth) > 2 else exact_distance(paths, truth),
            "nothing comes back",
        ),
    ],
)
def test_other_distances_are_told_apart(function, words):
    feedback = check_exact_distance(function)
    assert feedback.status == WRONG
    assert words in feedback.message


def overwrites(paths, truth):
    said = {}
    for weight, text in paths:
        said[text] = weight
    return said


@pytest.mark.parametrize(
    "distance",
    [
        lambda said, truth: sum(abs(said[t] - truth.get(t, 0)) for t in said) / 2,
        lambda said, truth: sum(abs(said.get(t, 0) - truth[t]) for t in truth) / 2,
        lambda said, truth: sum(abs(said.get(t, 0) - truth.get(t, 0)) for t in {*said, *truth}),
    ],
)
def test_an_overwritten_weight_is_named_whatever_else_is_wrong(distance):
    told = check_exact_distance(lambda paths, truth: distance(overwrites(paths, truth), truth))
    assert "you kept the weight of one of them" in told.message
