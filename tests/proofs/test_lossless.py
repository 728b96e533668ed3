"""What the loop emits, exactly: the target's distribution, with every lossless decoder; the lossy
rules' own theory; and of every specimen of the bug zoo another distribution, or a broken promise.

The zoo's table that `make test` prints is made from what is recorded here.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import fsum

import numpy as np
import pytest

from course_utils.decoding import sampling as sampling_module
from course_utils.decoding.rows import namespace
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
    recursive_rejection,
    residual,
)
from course_utils.decoding.sampling import GREEDY, Sampling, sample
from course_utils.drafters.candidates import (
    Candidates,
    likeliest,
    with_replacement,
    without_replacement,
)
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.edits import slip
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import BUGS, CORRECT_TREE, ENUMERATION, bug, tree_decoder
from course_utils.proofs.decoders import CORRECT, Decoder, Exam, exam, prompt_of, tokens_per_round
from course_utils.proofs.enumeration import (
    Path,
    Uniform,
    comparing,
    distribution_distance,
    outcomes,
    target_distribution,
)
from course_utils.proofs.programs import Program
from course_utils.proofs.table_checks import ON_TABLES, excluded_tokens_stay_out
from course_utils.refused import Refused
from course_utils.theory.speedup import overlap, total_variation
from tests.promises import PROMISES, drafts_are_drawn_from_q, rows_are_those_of_the_text

DRAWS = (with_replacement, without_replacement, likeliest)
LOSSLESS = {rule.name: Decoder(rule) for rule in RULES if rule.lossless} | {
    draw.__name__: Decoder(RECURSIVE_REJECTION, lambda model, draw=draw: Candidates(model, draw))
    for draw in DRAWS
}
SAMPLINGS = (Sampling(), Sampling(1.3, 2), Sampling(0.8, 3, 0.9), Sampling(min_p=0.3), GREEDY)
OTHER_DRAFTS = (
    lambda model: Sampled(model, Sampling(0.4, top_k=2)),
    lambda model: Sampled(model, GREEDY),
    lambda model: PromptLookup(),
    lambda model: None,
)


@pytest.mark.parametrize("gammas", [(2,), pytest.param((1, 2, 3), marks=pytest.mark.slow)], ids=len)
@pytest.mark.parametrize("name", LOSSLESS)
def test_a_lossless_decoder_keeps_every_promise_at_every_setting(name, gammas):
    decoder, slow = LOSSLESS[name], len(gammas) > 1
    for promise in ON_TABLES if slow else ():
        assert (finding := promise(decoder)).passed, (promise.__name__, finding)
    for gamma, sampling, size in product(gammas, SAMPLINGS, (3, 4)[: 1 + slow]):
        # greedy match draws from p at every guess: it has many times the paths
        if size + gamma < 7 and (name, gamma, sampling) != (GREEDY_MATCH.name, 3, Sampling()):
            paper = exam(size, gamma=gamma, length=gamma + 1, sampling=sampling)
            assert paper.distance(decoder) < 1e-12, (gamma, sampling)
    assert exam(2, gamma=3).distance(decoder) < 1e-12
    assert exam(2 + slow, gamma=1, length=4).distance(decoder) < 1e-12  # two full rounds
    for drafter in OTHER_DRAFTS if not decoder.rule.trees else ():
        paper = exam(3 + slow, gamma=2, length=3, prompt=(0, 1, 0))
        assert paper.distance(Decoder(decoder.rule, drafter)) < 1e-12


OF_TREES = (*ON_TABLES, drafts_are_drawn_from_q)
RIGHT = {
    "chain": (CORRECT, PROMISES),
    "program": (Program(speculate), ON_TABLES),
    "guesses at temperature 1": (Decoder(drafter=lambda m: Sampled(m, Sampling())), ON_TABLES),
    "tree": (CORRECT_TREE, OF_TREES),
    "tree of repetitions": (
        tree_decoder(draw=with_replacement), (*OF_TREES, rows_are_those_of_the_text),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_keeps_every_promise(name):
    decoder, promises = RIGHT[name]
    for promise in promises:
        assert (finding := promise(decoder)).passed, (promise.__name__, finding)


SMALL = exam(3, gamma=2, length=3)  # each mutant of the distribution is seen here, TV > 1e-5


@pytest.mark.parametrize("specimen", BUGS, ids=lambda specimen: specimen.name)
def test_a_mutant_is_killed(specimen):
    distance = SMALL.distance(specimen.decoder)
    assert (distance > 1e-5) if specimen.killer == ENUMERATION else (distance < 1e-12)
    (killer,) = [promise for promise in PROMISES if promise.__name__ == specimen.killer]
    assert not killer(specimen.decoder).passed, f"{specimen.name} is alive"


def test_candidates_that_are_not_strict_are_found_and_an_unknown_bug_is_named():
    verify = slip(recursive_rejection, ("uniforms[i] <", "uniforms[i] <="))
    rule = replace(RECURSIVE_REJECTION, verify=verify)
    assert not excluded_tokens_stay_out(replace(LOSSLESS["likeliest"], rule=rule)).passed
    with pytest.raises(ValueError, match="mosquito"):
        bug("mosquito")


def test_a_nucleus_ends_with_the_token_that_reaches_its_mass_exactly():
    p = np.array([[0.5, 0.25, 0.125, 0.125]])
    assert np.flatnonzero(sampling_module._nucleus(namespace(p), p, 0.75)).tolist() == [0, 1]


# --- lossy rules ----------------------------------------------------------------------------


def test_the_distribution_of_each_lossy_rule_at_one_position():
    p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.4, 0.3, 0.1])
    entropy = -(p * np.log(p)).sum()

    def mixture(accepted, correction):
        return q * accepted + (q * ~accepted).sum() * correction

    expected = {
        ratio_threshold(1.0): mixture(p >= q, residual(p, q)),
        ratio_threshold(0.6): mixture(p >= 0.6 * q, residual(p, q)),
        TYPICAL: mixture(p > min(0.09, 0.3 * np.exp(-entropy)), p),  # as medusa_generate has it
        REDRAFT: np.minimum(p, q) / overlap(p, q),
        **{ensemble(w): w * p + (1 - w) * q for w in (0.0, 0.25, 0.9)},
    }
    for rule, distribution in expected.items():
        first = np.zeros(4)
        for weight, r in Exam(TableModel(p), TableModel(q), gamma=2).first_rounds(Decoder(rule)):
            first[r.emitted[0]] += weight
        np.testing.assert_allclose(first, distribution, atol=1e-14, err_msg=rule.name)
        assert total_variation(first, p) > 0.01
    assert all(SMALL.distance(Decoder(rule)) > 1e-3 for rule in RULES if not rule.lossless)


# --- the number of tokens per round ---------------------------------------------------------


def test_block_verification_reproduces_the_papers_11_over_9_and_gains_with_gamma():
    paper = Exam(TableModel([1 / 3, 2 / 3]), TableModel([2 / 3, 1 / 3]), gamma=2)
    for rule, accepted in ((TOKEN_WISE, Fraction(10, 9)), (BLOCK, Fraction(11, 9))):
        mean = fsum(w * r.accepted for w, r in paper.first_rounds(Decoder(rule)))
        assert mean == pytest.approx(float(accepted))
    gains = []
    for paper in (exam(gamma=gamma, agreement=0.3) for gamma in (1, 2, 3)):
        pair = (paper.first_rounds(decoder) for decoder in (CORRECT, Decoder(BLOCK)))
        token_wise, block = map(tokens_per_round, pair)
        gains.append(block - token_wise)
    assert abs(gains[0]) < 1e-12
    assert 1e-3 < gains[1] < gains[2]


# --- the enumeration and the exams ------------------------------------------------------------


def test_paths_have_their_weights_and_a_uniform_remembers_its_answers():
    row = np.array([0.5, 0.0, 0.3, 0.2])

    def two_rolls(noise):
        return tuple(sample(row, u) for u in noise.round(0).uniforms("other", 2))

    weights = {rolls: weight for weight, rolls in outcomes(two_rolls)}
    expected = {ij: row[ij[0]] * row[ij[1]] for ij in product((0, 2, 3), repeat=2)}
    assert weights == pytest.approx(expected)

    def asked_twice(noise):
        (u,) = noise.round(0).uniforms("other", 1)
        return u < 0.5, u < 0.25, u >= 0.75, noise.round(0).uniforms("other", 1)[0] < 0.5

    quarters = [(1, 1, 0, 1), (1, 0, 0, 1), (0, 0, 0, 0), (0, 0, 1, 0)]
    assert {answers: w for w, answers in outcomes(asked_twice)} == dict.fromkeys(quarters, 0.25)


def test_a_multiple_of_a_uniform_is_split_where_the_uniform_is():
    def split(below, *rows):
        return {*outcomes(lambda n: below(*n.round(0).uniforms("verify", 1), *rows))}

    for p, q, u in np.random.default_rng(0).random((300, 3)):
        assert split(lambda u, p, q: u * q < p, p, q) == split(lambda u, p, q: u < p / q, p, q)
        known = Uniform(Path(), u, u)
        assert (known * q < p, q * known >= p) == (u * q < p, q * u >= p)
    assert known * 0 == 0
    for wrong in (-0.5, known, np.ones(2)):
        with pytest.raises(Refused), comparing():
            known * wrong


def test_the_truth_is_the_chain_rule_and_every_row_depends_on_the_whole_text():
    paper = exam(3, seed=5)
    row = paper.target.distribution
    truth = target_distribution(paper.target, (1, 2), 2)
    assert fsum(truth.values()) == pytest.approx(1)
    assert truth[0, 2] == pytest.approx(row((1, 2))[0] * row((1, 2, 0))[2])
    for model, text in product((paper.target, paper.draft), [(0, 1, 1, 0, 2, 0)]):
        for other in (text[1:], text[:-1], text[::-1], (0, *text), (*text, 0), ()):
            assert abs(model.distribution(other) - model.distribution(text)).max() > 1e-3
    other = replace(SMALL, target=exam(3, seed=9).target)  # negative control
    assert distribution_distance(other.distribution(CORRECT), SMALL.truth()) > 0.01
    for size, seed in product((2, 3, 16), range(20)):  # nor is a prompt one, read otherwise
        prompt = prompt_of(size, seed)
        others = prompt[::-1], sorted(prompt), sorted(prompt)[::-1], dict.fromkeys(prompt)
        assert prompt not in map(tuple, others)
