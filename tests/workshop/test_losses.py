"""The losses of distillation, on rows small enough to know every answer."""

import pytest
import torch

from course_utils.training.losses import (
    LOSSES,
    acceptance,
    distillation_loss,
    forward_kl,
    lk_mixture,
    log_rows,
    negative_log_acceptance,
    total_variation,
)
from tests.conftest import random_qwen3


def log_rows_of(seed: int, rows: int = 5, vocabulary: int = 7) -> torch.Tensor:
    """Logits that can be learned, float64."""
    torch.manual_seed(seed)
    return (2 * torch.randn(rows, vocabulary, dtype=torch.float64)).requires_grad_()


def slope(loss, log_p, logits):
    """Gradient of the summed loss with respect to the draft's logits."""
    (found,) = torch.autograd.grad(loss(log_p, logits.log_softmax(-1)).sum(), logits)
    return found


@pytest.fixture
def rows():
    return log_rows_of(0).detach().log_softmax(-1), log_rows_of(1)


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_zero_if_and_only_if_the_rows_are_equal(name, rows):
    log_p, logits = rows
    assert LOSSES[name](log_p, log_p).abs().max() < 1e-12
    apart = LOSSES[name](log_p, logits.log_softmax(-1))
    assert apart.shape == (5,)
    assert (apart > 1e-3).all()


def test_the_gradient_of_minus_log_alpha_is_that_of_tv_over_alpha(rows):
    log_p, logits = rows
    alpha = acceptance(log_p, logits.log_softmax(-1))
    expected = slope(total_variation, log_p, logits) / alpha[:, None]
    found = slope(negative_log_acceptance, log_p, logits)
    assert (found - expected).abs().max() < 1e-10
    assert expected.abs().max() > 0.01


def test_known_values():
    """p = (1/2, 1/2), q = (4/5, 1/5): alpha is 7/10."""
    log_p = torch.tensor([[0.5, 0.5]], dtype=torch.float64).log()
    log_q = torch.tensor([[0.8, 0.2]], dtype=torch.float64).log()
    assert acceptance(log_p, log_q).item() == pytest.approx(0.7, abs=1e-12)
    assert total_variation(log_p, log_q).item() == pytest.approx(0.3, abs=1e-12)
    assert negative_log_acceptance(log_p, log_q).item() == pytest.approx(0.35667494393873245)
    weight = 2.718281828459045**-2.1
    kl = forward_kl(log_p, log_q).item()
    assert lk_mixture(log_p, log_q).item() == pytest.approx(weight * kl + (1 - weight) * 0.3)


@pytest.mark.parametrize("share", [1e-2, 1e-4, 1e-6])
def test_tv_has_no_slope_where_the_rows_share_little_and_minus_log_alpha_keeps_its(share):
    """p is certain of token 0, to which q gives `share`: q(1 - q) is TV's gradient, exactly."""
    log_p = torch.tensor([[0.0, -torch.inf]], dtype=torch.float64)
    logits = torch.tensor([[share, 1 - share]], dtype=torch.float64).log().requires_grad_()
    tv = slope(total_variation, log_p, logits)[0, 0].item()
    assert tv == pytest.approx(-share * (1 - share))
    kept = slope(negative_log_acceptance, log_p, logits)[0, 0].item()
    assert kept == pytest.approx(-(1 - share))


def test_the_pairs_loss_is_kl_and_tv():
    """As the pair that ships was trained: half the sum of |p - q| beside KL."""
    target, draft = random_qwen3(2, seed=0), random_qwen3(1, seed=1)
    windows = torch.randint(0, 97, (2, 9), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        log_p, log_q = log_rows(target, windows), log_rows(draft, windows)
        p, q = log_p.exp(), log_q.exp()
        expected = (p * (log_p - log_q)).sum(-1) + 0.5 * (p - q).abs().sum(-1)
        assert distillation_loss(draft, target)(windows).item() == pytest.approx(
            expected.mean().item(), rel=1e-5
        )
