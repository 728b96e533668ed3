"""The published Qwen3 shapes with random weights: real costs, no download.

The seconds of a forward pass depend on the shapes of the weights, not on their
values.  So c and v(k) are measured here; acceptance, which does depend on the
values, is assumed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median

import numpy as np
import torch
from transformers import Qwen3Config

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.loop import catch_up
from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.measuring.pass_clock import timed_pass
from course_utils.measuring.turns import seconds_in_turns
from course_utils.models.loading.memory import (
    check_memory,
    free_memory,
    memory_needed,
    qwen3_config,
)
from course_utils.pairs import PAIRS
from workshop.bench.protocol import Report
from workshop.bench.random_weights import random_model

ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # the last is the limit that no draft reaches


def measure_shapes(
    target: str = PAIRS["qwen3"][0],
    draft: str = PAIRS["qwen3"][1],
    *,
    config_of: Callable[[str], Qwen3Config] = qwen3_config,
    dtype: torch.dtype = torch.bfloat16,
    device: torch.device | str = "cpu",
    context: int = 64,
    longest: int = 9,
    repeats: int = 15,
) -> Report:
    """Build both models and time the draft for 1 token, the target for 1..longest.

    Seconds are medians, spreads the quartiles' distance; bytes are the weights that one forward
    pass reads, and the bandwidth is that at which memory was read meanwhile, in GB/s.

    The timed passes and the reading of memory they are held against are
    interleaved, `repeats` times, after one round to warm up.

    Raises:
        MemoryShortage: the two do not fit; before anything is built.
        ValueError: `longest` is below 2.
    """
    if longest < 2:
        raise ValueError(f"longest is {longest}; with gamma 1 the target already verifies 2 tokens")
    device = torch.device(device)
    configs = [config_of(name) for name in (target, draft)]
    room = context + longest
    array = large_array(device)  # before free memory is looked at
    models = _models((target, draft), configs, dtype, device, room)
    taken = _medians(_steps(array, *models, context, longest), repeats)
    (reading, _), (drafting, spread) = taken.pop("read"), taken.pop("draft")
    measured = {
        "target": target,
        "draft": draft,
        "dtype": str(dtype).removeprefix("torch."),
        "device": str(device),
        "threads": torch.get_num_threads(),
        "context": context,  # tokens in both caches before what is timed
        "repeats": repeats,
        "target_bytes": bytes_read(configs[0], dtype),
        "draft_bytes": bytes_read(configs[1], dtype),
        "bandwidth": array.nbytes / reading / 1e9,
        "draft_seconds": drafting,
        "draft_spread": spread,
        "target_seconds": [median for median, _ in taken.values()],  # for 1, 2, ... tokens
        "target_spread": [spread for _, spread in taken.values()],
    }
    return measured | what_follows(measured)


def what_follows(measured: Report) -> Report:
    """c, v(1), v(2), ..., the shares of the bandwidth while one token is processed, and what the
    theory allows."""
    draft, target = measured["draft_seconds"], measured["target_seconds"]
    v = [seconds / target[0] for seconds in target]
    shares = {
        f"{who}_share_of_bandwidth": measured[f"{who}_bytes"]
        / seconds
        / 1e9
        / measured["bandwidth"]
        for who, seconds in (("draft", draft), ("target", target[0]))
    }
    allowed = allowed_speedups(draft / target[0], lambda k: v[k - 1], len(v) - 1)
    theory = {"assumed_acceptance": [asdict(one) for one in allowed]}
    return {"c": draft / target[0], "v": v} | shares | theory


def _models(
    names: Sequence[str],
    configs: Sequence[Qwen3Config],
    dtype: torch.dtype,
    device: torch.device,
    room: int,
) -> list[LanguageModel]:
    """Random models of these shapes, with caches for `room` tokens, if they fit the memory."""
    needs = [memory_needed(config, dtype, room) for config in configs]
    check_memory(list(names), needs, free_memory(device), dtype, room, device=device)
    return [random_model(config, dtype, device, room) for config in configs]


def _steps(
    array: torch.Tensor, target: LanguageModel, draft: LanguageModel, context: int, longest: int
) -> dict[object, Callable[[int], None]]:
    """What is timed: "read" the array, a "draft" step, the target's pass over 1, 2, ... tokens."""
    text = list(range(context))
    of_target, of_draft = target.start(text), draft.start(text)

    def forward(session: Session, k: int) -> None:
        timed_pass(session, list(range(k)))
        catch_up(session, text, context)  # an integer moves, which costs nothing

    passes = {k: lambda _, k=k: forward(of_target, k) for k in range(1, longest + 1)}
    return {"read": lambda _: read(array), "draft": lambda _: forward(of_draft, 1), **passes}


