"""What the loop emits, exactly: every lossless rule, and each lossy rule's theory."""

from dataclasses import replace
from fractions import Fraction
from math import fsum

import numpy as np
import pytest

from course_utils.decoding.rules import (
    BLOCK,
    GREEDY_MATCH,
    RECURSIVE_REJECTION,
    REDRAFT,
    RULES,
    TOKEN_WISE,
    TYPICAL,
    ensemble,
    ratio_threshold,
    residual,
)
from course_utils.decoding.sampling import GREEDY, Sampling, sample
from course_utils.decoding.theory import overlap, total_variation
from course_utils.drafters.candidates import (
    Candidates,
    likeliest,
    with_replacement,
    without_replacement,
)
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import (
    CORRECT,
    Decoder,
    Exam,
    exam,
    prompt_of,
    tokens_per_round,
)
from course_utils.proofs.enumeration import (
    Path,
    Uniform,
    distribution_distance,
    outcomes,
    target_distribution,
)
from course_utils.proofs.table_checks import EDGES, ENDINGS, FILTERED, RARE, TINY

LOSSLESS = [rule for rule in RULES if rule.lossless]
DRAWS = (with_replacement, without_replacement, likeliest)
SAMPLINGS = [
    Sampling(),
    Sampling(1.3, top_k=2),
    Sampling(0.8, top_k=3, top_p=0.9),
    Sampling(min_p=0.3),
    GREEDY,
]


def first_token(decoder, exam):
    """The distribution of the first emitted token."""
    return np.array(
        [
            fsum(w for w, r in exam.first_rounds(decoder) if r.emitted[0] == token)
            for token in range(exam.target.vocabulary_size)
        ]
    )


def flat(p, q, **settings):
    """Distributions without context."""
    return Exam(TableModel(np.array(p)), TableModel(np.array(q)), **settings)


def test_the_paths_of_a_die_are_found_with_their_weights():
    row = np.array([0.5, 0.0, 0.3, 0.2])

    def two_rolls(noise):
        a, b = noise.round(0).uniforms("other", 2)
        return sample(row, a), sample(row, b)

    distribution = {rolls: weight for weight, rolls in outcomes(two_rolls)}
    assert distribution == pytest.approx(
        {(i, j): row[i] * row[j] for i in (0, 2, 3) for j in (0, 2, 3)}
    )


def test_a_uniform_remembers_what_was_asked():
    def asked_twice(noise):
        (u,) = noise.round(0).uniforms("other", 1)
        return u < 0.5, u < 0.25, u >= 0.75, noise.round(0).uniforms("other", 1)[0] < 0.5

    found = {answers: weight for weight, answers in outcomes(asked_twice)}
    assert found == {
        (True, True, False, True): 0.25,
        (True, False, False, True): 0.25,
        (False, False, False, False): 0.25,
        (False, False, True, False): 0.25,
    }


def test_a_multiple_of_a_uniform_is_split_where_the_uniform_is():
    def split(below, *rows):
        return {*outcomes(lambda n: below(*n.round(0).uniforms("verify", 1), *rows))}

    for p, q, u in np.random.default_rng(0).random((300, 3)):
        assert split(lambda u, p, q: u * q < p, p, q) == split(lambda u, p, q: u < p / q, p, q)
        known = Uniform(Path(), u, u)
        assert (known * q < p, q * known >= p) == (u * q < p, q * u >= p)
    for wrong in (0, -0.5, known, np.ones(2)):
        with pytest.raises(TypeError, match="Uniform"):
            known * wrong


# Gamma 3 without filters is `table_checks.TINY`: test_bug_zoo.py asks it of every lossless rule but
# greedy match, of which it is asked below.
FILTERS = [(2, sampling) for sampling in SAMPLINGS] + [(3, SAMPLINGS[1]), (1, SAMPLINGS[2])]


@pytest.mark.parametrize(("gamma", "sampling"), FILTERS, ids=str)
@pytest.mark.parametrize("rule", LOSSLESS, ids=lambda rule: rule.name)
def test_a_lossless_rule_gives_the_targets_distribution(rule, gamma, sampling):
    size = 3 if gamma == 3 or rule.name == "greedy match" else 4
    settings = {"gamma": gamma, "length": gamma + 1, "sampling": sampling}
    assert exam(size, **settings).distance(Decoder(rule)) < 1e-12


