"""The published Qwen3 shapes with random weights: what a pass costs, without a download.

The seconds of a forward pass depend on the shapes of the weights, not on their values.

    python -m workshop.bench.real_shapes
"""

import json

import torch
from transformers import AutoModelForCausalLM, Qwen3Config

from course_utils.decoding.loop import catch_up
from course_utils.measuring.pass_clock import timed_pass
from course_utils.measuring.turns import seconds_in_turns
from course_utils.models.loading.memory import qwen3_config
from course_utils.models.qwen3.readable import Qwen3
from course_utils.pairs import PAIRS

NOISE = 1_000_003  # values of noise that fill the weights; a prime, so that rows differ


def measure_shapes(
    *,
    device: torch.device | str = "cpu",
    context: int = 64,
    longest: int = 9,
    repeats: int = 15,
    configs: dict[str, Qwen3Config] | None = None,
) -> dict[str, object]:
    """Time the draft for 1 token, the target for 1..longest, in turns, in bfloat16.

    Args:
        context: tokens in both caches before what is timed.
        configs: of "target" and "draft"; None: those of the pair qwen3.
    """
    if configs is None:
        configs = dict(zip(("target", "draft"), map(qwen3_config, PAIRS["qwen3"]), strict=True))
    text, device = list(range(context)), torch.device(device)
    sessions = {
        role: random_model(config, device, context + longest).start(text)
        for role, config in configs.items()
    }

    def forward(role: str, k: int) -> None:
        timed_pass(sessions[role], list(range(k)))
        catch_up(sessions[role], text, context)  # an integer moves, which costs nothing

    steps = {k: lambda _, k=k: forward("target", k) for k in range(1, longest + 1)}
    steps[0] = lambda _: forward("draft", 1)
    seconds = seconds_in_turns(steps, repeats, "forward passes")
    medians = {k: sorted(taken)[len(taken) // 2] for k, taken in seconds.items()}
    target = [medians[k] for k in range(1, longest + 1)]
    return {
        "draft_seconds": medians[0],
        "target_seconds": target,  # for 1, 2, ... tokens
        "c": medians[0] / target[0],
        "v": [seconds / target[0] for seconds in target],
        "threads": torch.get_num_threads(),
        "device": str(device),
    }


def random_model(config: Qwen3Config, device: torch.device, context: int) -> Qwen3:
    """A Qwen3 of this shape in bfloat16, its matrices small noise, its norms one.

    Weights are made in the dtype they are used in; matrices repeat the noise, because drawing
    4e9 numbers would take a minute.
    """
    with torch.device("meta"):
        empty = AutoModelForCausalLM.from_config(config)  # names and shapes, no memory
    spread = config.initializer_range
    noise = torch.empty(NOISE, device=device).uniform_(-spread, spread).to(torch.bfloat16)
    weights = {}
    for name, parameter in empty.named_parameters():  # tied weights come once
        weight = torch.ones(parameter.shape, dtype=noise.dtype, device=device)
        for piece in weight.view(-1).split(len(noise)) if weight.dim() > 1 else ():
            piece.copy_(noise[: len(piece)])
        weights[name] = weight
    return Qwen3(config, weights, context)


if __name__ == "__main__":
    print(json.dumps(measure_shapes(), indent=1))