def _medians(
    steps: Mapping[object, Callable[[int], None]], repeats: int
) -> dict[object, tuple[float, float]]:
    """(Median, spread) of each step's seconds, taken in turns, after one turn to warm up."""
    seconds = seconds_in_turns(steps, repeats, "forward passes")
    quartiles = {k: np.quantile(taken, [0.25, 0.5, 0.75]).tolist() for k, taken in seconds.items()}
    return {key: (middle, high - low) for key, (low, middle, high) in quartiles.items()}


@dataclass(frozen=True)
class Allowed:
    """What the theory allows at an assumed alpha: the best gamma and what it gives."""

    alpha: float
    gamma: int
    tokens: float  # per round
    speedup: float


def allowed_speedups(
    c: float, v: Callable[[int], float], largest: int, alphas: Sequence[float] = ALPHAS
) -> list[Allowed]:
    """For each alpha the gamma in 1..largest with the highest speedup; host time is zero.

    At alpha = 1 every drafted token is accepted, which caps the speedup of these costs.
    """
    best = []
    for alpha in alphas:
        choices = []
        for gamma in range(1, largest + 1):
            tokens = expected_tokens(alpha, gamma)
            speedup = speedup_with_costs(tokens, gamma, c, v, o=0)
            choices.append(Allowed(alpha, gamma, tokens, speedup))
        best.append(max(choices, key=lambda choice: choice.speedup))
    return best


# --- what the hardware allows: how fast memory can be read here ---------------------------

BYTES = 512 * 2**20  # an array much larger than the caches


def memory_bandwidth(device: torch.device | str = "cpu", size: int = BYTES) -> float:
    """GB/s (1e9 bytes) at which torch's threads read memory.

    What is measured: the sum of an array of `size` bytes, much larger than the
    caches, so that each entry comes from memory once and nothing is written;
    the median of 9 sums after 2 to warm up.  On a machine shared with others it
    changes from minute to minute: set it only against what is timed beside it.
    """
    array = large_array(device, size)
    seconds = []
    for _ in range(11):
        start = now()
        read(array)
        seconds.append(now() - start)
    return array.nbytes / median(seconds[2:]) / 1e9


def large_array(device: torch.device | str = "cpu", size: int = BYTES) -> torch.Tensor:
    """Ones, float32, for `read`."""
    return torch.ones(size // 4, device=device)


def read(array: torch.Tensor) -> None:
    """Bring every entry from memory once; returns when that is done.

    By summing, since of what was tried (sum, dot product, maximum, matrix times
    vector, copy) that was the fastest.
    """
    array.sum().item()  # waits for the device, too


# --- models of any Qwen3 shape with random weights, without a download --------------------


def bytes_read(config: Qwen3Config, dtype: torch.dtype) -> int:
    """Bytes of weights that one forward pass reads: all but an embedding of its own.

    Of the embedding only the rows of the new tokens are looked up; a tied one is
    read as a whole, as the matrix of the logits.
    """
    weights = memory_needed(config, dtype, 1).weights
    embedding = config.vocab_size * config.hidden_size * dtype.itemsize
    return weights if config.tie_word_embeddings else weights - embedding
