"""The costs of a shape: the table from made-up costs, and a real run on tiny shapes."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from transformers import Qwen3Config

from course_utils.decoding import theory
from course_utils.models.loading.memory import CPU, MemoryShortage, memory_needed, qwen3_config
from course_utils.pairs import PAIRS
from tests.forks import result_of
from workshop.bench import real_shapes
from workshop.bench.pages import shapes_page
from workshop.bench.random_weights import random_model
from workshop.bench.real_shapes import bytes_read


def tiny_config(name, **changes):
    common = dict(
        vocab_size=101,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        tie_word_embeddings=True,
    )
    return Qwen3Config(**{**common, "hidden_size": {"big": 64, "small": 32}[name], **changes})


def test_at_no_verification_cost_the_table_is_the_formula():
    free = real_shapes.allowed_speedups(0.2, lambda k: 1.0, 8, (0.5, 0.6, 0.7, 0.8, 0.9))
    for found in free:
        expected = theory.optimal_gamma(found.alpha, 0.2, largest=8)
        assert (found.gamma, found.speedup) == (expected[0], pytest.approx(expected[1]))
        assert found.tokens == theory.expected_tokens(found.alpha, found.gamma)


def test_costs_of_verification_change_the_best_gamma_and_the_cap():
    costs = [1.0, 1.0, 1.0, 2.0, 3.0, 4.0]  # v(k): three tokens for the price of one
    (found, cap) = real_shapes.allowed_speedups(0.1, lambda k: costs[k - 1], 5, (0.9, 1.0))
    assert (found.gamma, found.speedup) == (2, pytest.approx((1 + 0.9 + 0.81) / 1.2))
    assert (cap.gamma, cap.speedup) == (2, pytest.approx(3 / 1.2))


@pytest.fixture(scope="module")
def measured():
    return real_shapes.measure_shapes("big", "small", config_of=tiny_config, longest=4, repeats=3)


def test_what_was_measured_adds_up(measured):
    said = [measured[name] for name in ("dtype", "device", "context", "threads")]
    assert said == ["bfloat16", "cpu", 64, torch.get_num_threads()]
    for name, role in (("big", "target"), ("small", "draft")):
        needed = memory_needed(tiny_config(name), torch.bfloat16, 1).weights
        assert measured[f"{role}_bytes"] == needed
    assert len(measured["target_seconds"]) == 4
    assert all(0 < t < 60 for t in (*measured["target_seconds"], measured["draft_seconds"]))
    assert measured["v"][0] == 1


def test_shares_and_ratios_follow_from_the_seconds(measured):
    report = measured | {
        "target": "T", "draft": "D", "target_bytes": 8_000_000_000, "draft_bytes": 1_000_000_000,
        "bandwidth": 20.0, "draft_seconds": 0.1, "target_seconds": [0.5, 0.5, 0.6, 0.75],
    }  # fmt: skip
    report |= real_shapes.what_follows(report)
    assert report["c"] == pytest.approx(0.2)
    assert report["v"] == pytest.approx([1, 1, 1.2, 1.5])
    assert report["target_share_of_bandwidth"] == pytest.approx(0.8)
    assert report["draft_share_of_bandwidth"] == pytest.approx(0.5)
    assert report["assumed_acceptance"][0]["speedup"] == pytest.approx(1.25)  # 1.5 / (0.2 + 1)
    text = shapes_page(json.loads(json.dumps(report, allow_nan=False)))
    assert "speed is measured, acceptance is assumed" in text
    assert "c = t_draft / t_target = 0.200" in text
    # 2 / (0.2 + 1), 3 / (0.4 + 1.2), 4 / (0.6 + 1.5)
    assert "below 1.90x, at gamma 3" in text
    (row,) = [line for line in text.splitlines() if line.startswith("  0.5")]
    assert row.split() == ["0.5", "1", "1.50", "1.25"]


@pytest.mark.parametrize("tied", [True, False])
def test_a_random_model_has_the_shape_the_dtype_and_finite_logits(tied):
    config = tiny_config("big", vocab_size=30_001, tie_word_embeddings=tied)
    model = random_model(config, torch.bfloat16, CPU, 16)
    logits = model.start([1, 2]).extend([3, 4, 5])
    assert logits.shape == (3, 30_001)
    assert logits.isfinite().all()
    assert logits.std() > 0.01  # neither all zero nor all alike
    blocks = [tensor for block in model.blocks for tensor in vars(block).values()]
    assert {tensor.dtype for tensor in (*blocks, model.norm, model.lm_head)} == {torch.bfloat16}
    assert (model.lm_head is model.embed_tokens) == tied
    read = sum(tensor.nbytes for tensor in (*blocks, model.norm, model.lm_head))
    assert bytes_read(config, torch.bfloat16) == read


def test_the_default_shapes_are_the_published_pair():
    names = (
        real_shapes.measure_shapes.__kwdefaults__["config_of"],
        real_shapes.measure_shapes.__defaults__,
    )
    assert names == (qwen3_config, PAIRS["qwen3"])


def test_one_pass_over_one_token_verifies_nothing():
    with pytest.raises(ValueError, match="longest is 1"):
        real_shapes.measure_shapes("big", "small", config_of=tiny_config, longest=1)


def test_what_does_not_fit_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr(real_shapes, "free_memory", lambda device: 5_000_000_000)
    monkeypatch.setattr(real_shapes, "random_model", None)  # calling it would be another error
    with pytest.raises(MemoryShortage, match=r"Qwen/Qwen3-4B with Qwen/Qwen3-0.6B needs \d+"):
        real_shapes.measure_shapes()


ROOM = 0.5  # of the weights: a layer on its way, also in float32; held twice would be 1


def resident(what):
    """Bytes: "VmRSS" that are held now, "VmHWM" that were at most."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))


