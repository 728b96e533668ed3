"""One training loop for every model of the course, in a lesson and for hours.

Muon for the matrices and AdamW for the rest, at a rate that rises, stays and falls; a log of
losses against tokens; checkpoints.  A resumed run ends with exactly the weights of an
uninterrupted one.

Left out: dropout, weight averaging, gradient accumulation, several devices.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from course_utils.decoding.clock import now
from course_utils.training.losses import Loss
from course_utils.training.optimisers import Optimiser
from course_utils.training.recipes import Schedule

Figures = dict[str, float]
Draw = Callable[[int], Any]  # number of a step -> input of its loss, the same when resumed


class Checkpoints(Protocol):
    """A place that outlives a run."""

    def load(self) -> dict[str, Any] | None:
        """Return what was saved last; None at the beginning."""

    def save(self, step: int, state: dict[str, Any]) -> None: ...

    def write_log(self, log: Sequence[Figures]) -> None:
        """Show the log so far."""


@dataclass
class Progress:
    """The progress of a run, stored in a checkpoint with weights and optimisers."""

    step: int = 0  # the next one
    seconds: float = 0.0  # training time, over all resumptions
    losses: list[float] = field(default_factory=list)  # since the last line of the log
    log: list[Figures] = field(default_factory=list)


def train(
    model: nn.Module,
    loss: Loss,
    draw: Draw,
    evaluate: Callable[[], Figures],
    schedule: Schedule,
    checkpoints: Checkpoints,
    *,
    batch_tokens: int,
    logged_tokens: int = 500_000,
    checkpoint_seconds: float = 300.0,
) -> list[Figures]:
    """Train `model` in place, from the last checkpoint if there is one.

    Returns the log: an entry about every `logged_tokens`, with the training loss since the last
    entry and the figures of `evaluate`.

    Args:
        batch_tokens: tokens per step.

    Raises:
        ValueError: a schedule without a step.
    """
    if schedule.steps < 1:
        raise ValueError(f"there are too few tokens: a step takes {batch_tokens}")
    optimiser, progress = Optimiser(model, schedule), Progress()
    if state := checkpoints.load():
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        progress = Progress(**state["progress"])
    every, begun, saved = max(1, logged_tokens // batch_tokens), now() - progress.seconds, now()
    rest = range(progress.step, schedule.steps)
    for step in tqdm(rest, initial=progress.step, total=schedule.steps):
        value = loss(draw(step))
        value.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        optimiser.zero_grad()
        progress.losses.append(value.item())
        progress.step, progress.seconds = step + 1, now() - begun
        last = progress.step == schedule.steps
        if last or progress.step % every == 0:
            figures = {"train_loss": float(np.mean(progress.losses)), **evaluate()}
            entry = {name: round(value, 4) for name, value in figures.items()}
            entry |= {"seconds": round(progress.seconds)}
            progress.log.append({"tokens": progress.step * batch_tokens, **entry})
            progress.losses.clear()
            checkpoints.write_log(progress.log)
        if last or now() - saved > checkpoint_seconds:
            state = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
            checkpoints.save(progress.step, {**state, "progress": vars(progress)})
            saved = now()
    return progress.log


def windows_at(tokens: np.ndarray, starts: Sequence[int] | np.ndarray, length: int) -> Tensor:
    """Return windows (starts, length + 1) of a text, int64."""
    windows = np.stack([tokens[start : start + length + 1] for start in starts])
    return torch.from_numpy(windows.astype(np.int64))
