"""Muon in float32 takes torch's steps, but for bfloat16's rounding."""

import pytest
import torch

from course_utils.training import optimisers as module
from course_utils.training.optimisers import WideMuon, muon


def stepped(kind, shape, monkeypatch):
    monkeypatch.setattr(module, "is_native", lambda *_: kind is torch.optim.Muon)
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
