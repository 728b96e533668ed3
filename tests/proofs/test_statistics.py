"""The loop on torch rows, enumerated; chi-square, its false alarms, its power."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import stats

from course_utils.decoding.rules import RULES
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.scores import THINNEST, chi_square, power

# Pairs of tokens over a vocabulary of 16, gamma 1, so that the distribution of every mutant
# can be enumerated and the power of the test against it computed.
PAPER = exam(16, gamma=1, length=2)
TEXTS = 30_000
# What so many do not show: no wrong distribution, or too small a distance, or (the last
# two) nothing wrong in two tokens at gamma = 1.  Enumeration shows all of them.
UNSEEN = {
    "no bonus", "not strict", "draft cache lags", "q rounded", "one uniform for all", "stale slot",
}  # fmt: skip


class TorchTable:
    """A table whose logits are float32 torch rows, as a real model's are."""

    def __init__(self, model: TableModel):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self._model = model

    def start(self, prompt):
        session = self._model.start(prompt)
        extend = session.extend
        session.extend = lambda tokens: torch.from_numpy(extend(tokens)).float()
        return session


def as_cells(distribution):
    cells = np.zeros((16, 16))
    for (a, b), share in distribution.items():
        cells[a, b] = share
    return cells.ravel()


def on_torch(decoder):
    """The same decoder between two tables of torch rows."""
    return replace(
        decoder,
        target=lambda model: TorchTable(decoder.target(model)),
        drafter=lambda model: decoder.drafter(TorchTable(model)),
    )


@pytest.mark.parametrize("rule", [r for r in RULES if r.lossless], ids=lambda rule: rule.name)
def test_the_torch_path_has_the_targets_distribution_exactly(rule):
    """But for the rounding of its rows, which are float32."""
    assert exam(3, gamma=2, length=3).distance(on_torch(Decoder(rule))) < 1e-6


@pytest.mark.parametrize("name", ["residual swapped", "q rounded", "target cache kept"])
def test_the_enumeration_of_the_torch_path_sees_a_mutant(name):
    assert exam(3, gamma=2, length=3).distance(on_torch(bug(name).decoder)) > 1e-5


@pytest.fixture(scope="module")
def truth():
    return as_cells(PAPER.truth())


@pytest.mark.parametrize("specimen", BUGS, ids=lambda specimen: specimen.name)
def test_the_power_against_each_mutant(specimen, truth, record_property):
    seen = power(truth, as_cells(PAPER.distribution(specimen.decoder)), TEXTS)
    record_property("power", [specimen.name, seen])
    if specimen.name in UNSEEN:
        assert seen < 0.01
    else:
        assert seen > 0.999


@pytest.mark.parametrize(
    ("cells", "n"), [(c, n) for c in (2, 3) for n in (101, 300, 3000, 100_000) if n > c * THINNEST]
)
def test_the_exact_false_alarm_rate_of_thin_cells(n, cells):
    """Summed over all counts: the distribution of chi-square is not quite that of counts."""
    thin = 1.0001 * THINNEST / n
    distribution = np.array([thin] * (cells - 1) + [1 - (cells - 1) * thin])
    limit = chi_square(n * distribution, distribution).threshold
    most = np.arange(min(n, int(THINNEST + 12 * THINNEST**0.5)) + 1)
    grid = np.stack(np.meshgrid(*[most] * (cells - 1), indexing="ij"), -1).reshape(-1, cells - 1)
    counts = np.column_stack([grid, n - grid.sum(-1)])
    counts = counts[counts[:, -1] >= 0]
    statistic = ((counts - n * distribution) ** 2 / (n * distribution)).sum(-1)
    alarm = stats.multinomial.pmf(counts[statistic > limit], n, distribution).sum()
    assert alarm < 5e-6


def test_the_computed_power_is_the_measured_one():
    rng = np.random.default_rng(1)
    distribution = rng.dirichlet(np.ones(40))
    other = 0.87 * distribution + 0.13 * rng.dirichlet(np.ones(40))
    caught = [
        not chi_square(rng.multinomial(600, other), distribution, false_alarm=1e-3).passed
        for _ in range(3000)
    ]
    expected = power(distribution, other, 600, false_alarm=1e-3)
    assert 0.3 < expected < 0.98  # neither hopeless nor certain, or nothing is compared
    assert np.mean(caught) == pytest.approx(expected, abs=0.06)


def test_the_power_against_what_is_hardly_another_distribution_is_the_false_alarm_rate():
    for cells in (2, 3, 40):  # so the degrees of freedom are those of the threshold
        p = np.full(cells, 1 / cells)
        other = p + np.array([1e-9, -1e-9, *[0] * (cells - 2)])
        assert power(p, other, 10_000, false_alarm=1e-3) == pytest.approx(1e-3, rel=1e-6)


def test_a_token_without_mass_is_an_infinite_surprise():
    distribution = np.array([0.5, 0.5, 0.0])
    test = chi_square(np.array([500, 499, 1]), distribution)
    assert not test.passed
    assert test.statistic == np.inf
    assert power(distribution, np.array([0.5, 0.49, 0.01]), 1000) == pytest.approx(1 - 0.99**1000)


def test_thin_cells_are_pooled():
    distribution = np.array([0.6, 0.39, *[0.0005] * 20])
    assert chi_square(np.array([300, 195, 5, *[0] * 19]), distribution).degrees == 1
    with pytest.raises(ValueError, match="draw more"):
        chi_square(np.array([3, 2, *[0] * 20]), distribution)
    with pytest.raises(ValueError, match="cells"):
        chi_square(np.array([1, 2]), distribution)
