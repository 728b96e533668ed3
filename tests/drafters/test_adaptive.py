"""Adaptive drafting keeps the output's distribution; a policy that peeks does not."""

import numpy as np
import pytest

from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.drafters.choice import FirstToGuess
from course_utils.drafters.lengths import (
    AdaptiveLength,
    Constant,
    Estimated,
    Heuristic,
    Moving,
    StaleBudget,
)
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.adaptive_speculation.length_rules import (
    PresentBudget,
    confidence_below,
    entropy,
    entropy_above,
    rejection_above,
)
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import Decoder, exam
from course_utils.theory.estimators import Outcome, fastest_length, round_cost

# Few tokens and many rounds: learning from one round affects the next ones.
LONG = exam(2, gamma=2, length=5)
WIDE = exam(3, agreement=0.3, gamma=2, length=3)
DEEP = exam(2, agreement=0.2, length=4, seed=6)  # three guesses: rows after a guess matter

STOPS = {
    "threshold": confidence_below(0.4),
    "SpecDec++": rejection_above(0.6),
    "entropy": entropy_above(0.7),
}
POLICIES = {
    "constant": lambda: Constant(2),
    "heuristic": lambda: Heuristic(1, 3),
    "moving": lambda: Moving(1, 3, warm_up=1, interval=1),
    "estimated": lambda: Estimated(round_cost(0.5), memory=3, largest=3),
    "estimated, no draft pays": lambda: Estimated(round_cost(0.9), memory=3, probe=2),
    "stale budget": lambda: StaleBudget(round_cost(0.2), 1, 3),
}
MAKE = {
    **{name: lambda model, stop=stop: Sampled(model, stop=stop) for name, stop in STOPS.items()},
    **{
        name: lambda model, policy=policy: AdaptiveLength(Sampled(model), policy())
        for name, policy in POLICIES.items()
    },
    "lookup, else a policy and a stop": lambda model: AdaptiveLength(
        FirstToGuess(PromptLookup(shortest=2), Sampled(model, stop=confidence_below(0.5))),
        Heuristic(1, 3),
    ),
}


@pytest.mark.parametrize("name", MAKE)
def test_what_was_known_before_the_draw_keeps_the_output(name):
    for rule in (TOKEN_WISE, BLOCK):
        assert LONG.distance(Decoder(rule, MAKE[name])) < 1e-12
    decoder = Decoder(drafter=MAKE[name])
    assert WIDE.distance(decoder) < 1e-12
    # lengths or drafters differ between rounds, or the enumeration would prove nothing
    rounds = list(WIDE.rounds(decoder, 80))[:-3]
    kinds = {(len(r.drafted), r.q is None and bool(r.drafted)) for r in rounds}
    assert (len(kinds) > 1) == (name != "constant")


@pytest.mark.parametrize("drafter", [bug("unlikely drafts dropped").decoder.drafter, PresentBudget])
def test_what_depends_on_the_draw_bends_the_output(drafter):
    assert DEEP.distance(Decoder(drafter=drafter)) > 1e-3


def test_stop_rules_by_hand():
    row = np.array([0.5, 0.3, 0.2])
    two = [row, row]
    assert confidence_below(0.4)(two, [0, 1])
    assert not confidence_below(0.4)(two, [1, 0])  # the last guess counts
    assert not confidence_below(0.4)(two, [1])  # a row is there and no guess: not asked
    assert rejection_above(0.7)(two, [0, 0])  # 1 - .25
    assert not rejection_above(0.76)(two, [0, 0])
    assert entropy_above(1.0)([row], [])
    assert not entropy_above(1.1)([row], [])
    assert entropy(np.array([0.5, 0.5, 0.0])) == pytest.approx(np.log(2))


def lengths(policy, outcomes):
    """Return a policy's lengths after each of some outcomes (accepted, drafted)."""
    lengths = []
    for accepted, drafted in outcomes:
        lengths.append(policy.length())
        policy.learn(Outcome(lengths[-1], drafted, accepted))
    return [*lengths[1:], policy.length()]


def test_rules_of_thumb_by_hand():
    assert lengths(Constant(3), [(3, 3), (0, 3)]) == [3, 3]
    assert lengths(Heuristic(2, 6), [(2, 2), (4, 4), (6, 6), (0, 6), (1, 5)]) == [4, 6, 6, 5, 4]
    assert lengths(Heuristic(1), [(0, 1), (0, 0)]) == [1, 1]  # nothing drafted says nothing
    assert lengths(Moving(4), [(3, 4)] * 15)[8:] == [4] * 7
    assert lengths(Moving(4), [(0, 4)] * 10)[-2:] == [4, 1]


def test_an_estimate_stops_drafting_where_none_pays_and_finds_back():
    """No guess is right, then all: at c = 0.9 a draft pays from alpha = 0.9 on."""
    policy, allowed = Estimated(round_cost(0.9), largest=8), []
    for alpha in [0] * 100 + [1] * 100:
        allowed.append(policy.length())
        if allowed[-1]:
            policy.learn(Outcome(allowed[-1], allowed[-1], alpha * allowed[-1]))
    assert allowed[:100] == ([1] + [0] * 19) * 5
    assert min(allowed[180:]) >= 1


def test_an_estimate_leads_to_the_best_length():
    """4000 rounds at alpha = 0.8 and c = 0.1: drafts of five to six pay best."""
    policy, rng = Estimated(round_cost(0.1), memory=500.0), np.random.default_rng(0)
    for _ in range(4000):
        gamma = policy.length()
        failures = np.flatnonzero(rng.random(gamma) >= 0.8)
        policy.learn(Outcome(gamma, gamma, int(failures[0]) if len(failures) else gamma))
    best = fastest_length([0.8**j for j in range(1, 17)], round_cost(0.1))
    assert abs(policy.length() - best) <= 1
