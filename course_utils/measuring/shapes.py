"""The published Qwen3 shapes with random weights: real costs, no download.

The seconds of a forward pass depend on the shapes of the weights, not on their
values.  So c and v(k) are measured here; acceptance, which does depend on the
values, is assumed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import torch
from transformers import Qwen3Config

from course_utils.decoding.contracts import Session
from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.measuring.clocked import timed_pass
from course_utils.measuring.floors import large_array, read
from course_utils.measuring.protocol import in_turns
from course_utils.measuring.random_models import bytes_read, random_model, random_packed_model
from course_utils.models.memory import (
    check_memory,
    free_memory,
    memory_needed,
    packed_need,
    qwen3_config,
)
from course_utils.models.pairs import PAIRS
from course_utils.models.processor import packs

ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # the last is the limit that no draft reaches


@dataclass(frozen=True)
class Shapes:
    """Measured costs of two shapes; seconds are medians, spreads the quartiles' distance."""

    target: str
    draft: str
    dtype: str
    device: str
    threads: int
    packed: bool  # `PackedQwen3`, or the plain `Qwen3`
    context: int  # tokens in both caches before what is timed
    repeats: int
    target_bytes: int  # weights that one forward pass reads
    draft_bytes: int
    bandwidth: float  # GB/s at which memory was read meanwhile
    draft_seconds: float  # the draft, for one token
    draft_spread: float
    target_seconds: tuple[float, ...]  # the target, for 1, 2, ... tokens in one pass
    target_spread: tuple[float, ...]

    @property
    def c(self) -> float:
        return self.draft_seconds / self.target_seconds[0]

    def v(self, k: int) -> float:
        """The target's time for k tokens in one pass over its time for one."""
        return self.target_seconds[k - 1] / self.target_seconds[0]

    @property
    def draft_share(self) -> float:
        """Of the memory bandwidth, while the draft processes one token."""
        return self.draft_bytes / self.draft_seconds / 1e9 / self.bandwidth

    @property
    def target_share(self) -> float:
        return self.target_bytes / self.target_seconds[0] / 1e9 / self.bandwidth


@dataclass(frozen=True)
class Allowed:
    """What the theory allows at an assumed alpha: the best gamma and what it gives."""

    alpha: float
    gamma: int
    tokens: float  # a round
    speedup: float


