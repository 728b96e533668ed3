"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from statistics import median
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.qwen3_speculative_decoder.checks import (
    check_fair_speedup,
    check_on_a_miss,
    check_speculate,
    check_statistics,
    on_a_miss,
    placeholders,
)
from course_utils.models.tables import TableModel

TOY = SimpleNamespace(
    target=TableModel.random(6, order=1, seed=2), draft=TableModel.random(6, order=1, seed=5)
)
CHECKS = [lambda answer: check_speculate(answer, TOY)]  # not a value: it needs a pair


def speculate(pair, ids, gamma, temperature, drafter=None, **wrong):
    sampling = Sampling(temperature=temperature)
    settings = dict(gamma=gamma, sampling=sampling) | wrong
    drafter = drafter or Sampled(pair.draft, sampling)
    return list(generate(pair.target, ids, drafter, **settings))


def swapped(pair, *rest):
    return speculate(SimpleNamespace(target=pair.draft, draft=pair.target), *rest)


def counts(rounds, **wrong):
    """The count of examined guesses as an earlier lesson teaches it."""
    return {
        "drafted": sum(len(r.drafted) for r in rounds),
        "accepted": sum(r.accepted for r in rounds),
        "examined": sum(r.accepted + (r.accepted < len(r.drafted)) for r in rounds),
        "new": len(emitted_tokens(rounds)),
    } | wrong


def dropping_the_first_pair(standard, speculative, clock, repeats):
    """Warm by timing one pair more; the other program first."""
    ratios = []
    for _ in range(repeats + 1):
        times = [clock()]
        for run in (speculative, standard):
            run()
            times.append(clock())
        ratios.append((times[2] - times[1]) / (times[1] - times[0]))
    return float(np.median(ratios[1:]))