def held_by(config):
    """(bytes held once the model is built, the most until then), in a process of its own."""
    random_model(tiny_config("big"), torch.bfloat16, CPU, 16)  # what is loaded lazily
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is what is held now
    before = resident("VmRSS")
    model = random_model(config, torch.bfloat16, CPU, 16)
    assert model.context == 16
    return resident("VmRSS") - before, resident("VmHWM") - before


def test_every_layer_has_memory_of_its_own_and_none_is_held_twice():
    size = dict(hidden_size=1024, intermediate_size=3072, num_hidden_layers=16, head_dim=128)
    config = tiny_config("big", **size)
    weights = memory_needed(config, torch.bfloat16, 1).weights
    held, most = result_of(held_by, config)
    assert weights > 300_000_000
    assert held / weights > 0.9
    assert most / weights < 1 + ROOM


class Clock:
    """Stands in for perf_counter: time passes only when told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_steps_are_taken_in_turns_and_the_first_turn_is_not_counted(monkeypatch):
    clock, calls = Clock(), []
    monkeypatch.setattr("course_utils.decoding.clock.perf_counter", clock)

    def step(name, seconds):
        def take(turn):
            calls.append((turn, name))
            clock.now += seconds[turn]

        return take

    steps = {"a": step("a", [100, 1, 2, 9]), "b": step("b", [100, 4, 4, 40])}
    assert real_shapes._medians(steps, repeats=3) == {"a": (2, 4), "b": (4, 18)}
    assert calls == [(turn, name) for turn in range(4) for name in "ab"]


class TimedSession:
    """A pass over k tokens takes start + k/10 seconds; every pass is recorded."""

    def __init__(self, clock, start):
        self.clock, self.start, self.passes, self.length = clock, start, [], 0

    def extend(self, tokens):
        self.passes.append((self.length, len(tokens)))
        self.clock.now += self.start + len(tokens) / 10
        self.length += len(tokens)
        return torch.zeros(len(tokens), 3)

    def rollback(self, length):
        self.length = length


def test_each_figure_is_that_of_its_own_passes(monkeypatch):
    clock = Clock()
    sessions = {64: TimedSession(clock, 0.3), 32: TimedSession(clock, 0)}

    def build(config, *_):
        def start(prompt):
            session = sessions[config.hidden_size]
            session.length = len(prompt)
            return session

        return SimpleNamespace(start=start)

    def read(array):
        clock.now += 0.5

    monkeypatch.setattr(real_shapes, "random_model", build)
    monkeypatch.setattr(real_shapes, "large_array", lambda device: torch.ones(250_000_000 // 4))
    monkeypatch.setattr(real_shapes, "read", read)
    monkeypatch.setattr("course_utils.decoding.clock.perf_counter", clock)
    found = real_shapes.measure_shapes("big", "small", config_of=tiny_config, longest=3, repeats=2)
    assert sessions[64].passes == [(64, 1), (64, 2), (64, 3)] * 3
    assert sessions[32].passes == [(64, 1)] * 3
    assert found["bandwidth"] == pytest.approx(0.5)
    assert found["draft_seconds"] == pytest.approx(0.1)
    assert found["target_seconds"] == pytest.approx([0.4, 0.5, 0.6])
    assert found["target_spread"] == pytest.approx([0, 0, 0])


def test_bandwidth_is_bytes_over_median_seconds(monkeypatch):
    clock = Clock()
    seconds = iter([5, 5, *[0.001] * 5, *[0.002] * 4])  # two to warm up, nine to count

    def read(array):
        assert array.nbytes == 64_000_000
        clock.now += next(seconds)

    monkeypatch.setattr("course_utils.decoding.clock.perf_counter", clock)
    monkeypatch.setattr(real_shapes, "read", read)
    assert real_shapes.memory_bandwidth(size=64_000_000) == pytest.approx(64.0)
    assert next(seconds, None) is None


def test_reading_ends_when_all_is_read(monkeypatch):
    array = real_shapes.large_array(size=4_000_000)
    summed = []
    monkeypatch.setattr(torch.Tensor, "item", lambda total: summed.append(float(total)))
    real_shapes.read(array)
    assert summed == [1_000_000]