def test_greedy_match_gives_it_at_gamma_3_over_two_tokens():
    """Over three it has 20 000 paths."""
    assert exam(2, gamma=3, length=4).distance(Decoder(GREEDY_MATCH)) < 1e-12


@pytest.mark.parametrize("rule", LOSSLESS, ids=lambda rule: rule.name)
def test_the_distribution_holds_across_full_rounds(rule):
    """Two rounds even if every draft is accepted."""
    assert exam(3, gamma=1, length=4).distance(Decoder(rule)) < 1e-12


@pytest.mark.parametrize("rule", LOSSLESS, ids=lambda rule: rule.name)
def test_a_drafter_with_other_settings_or_no_chance_is_lossless_too(rule):
    for drafter in (
        lambda model: Sampled(model, Sampling(0.4, top_k=2)),
        lambda model: Sampled(model, GREEDY),
        lambda model: PromptLookup(),
        lambda model: None,
    ):
        paper = exam(4, gamma=2, length=3, prompt=(0, 1, 0))
        assert paper.distance(Decoder(rule, drafter)) < 1e-12


@pytest.mark.parametrize(("gamma", "sampling"), [*FILTERS, (3, Sampling())], ids=str)
@pytest.mark.parametrize("draw", DRAWS, ids=lambda draw: draw.__name__)
def test_candidates_give_the_targets_distribution(draw, gamma, sampling):
    decoder = Decoder(RECURSIVE_REJECTION, lambda model: Candidates(model, draw))
    paper = exam(3, gamma=gamma, length=gamma + 1, sampling=sampling)
    assert paper.distance(decoder) < 1e-12


def test_block_verification_reproduces_the_papers_11_over_9():
    paper = flat([1 / 3, 2 / 3], [2 / 3, 1 / 3], gamma=2)
    accepted = {
        rule.name: Fraction(
            fsum(w * r.accepted for w, r in paper.first_rounds(Decoder(rule)))
        ).limit_denominator(1000)
        for rule in (TOKEN_WISE, BLOCK)
    }
    assert accepted == {"token-wise": Fraction(10, 9), "block": Fraction(11, 9)}


def gain_of_block(**settings):
    paper = exam(3, **settings)
    token_wise, block = (
        tokens_per_round(paper.first_rounds(Decoder(rule))) for rule in (TOKEN_WISE, BLOCK)
    )
    return block - token_wise


def test_block_verification_emits_no_fewer_tokens_and_more_with_gamma():
    assert all(gain_of_block(agreement=0.4, seed=2 * seed, gamma=2) >= -1e-12 for seed in range(12))
    gains = [gain_of_block(agreement=0.3, gamma=gamma) for gamma in (1, 2, 3)]
    assert abs(gains[0]) < 1e-12
    assert 1e-3 < gains[1] < gains[2]


def test_more_candidates_emit_more_and_replacing_wastes_some():
    def accepted(draw, width):
        decoder = Decoder(RECURSIVE_REJECTION, lambda model: Candidates(model, draw))
        return tokens_per_round(exam(4, gamma=width).first_rounds(decoder)) - 1

    for draw in DRAWS:
        assert accepted(draw, 1) < accepted(draw, 2) < accepted(draw, 3)
    assert accepted(with_replacement, 3) < accepted(without_replacement, 3)
    # one candidate is the chain of one token
    assert accepted(with_replacement, 1) == pytest.approx(
        tokens_per_round(exam(4, gamma=1).first_rounds(CORRECT)) - 1
    )


