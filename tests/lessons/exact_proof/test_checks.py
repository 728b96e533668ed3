"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from collections import Counter
from itertools import product
from random import random

import numpy as np
import pytest

from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.classroom.rounds import as_answer
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.lessons.exact_proof.checks import (
    EXACT,
    EXAMS,
    FULL,
    LEAST,
    LOG,
    ONE,
    PAIR,
    check_every_path,
    check_exact_distance,
    check_slips_through,
    every_path,
    exact_distance,
    residual_of_row_0,
)
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import CORRECT, acceptance_shown
from course_utils.proofs.enumeration import gathered
from tests.rule_by_parts import token_wise_from

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


@pytest.mark.parametrize(
    ("walk", "words"),
    [
        (lambda program: iter(every_path(program)), "put list(...) around it"),
        (lambda program: {r: w for w, r in every_path(program)}, "a list with one pair"),
        (lambda program: [w for w, _ in every_path(program)], "raised TypeError"),
        (lambda program: every_path(program) * 2, "You gave 2 paths for one that asks nothing"),
        (at_a_fixed_depth, "You gave 4 paths for one that asks nothing"),
        (lambda program: [(1 - w, r) for w, r in every_path(program)], "not [(0.0, 'certain')]"),
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
            lambda paths, truth: sum(max(gathered(paths).get(t, 0) - truth[t], 0) for t in truth),
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


# --- a mutant that slips through


def mutant(**parts):
    """Token-wise, these parts replaced."""
    return as_answer(token_wise_from(**parts))


def every_other_time():
    """Remembers its calls, so that the enumeration's paths do not add up to one program."""
    calls, right = [], mutant()

    def rule(*given):
        calls.append(given)
        return residual_of_row_0(*given) if len(calls) % 2 else right(*given)

    return rule


def test_the_token_wise_rule_is_no_mutant():
    assert "lossless" in check_slips_through(mutant()).message


@pytest.mark.parametrize(
    "rule",
    [
        residual_of_row_0,
        mutant(bonus=lambda p, u: sample(p[0] if len(p) > 2 else p[-1], u[-1])),
        mutant(correction=lambda i, p, q, u: sample(residual(p[0], q[i]), u[-1])),
        lambda *given: np.array(residual_of_row_0(*given)),
    ],
)
def test_more_than_one_mutant_slips_through(rule):
    assert check_slips_through(rule).status == PASSED


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (mutant(accepts=lambda i, p, q, x, u: u[0] < p[i, x] / q[i, x]), "but too little"),
        (mutant(accepts=lambda i, p, q, x, u: u[i] < p[0, x] / q[0, x]), "the log finds it"),
        (mutant(correction=lambda i, p, q, u: sample(p[i], u[-1])), "fixed pair finds it"),
        (
            mutant(correction=lambda i, p, q, u: sample(residual(p[i + 1], q[i]), u[-1])),
            "one drafted token finds",
        ),
        (mutant(bonus=lambda p, u: sample(p[-2], u[-1])), "with nothing drafted"),
        (every_other_time(), "or remembers earlier runs"),
        (lambda *given: residual_of_row_0(*given)[0], "Return two whole numbers"),
        (lambda *given: (0.5, 1), "Return two whole numbers"),
        (lambda *given: (3, 1), "2 drafted tokens and 3 words your rule returned (3, 1)"),
        (lambda *given: (0, 9), "your rule returned (0, 9)"),
        (lambda p, q, x, u: residual_of_row_0(p, q, x, u) if x else None, "nothing comes back"),
        (lambda p, q, drafted, u: (0, int(u[0] < random())), "random numbers of its own"),
    ],
)
def test_what_finds_a_mutant_is_said(rule, words):
    feedback = check_slips_through(rule)
    assert feedback.status == WRONG
    assert words in feedback.message


def test_no_specimen_of_the_zoo_solves_the_exercise():
    """Nothing that the lesson shows may be handed in as it is."""
    right = acceptance_shown(EXAMS[LOG].first_rounds(CORRECT))
    for decoder in (specimen.decoder for specimen in BUGS):
        unseen = all(EXAMS[name].distance(decoder) < EXACT for name in (PAIR, ONE))
        shown = acceptance_shown(EXAMS[LOG].first_rounds(decoder))
        logged = shown == pytest.approx(right, abs=EXACT)
        assert not (unseen and logged and EXAMS[FULL].distance(decoder) > LEAST)


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
