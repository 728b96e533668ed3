"""Effects are what an enumeration of the loop finds; costs along texts follow from them."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.rules import BLOCK, TOKEN_WISE, TYPICAL, typical
from course_utils.decoding.theory import total_variation
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.what_lossy_rules_cost import effects, enumerated
from course_utils.lessons.what_lossy_rules_cost.checks import typical_price
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam, exam, tokens_per_round

P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])
ZERO = np.array([0.0, 0.5, 0.28, 0.17, 0.05])


def by_the_loop(rule, p, q):
    """Mass of each word that is accepted, and of each that is emitted."""
    kept, said = np.zeros(len(p)), np.zeros(len(p))
    for weight, r in Exam(TableModel(p), TableModel(q), gamma=1).first_rounds(Decoder(rule)):
        said[r.emitted[0]] += weight
        kept[r.emitted[0]] += weight * r.accepted
    return kept, said


@pytest.mark.parametrize("name", effects.RULES)
@pytest.mark.parametrize(("p", "q"), [(P, Q), (ZERO, Q), (P, P), (Q, ZERO)])
def test_an_effect_is_what_an_enumeration_finds(name, p, q):
    rule, effect = effects.RULES[name]
    kept, said = effect(p[None], q[None])
    found_kept, found_said = by_the_loop(rule, p, q)
    assert kept[0] == pytest.approx(found_kept, abs=1e-12)
    assert said[0] == pytest.approx(found_said, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.09, 0.3])
def test_what_is_plausible_is_what_the_rule_accepts(epsilon):
    kept, said = effects.typical(epsilon, epsilon**0.5)(P[None], Q[None])
    loop = by_the_loop(typical(epsilon, epsilon**0.5), P, Q)
    assert kept[0] == pytest.approx(loop[0], abs=1e-12)
    found = typical_price(P, Q, epsilon, epsilon**0.5)
    assert found == pytest.approx((kept.sum(), total_variation(said[0], P)), abs=1e-12)


def test_the_likeliest_token_is_always_plausible_and_on_a_flat_row_every_token():
    rows = np.random.default_rng(0).dirichlet(np.full(50, 0.3), 200)
    passing = effects.plausible(rows, 1.0, 0.3)  # no ceiling
    assert passing[np.arange(len(rows)), rows.argmax(-1)].all()
    assert not passing.all(-1).any()
    assert effects.plausible(np.full((1, 50), 0.02), 0.09, 0.3).all()
    entropy = -(rows * np.log(rows.clip(min=1e-300))).sum(-1)
    assert (np.exp(-entropy) <= rows.max(-1)).all()


def test_no_rule_accepts_more_than_alpha_and_its_distance_and_the_ensemble_does():
    alpha = np.minimum(P, Q).sum()
    for name, (_, effect) in effects.RULES.items():
        kept, said = effect(P[None], Q[None])
        wasted = alpha + total_variation(said[0], P) - kept.sum()
        assert wasted > -1e-12
        if name.startswith("w = "):
            assert wasted == pytest.approx(0, abs=1e-12)


def test_the_cost_along_texts_is_that_of_its_positions():
    """Every row is the same, so tokens and distance are known."""
    target, draft = TableModel(P), TableModel(Q)
    found = effects.costs(target, draft, [[0], [1]], 1.0, 2, 60)
    alpha = np.minimum(P, Q).sum()
    assert found["token-wise"].tokens == pytest.approx(1 + alpha + alpha**2)
    assert found["token-wise"].distance == 0
    rate, tv = typical_price(P, Q, 0.09, 0.3)
    assert found["typical"].tokens == pytest.approx(1 + rate + rate**2)
    rounds = [r for seed in (0, 1) for r in generate(
        target, [seed], Sampled(draft), gamma=2, rule=TYPICAL, max_new_tokens=60)]  # fmt: skip
    whole = [r for r in rounds if len(r.drafted) == 2]
    examined = sum(min(r.accepted + 1, 2) for r in whole)
    assert found["typical"].distance == pytest.approx(
        tv * examined / sum(r.accepted + 1 for r in whole)
    )
    assert effects.speedup(3.0, 4, 0.25) == 1.5


def test_prices_of_rows_are_those_of_the_rule():
    p, q = np.stack([P, ZERO]), np.stack([Q, P])
    lossless, wide, medusas, strict = effects.prices(p, q, typical_price)
    alphas = np.minimum(p, q).sum(-1)
    assert lossless["accepted"] == pytest.approx(alphas.mean())
    assert lossless["TV of a token, mean"] == lossless["worst place"] == 0
    assert wide["accepted"] > medusas["accepted"] > strict["accepted"]
    refused = q * ~effects.plausible(p, 0.09, 0.3)
    assert medusas["p of a refused guess"] == pytest.approx((refused * p).sum() / refused.sum())


def test_places_are_means_over_pairs():
    tokens, distance = enumerated.place(BLOCK, [3], gamma=2, length=3)
    e = exam(seed=3, gamma=2, length=3)
    assert tokens == pytest.approx(tokens_per_round(e.first_rounds(Decoder(BLOCK))))
    assert distance < 1e-12
    one, other = enumerated.places({"token-wise": TOKEN_WISE, "typical": TYPICAL}, 2, 0)
    assert one["TV of a text of 3 tokens"] == 0 < other["TV of a text of 3 tokens"]