def allowed_speedups(
    c: float, v: Callable[[int], float], largest: int, alphas: Sequence[float] = ALPHAS
) -> list[Allowed]:
    """For each alpha the gamma in 1..largest with the highest speedup; host time is zero.

    At alpha = 1 every draft survives, which caps the speedup of these costs.
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
) -> Shapes:
    """Build both models and time the draft for 1 token, the target for 1..longest.

    The timed passes and the reading of memory they are held against are
    interleaved, `repeats` times, after one round to warm up.  Where oneDNN can
    pack the dtype for this CPU the models are packed.

    Raises:
        MemoryShortage: the two do not fit; before anything is built.
        ValueError: `longest` is below 2.
    """
    if longest < 2:
        raise ValueError(f"longest is {longest}; with gamma 1 the target already verifies 2 tokens")
    device = torch.device(device)
    configs = [config_of(name) for name in (target, draft)]
    room = context + longest
    packed = device.type == "cpu" and packs(dtype)
    needs = [(packed_need if packed else memory_needed)(config, dtype, room) for config in configs]
    array = large_array(device)  # before free memory is looked at
    check_memory([target, draft], needs, free_memory(device), dtype, room)
    if packed:
        models = [random_packed_model(config, dtype, room) for config in configs]
    else:
        models = [random_model(config, dtype, device, room) for config in configs]
    sessions = [model.start(list(range(context))) for model in models]
    steps = {
        "read": lambda _: read(array),
        "draft": lambda _: _forward(sessions[1], 1),
        **{k: lambda _, k=k: _forward(sessions[0], k) for k in range(1, longest + 1)},
    }
    taken = _medians(steps, repeats)
    (reading, _), (drafting, spread) = taken.pop("read"), taken.pop("draft")
    return Shapes(
        target=target,
        draft=draft,
        dtype=str(dtype).removeprefix("torch."),
        device=str(device),
        threads=torch.get_num_threads(),
        packed=packed,
        context=context,
        repeats=repeats,
        target_bytes=bytes_read(configs[0], dtype),
        draft_bytes=bytes_read(configs[1], dtype),
        bandwidth=array.nbytes / reading / 1e9,
        draft_seconds=drafting,
        draft_spread=spread,
        target_seconds=tuple(median for median, _ in taken.values()),
        target_spread=tuple(spread for _, spread in taken.values()),
    )


def as_json(shapes: Shapes) -> dict:
    """What was measured and what follows from it, as JSON can hold it."""
    longest = len(shapes.target_seconds)
    return asdict(shapes) | {
        "c": shapes.c,
        "v": [shapes.v(k) for k in range(1, longest + 1)],
        "draft_share_of_bandwidth": shapes.draft_share,
        "target_share_of_bandwidth": shapes.target_share,
        "assumed_acceptance": [asdict(a) for a in _allowed(shapes)],
    }


def as_text(shapes: Shapes) -> str:
    """The same as lines: the costs, and the speedup they allow."""
    s = shapes
    longest = len(s.target_seconds)
    one_token = s.target_seconds[0], s.target_spread[0]
    *allowed, cap = _allowed(s)
    lines = [
        f"{s.target} with {s.draft}: the exact shapes, random weights, {s.dtype} on {s.device}"
        f"{', packed' * s.packed}, {s.threads} threads",
        f"after {s.context} tokens, medians of {s.repeats}, spread = distance of the quartiles",
        f"memory is read at {s.bandwidth:.1f} GB/s",
        "one token    weights        time      spread  of the bandwidth",
        f"  target   {_cost(s.target_bytes, *one_token, s.target_share)}",
        f"  draft    {_cost(s.draft_bytes, s.draft_seconds, s.draft_spread, s.draft_share)}",
        f"c = t_draft / t_target = {s.c:.3f}",
        "k           " + "".join(f"{k:7}" for k in range(1, longest + 1)),
        "t_target(k) " + "".join(f"{t * 1e3:7.0f}" for t in s.target_seconds) + "  ms",
        "spread      " + "".join(f"{t * 1e3:7.0f}" for t in s.target_spread) + "  ms",
        "v(k)        " + "".join(f"{s.v(k):7.2f}" for k in range(1, longest + 1)),
        "speed is measured, acceptance is assumed (i.i.d., host time zero):",
        "  alpha  best gamma  tokens a round  speedup",
        *(f"{a.alpha:7.1f}{a.gamma:12}{a.tokens:16.2f}{a.speedup:8.2f}x" for a in allowed),
        f"as alpha -> 1 the speedup stays below {cap.speedup:.2f}x, at gamma {cap.gamma}",
    ]
    return "\n".join(lines)


def _allowed(shapes: Shapes) -> list[Allowed]:
    return allowed_speedups(shapes.c, shapes.v, len(shapes.target_seconds) - 1)


def _cost(size: int, seconds: float, spread: float, share: float) -> str:
    times = f"{seconds * 1e3:7.1f} ms {spread * 1e3:7.1f} ms"
    return f"{size / 1e9:6.2f} GB  {times}  {share:6.0%}"


def _forward(session: Session, k: int) -> None:
    """A pass over k tokens, rolled back: an integer moves, which costs nothing."""
    length = session.length
    timed_pass(session, list(range(k)))
    session.rollback(length)


def _medians(
    steps: Mapping[object, Callable[[int], None]], repeats: int
) -> dict[object, tuple[float, float]]:
    """(Median, spread) of each step's seconds, taken in turns, after one turn to warm up."""
    seconds: dict[object, list[float]] = {key: [] for key in steps}
    for key, turn, _, taken in in_turns(steps, repeats + 1, "forward passes"):
        if turn > 0:
            seconds[key].append(taken)
    quartiles = {k: np.quantile(taken, [0.25, 0.5, 0.75]).tolist() for k, taken in seconds.items()}
    return {key: (middle, high - low) for key, (low, middle, high) in quartiles.items()}
