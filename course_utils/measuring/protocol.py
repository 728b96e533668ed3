"""How everything here is timed: interleaved, warmed up, medians with their spread.

Every contender continues the first prompt, then every contender the second, so
that a machine that slows down for a while slows them all.  A figure is the median
over prompts; its spread, the distance between the quartiles.
"""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np
import torch
from tqdm.auto import tqdm

from course_utils.models.processor import processor_name


@dataclass(frozen=True)
class Run:
    """One contender on one prompt."""

    tokens: int  # emitted
    seconds: float  # prompt included
    details: Mapping[str, float]  # sums the contender kept itself


Contender = Callable[[int, Sequence[int]], tuple[int, Mapping[str, float]]]
"""(prompt's number, prompt) -> (tokens emitted, details)."""


def interleaved(
    contenders: Mapping[str, Contender], prompts: Sequence[Sequence[int]], label: str = ""
) -> dict[str, list[Run]]:
    """Run every contender on every prompt, after one unmeasured run each."""
    runs: dict[str, list[Run]] = {name: [] for name in contenders}
    bar = tqdm(total=(len(prompts) + 1) * len(contenders), desc=label, unit="run", leave=False)
    for number, prompt in [(0, prompts[0]), *enumerate(prompts)]:
        warm_up = bar.n < len(contenders)
        for name, contender in contenders.items():
            begin = perf_counter()
            tokens, details = contender(number, prompt)
            seconds = perf_counter() - begin
            if not warm_up:
                runs[name].append(Run(tokens, seconds, details))
            bar.update()
    bar.close()
    return runs


def tokens_per_second(runs: Sequence[Run]) -> float:
    """Median over prompts."""
    return median(run.tokens / run.seconds for run in runs)


def spread(runs: Sequence[Run]) -> float:
    """Distance between the quartiles of tokens per second."""
    low, high = np.quantile([run.tokens / run.seconds for run in runs], [0.25, 0.75])
    return float(high - low)


def machine() -> dict[str, object]:
    """What a figure was measured on."""
    return {
        "processor": processor_name(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }
