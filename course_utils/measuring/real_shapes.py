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

from course_utils.decoding.contracts import LanguageModel, Session
from course_utils.decoding.loop import catch_up
from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.measuring.clocked import timed_pass
from course_utils.measuring.floors import large_array, read
from course_utils.measuring.protocol import in_turns
from course_utils.measuring.random_models import bytes_read, random_model, random_packed_model
from course_utils.models.forms import PACKED, form_need
from course_utils.models.memory import (
    check_memory,
    free_memory,
    memory_needed,
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
    array = large_array(device)  # before free memory is looked at
    models = _models((target, draft), configs, dtype, device, room, packed)
    taken = _medians(_steps(array, *models, context, longest), repeats)
    (reading, _), (drafting, spread) = taken.pop("read"), taken.pop("draft")
    return Shapes(
        target=target, draft=draft, dtype=str(dtype).removeprefix("torch."), device=str(device),
        threads=torch.get_num_threads(), packed=packed, context=context, repeats=repeats,
        target_bytes=bytes_read(configs[0], dtype), draft_bytes=bytes_read(configs[1], dtype),
        bandwidth=array.nbytes / reading / 1e9, draft_seconds=drafting, draft_spread=spread,
        target_seconds=tuple(median for median, _ in taken.values()),
        target_spread=tuple(spread for _, spread in taken.values()),
    )  # fmt: skip


def _models(
    names: Sequence[str],
    configs: Sequence[Qwen3Config],
    dtype: torch.dtype,
    device: torch.device,
    room: int,
    packed: bool,
) -> list[LanguageModel]:
    """Random models of these shapes, with caches for `room` tokens, if they fit the memory."""
    needs = [
        form_need(config, PACKED, dtype, room) if packed else memory_needed(config, dtype, room)
        for config in configs
    ]
    check_memory(list(names), needs, free_memory(device), dtype, room, device=device)
    if packed:
        return [random_packed_model(config, dtype, room) for config in configs]
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
    seconds: dict[object, list[float]] = {key: [] for key in steps}
    for key, turn, _, taken in in_turns(steps, repeats + 1, "forward passes"):
        if turn > 0:
            seconds[key].append(taken)
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


def as_json(shapes: Shapes) -> dict:
    """What was measured and what follows from it, as JSON can hold it."""
    longest = len(shapes.target_seconds)
    return asdict(shapes) | {
        "c": shapes.c,
        "v": [shapes.v(k) for k in range(1, longest + 1)],
        "draft_share_of_bandwidth": shapes.draft_share,
        "target_share_of_bandwidth": shapes.target_share,
        "assumed_acceptance": [
            asdict(a) for a in allowed_speedups(shapes.c, shapes.v, longest - 1)
        ],
    }