def sorted_middle(standard, speculative, clock, repeats):
    """The middle of the sorted ratios, for an odd number of them."""

    def seconds(run):
        start = clock()
        run()
        return clock() - start

    seconds(standard), seconds(speculative)
    ratios = sorted(seconds(standard) / seconds(speculative) for _ in range(repeats))
    return ratios[repeats // 2]


def by_hand(p, w):
    """Every placeholder in turn, in plain Python."""
    favourite = max(range(len(p)), key=lambda i: p[i])
    emitted = [0.0] * len(p)
    for x, chance in enumerate(w):
        for y in range(len(p)):
            emitted[y] += chance * (x == y if x == favourite else p[y])
    excess = emitted[favourite] - p[favourite]
    error = (p[favourite] * (1 - p[favourite])) ** 0.5  # of one token
    return {"emitted": emitted, "TV": excess, "tokens": (3 * error / excess) ** 2}


def by_the_formula(p, w):
    hit, best = w[p.argmax()], p.max()
    one_hot = np.eye(len(p))[p.argmax()]
    distance = hit * (1 - best)
    tokens = 9 * best / ((1 - best) * hit**2)
    return {"tokens": tokens, "TV": distance, "emitted": hit * one_hot + (1 - hit) * p}


def in_place(p, w):
    """The array of the case itself is changed."""
    best, hit = p.max(), w[p.argmax()]
    p *= 1 - hit
    p[p.argmax()] += hit
    excess = p.max() - best
    return {"emitted": p, "TV": excess, "tokens": 9 * best * (1 - best) / excess**2}


RIGHT_ANSWERS = [
    (check_statistics, counts),  # as an earlier lesson counts what was examined
    (check_fair_speedup, dropping_the_first_pair),
    (check_fair_speedup, sorted_middle),
    (check_on_a_miss, by_hand),
    (check_on_a_miss, by_the_formula),
    (check_on_a_miss, in_place),
]


def missed(**wrong):
    return lambda p, w: on_a_miss(p, w) | wrong


WRONG_ANSWERS = [
    (check_statistics, lambda rounds: {"drafted": 1, "accepted": 1}, "a dict with drafted"),
    (check_statistics, lambda rounds: counts(rounds, new=0), "new: For rounds that drafted"),
    (check_fair_speedup, lambda *_: 1.0, "slow in its first runs, the answer is 2, not 1"),
    (check_fair_speedup, lambda a, b, clock, n: a() / b(), "your code raised"),
    (check_fair_speedup, lambda a, b, clock, n: [median([2.0])] * n, "the answer is 2, not [2.0]"),
    (check_on_a_miss, lambda p, w: on_a_miss(p, w)["emitted"], "a dict with emitted, TV, tokens"),
    (check_on_a_miss, missed(emitted=np.ones(3) / 3), "emitted: For p = [0.2, 0.4, 0.3, 0.1]"),
    (check_on_a_miss, missed(emitted=...), "emitted is still open"),
    (check_on_a_miss, missed(TV=0.3), "the answer is 0.15, not 0.3"),
    (check_on_a_miss, missed(tokens=9), "tokens: For p = "),
]


def test_the_largest_of_coarse_uniforms_stands_at_the_beginning():
    """What `placeholders` computes is what torch draws, up to the noise of 400 draws."""
    generator = torch.Generator().manual_seed(0)
    empty = torch.empty(4096, dtype=torch.bfloat16)
    drawn = [int(empty.uniform_(generator=generator).argmax()) for _ in range(400)]
    w = placeholders(4096)
    assert w.sum() == pytest.approx(1)
    below = w[:177].sum()  # half of the mass
    assert abs(below - 0.5) < 0.01
    assert abs(np.mean(np.array(drawn) < 177) - below) < 4 * 0.5 / 400**0.5


def test_a_fine_grid_makes_even_placeholders():
    assert np.allclose(placeholders(4, steps=2**24), 0.25, atol=1e-6)


def test_the_right_decoder_passes_with_any_length_and_seed():
    assert check_speculate(speculate, TOY).status == "passed"
    shorter = lambda *each: speculate(*each, seed=3, max_new_tokens=20)  # noqa: E731
    assert check_speculate(shorter, TOY).status == "passed"


def test_the_right_decoder_passes_on_the_trained_pair(pair):
    short = lambda *each: speculate(*each, max_new_tokens=12)  # noqa: E731
    assert check_speculate(short, pair).status == "passed"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda pair, ids, g, t: generate(pair.target, ids), "one by one"),
        (lambda *each: emitted_tokens(speculate(*each)), "rounds themselves"),
        (
            lambda pair, ids, g, t: list(generate(pair.target, ids, sampling=Sampling(t))),
            "standard decoding",
        ),
        (lambda pair, ids, g, t: speculate(pair, ids, 4, t), "Hand gamma on"),
        (lambda pair, ids, *rest: speculate(pair, ids[:1], *rest), "the prompt has 3"),
        (swapped, "exchanged target and draft"),
        (lambda *each: speculate(*each, sampling=Sampling()), "target speaks at temperature 1"),
        (lambda *each: speculate(*each, sampling=GREEDY), "target decodes greedily"),
        (
            lambda *each: speculate(*each, sampling=Sampling(3.0)),
            "p is not the target's distribution",
        ),
        (
            lambda pair, ids, g, t: speculate(
                pair, ids, g, t, Sampled(pair.target, Sampling(temperature=t))
            ),
            "target's own distribution",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft)),
            "draft samples at temperature 1",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft, GREEDY)),
            "draft samples at temperature 0",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft, Sampling(3.0))),
            "q is not the draft",
        ),
        (lambda pair, *rest: speculate(pair, *rest, PromptLookup()), "did not sample"),
    ],
)
def test_mistakes_in_the_decoder(answer, says):
    feedback = check_speculate(answer, TOY)
    assert feedback.status == "wrong"
    assert says in feedback.message


def test_a_decoder_that_runs_the_lessons_own_pair_is_told_so():
    own = SimpleNamespace(target=TableModel.random(9, 0, 0), draft=TableModel.random(9, 0, 1))
    feedback = check_speculate(lambda pair, *rest: speculate(own, *rest), TOY)
    assert "lesson's own pair" in feedback.message
