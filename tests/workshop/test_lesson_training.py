"""Training in lessons: losses, Muon, and a model counted from this machine's library."""

import pytest
import torch

from course_utils.training import counted, optimisers
from course_utils.training.counted import counted_library
from course_utils.training.losses import (
    LOSSES,
    acceptance,
    negative_log_acceptance,
    total_variation,
)
from course_utils.training.optimisers import WideMuon, muon


def log_rows_of(seed: int, rows: int = 5, vocabulary: int = 7) -> torch.Tensor:
    """Return trainable logits, float64."""
    torch.manual_seed(seed)
    return (2 * torch.randn(rows, vocabulary, dtype=torch.float64)).requires_grad_()


def slope(loss, log_p, logits):
    """Gradient of the summed loss with respect to the draft's logits."""
    (gradient,) = torch.autograd.grad(loss(log_p, logits.log_softmax(-1)).sum(), logits)
    return gradient


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


def test_known_values():
    """p = (1/2, 1/2), q = (4/5, 1/5): alpha is 7/10."""
    log_p = torch.tensor([[0.5, 0.5]], dtype=torch.float64).log()
    log_q = torch.tensor([[0.8, 0.2]], dtype=torch.float64).log()
    assert acceptance(log_p, log_q).item() == pytest.approx(0.7, abs=1e-12)
    assert total_variation(log_p, log_q).item() == pytest.approx(0.3, abs=1e-12)
    assert negative_log_acceptance(log_p, log_q).item() == pytest.approx(0.35667494393873245)


def test_tv_has_no_slope_where_the_rows_share_little_and_minus_log_alpha_keeps_its():
    """p is one-hot on token 0, whose q is `share`: TV's gradient is exactly q(1 - q)."""
    share = 1e-4
    log_p = torch.tensor([[0.0, -torch.inf]], dtype=torch.float64)
    logits = torch.tensor([[share, 1 - share]], dtype=torch.float64).log().requires_grad_()
    tv = slope(total_variation, log_p, logits)[0, 0].item()
    assert tv == pytest.approx(-share * (1 - share))
    expected = slope(negative_log_acceptance, log_p, logits)[0, 0].item()
    assert expected == pytest.approx(-(1 - share))


def stepped(kind, shape, monkeypatch):
    monkeypatch.setattr(optimisers, "is_native", lambda *_: kind is torch.optim.Muon)
    generator = torch.manual_seed(0)
    weight = torch.nn.Parameter(torch.randn(shape, generator=generator))
    optimiser = muon([weight], 0.01)
    assert type(optimiser) is kind
    for _ in range(3):
        weight.grad = torch.randn(shape, generator=generator)
        optimiser.step()
    return weight.detach(), optimiser.state[weight]["momentum_buffer"]


@pytest.mark.parametrize("shape", [(48, 16), (16, 48), (32, 32)])
def test_its_steps_are_those_of_torch(shape, monkeypatch):
    (wide, buffer), (narrow, expected) = (
        stepped(kind, shape, monkeypatch) for kind in (WideMuon, torch.optim.Muon)
    )
    torch.testing.assert_close(buffer, expected)
    begun = torch.randn(shape, generator=torch.manual_seed(0))
    moved = (narrow - begun).norm()
    assert (wide - narrow).norm() < 0.02 * moved
    assert moved > 0.1


def test_a_model_is_counted_on_files_spread_over_the_library_without_its_tests(monkeypatch):
    files = [(f"module_{i}.py", chr(ord("a") + i) * 100) for i in range(10)]
    files.insert(3, ("test/test_os.py", "z" * 100))
    monkeypatch.setattr(counted, "training_sources", lambda: iter(files))
    model = counted_library(lambda text: [*map(ord, text)], 256, n=2, files=5)
    assert model.counts[()] == {ord(letter): 100 for letter in "acegi"}