@pytest.mark.parametrize("w", [0.0, 0.25, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("gamma", [1, 2, 3])
def test_the_ensembles_distance_is_its_share_of_tv(w, gamma):
    paper = exam(3, gamma=gamma)
    p, q = (model.distribution(paper.prompt) for model in (paper.target, paper.draft))
    distribution = first_token(Decoder(ensemble(w)), paper)
    np.testing.assert_allclose(distribution, w * p + (1 - w) * q, atol=1e-14)
    assert total_variation(distribution, p) == pytest.approx(
        (1 - w) * total_variation(p, q), abs=1e-14
    )


def test_the_distribution_of_each_lossy_rule_at_one_position():
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.4, 0.3, 0.1])
    entropy = -(p * np.log(p)).sum()
    common = np.minimum(p, q)

    def mixture(kept, correction):
        return q * kept + (q * ~kept).sum() * correction

    expected = {
        ratio_threshold(1.0): mixture(p >= q, residual(p, q)),
        ratio_threshold(0.6): mixture(p >= 0.6 * q, residual(p, q)),
        TYPICAL: mixture(p > min(0.09, 0.3 * np.exp(-entropy)), p),  # as medusa_generate has it
        REDRAFT: common / overlap(p, q),
    }
    for rule, distribution in expected.items():
        found = first_token(Decoder(rule), flat(p, q, gamma=2))
        np.testing.assert_allclose(found, distribution, atol=1e-14, err_msg=rule.name)
        assert total_variation(found, p) > 0.01
        assert not rule.lossless


@pytest.mark.parametrize("rule", [r for r in RULES if not r.lossless], ids=lambda r: r.name)
def test_a_rule_labelled_lossy_is(rule):
    assert exam(3, gamma=2, length=3).distance(Decoder(rule)) > 1e-3


def test_the_truth_is_the_chain_rule():
    paper = exam(3, seed=5)
    distribution = target_distribution(paper.target, (1, 2), 3)
    assert fsum(distribution.values()) == pytest.approx(1)
    a, b, c = 0, 2, 1
    by_hand = (
        paper.target.distribution((1, 2))[a]
        * paper.target.distribution((1, 2, a))[b]
        * paper.target.distribution((1, 2, a, b))[c]
    )
    assert distribution[a, b, c] == pytest.approx(by_hand)


def test_the_prompt_of_an_exam_is_another_text_however_it_is_read():
    for size in (2, 3, 16):
        prompts = {prompt_of(size, seed) for seed in range(40)}
        assert len(prompts) > 6
        for prompt in prompts:
            others = prompt[::-1], sorted(prompt), sorted(prompt)[::-1], dict.fromkeys(prompt)
            assert prompt not in map(tuple, others)
    assert exam(3, seed=4, gamma=1).prompt == exam(3, seed=4, gamma=2).prompt == prompt_of(3, 4)
    exams = [TINY, FILTERED, *ENDINGS, *EDGES, *RARE]
    assert len({each.prompt for each in exams}) > len(exams) // 2
    assert all(each.truth() and len(each.prompt) == 6 for each in exams)


@pytest.mark.parametrize("model", [exam().target, exam().draft])
def test_every_row_of_an_exam_depends_on_the_whole_text(model):
    text = (0, 1, 1, 0, 2, 0)
    row = model.distribution(text)
    assert row.sum() == pytest.approx(1)
    others = [text[1:], text[:-1], text[::-1], (0, *text), (*text, 0), (1, *text[1:]), ()]
    for other in others:
        assert abs(model.distribution(other) - row).max() > 1e-3


def test_what_stands_before_a_short_text_is_unknown_to_a_table():
    model = TableModel.random(3, order=2, seed=0)
    np.testing.assert_array_equal(model.distribution((2, 0, 1)), model.table[0, 1])
    for a in range(3):  # no token that a prompt can hold stands for nothing
        row = model.distribution((a,))
        np.testing.assert_allclose(row, model.table[:, a].mean(axis=0), atol=1e-15)
        assert all(abs(row - model.distribution((b, a))).max() > 1e-3 for b in range(3))
    np.testing.assert_allclose(model.distribution(()), model.table.mean(axis=(0, 1)), atol=1e-15)


def test_the_exam_shows_a_difference():
    """Negative control: a target that is not the one whose distribution is the truth."""
    paper = exam(3, gamma=2, length=3)
    other = replace(paper, target=exam(3, seed=9).target)
    assert distribution_distance(other.distribution(CORRECT), paper.truth()) > 0.01
