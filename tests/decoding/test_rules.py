"""The rules, one position at a time and exactly; whole texts: tests/proofs/test_lossless.py."""

import numpy as np
import pytest
import torch

from course_utils.decoding.rules import (
    BLOCK,
    RECURSIVE_REJECTION,
    RULES,
    TOKEN_WISE,
    TREE_RULES,
    TYPICAL,
    residual,
)

LOSSLESS = [rule for rule in RULES if rule.lossless]


def distributions(rng, *shape):
    return rng.dirichlet(np.full(shape[-1], 0.5), shape[:-1])


def test_the_residual_is_what_q_does_not_cover_and_p_where_it_covers_all(rng):
    np.testing.assert_allclose(
        residual(np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.6, 0.2])), [1, 0, 0]
    )
    near = np.array([0.5 - 1e-9, 0.5 + 1e-9])  # however little is not covered
    np.testing.assert_allclose(residual(np.array([0.5, 0.5]), near), [1, 0])
    p = distributions(rng, 5)
    np.testing.assert_allclose(residual(p, p), p)
    np.testing.assert_allclose(residual(torch.from_numpy(p), torch.from_numpy(p)).numpy(), p)


@pytest.mark.parametrize("uniform", [0.0, 0.3, 0.999])
def test_a_token_the_target_excludes_is_never_accepted(uniform):
    p, q = np.array([[0.0, 1.0], [0.5, 0.5]]), np.array([[0.5, 0.5]])
    for rule in (*LOSSLESS, *TREE_RULES):
        for rows in (q, None):
            verdict = rule.judge(p, rows, (0,), [uniform, 0.5])
            assert (verdict.accepted, verdict.token) == (0, 1)


def test_everything_accepted_earns_a_bonus_from_the_last_row():
    p = np.array([[1.0, 0, 0], [1.0, 0, 0], [0, 0, 1.0]])
    for rule in (*RULES, *TREE_RULES):
        verdict = rule.judge(p, p[:2], (0, 0), [0.9, 0.9, 0.9])
        assert (verdict.accepted, verdict.token) == (2, 2)


def test_a_rejected_sibling_leaves_its_residual_to_the_next():
    p, q = np.array([[0.5, 0.3, 0.2]] * 3), np.array([[0.8, 0.1, 0.1], [0.0, 0.5, 0.5]])
    # 0.5 / 0.8 < 0.7: rejected; the residual is (0, .2, .1) / .3, and 2/3 > 0.5: token 1
    verdict = RECURSIVE_REJECTION.judge(p, q, (0, 1), [0.7, 0.99, 0.0], (-1, -1))
    assert (verdict.accepted, verdict.path) == (1, (1,))


def test_typical_acceptance_asks_for_the_smaller_of_its_two_thresholds():
    sure, undecided = [0.92, 0.08], [1 / 16] * 16  # epsilon, 0.09; 0.3 exp(-H), here 0.3 / 16
    for row, tokens in ((sure, [0]), (undecided, [*range(16)])):
        p = np.array([row, row])
        verdicts = [TYPICAL.verify(p, None, (x,), [0.5, 0.5]) for x in range(len(row))]
        assert [x for x, verdict in enumerate(verdicts) if verdict.accepted] == tokens


def test_with_the_same_uniforms_block_verification_may_keep_fewer_tokens_or_more():
    p, q = np.tile([1 / 3, 2 / 3], (3, 1)), np.tile([2 / 3, 1 / 3], (2, 1))
    for uniforms, path in (([0.3, 0.3, 0.5], (2, 0)), ([0.7, 0.2, 0.5], (0, 2))):
        verdicts = (rule.verify(p, q, (0, 0), uniforms) for rule in (TOKEN_WISE, BLOCK))
        assert tuple(verdict.accepted for verdict in verdicts) == path


@pytest.mark.parametrize("rule", RULES + TREE_RULES, ids=lambda rule: rule.name)
def test_numpy_and_torch_rows_give_the_same_verdict(rule, rng):
    for _ in range(60):
        p, q = distributions(rng, 4, 6), distributions(rng, 3, 6)
        drafted = tuple(int(rng.choice(6, p=row)) for row in q)
        uniforms = rng.random(4).tolist()
        parents = (-1, -1, 0) if rule.trees else None
        expected = rule.judge(p, q, drafted, uniforms, parents)
        rows = torch.from_numpy(p), torch.from_numpy(q)
        assert rule.judge(*rows, drafted, uniforms, parents) == expected
