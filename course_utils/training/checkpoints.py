"""Where a training has got to, on disk: the last two checkpoints, each whole or not there."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn

from course_utils.training import sealed

KEPT = 2  # the one before serves if the last is damaged


@dataclass
class Progress:
    """How far a run is: what a checkpoint holds beside weights and optimisers."""

    step: int = 0  # the next one
    seconds: float = 0.0  # of training, in all lives of the run
    losses: list[float] = field(default_factory=list)  # since the last line of the log
    log: list[dict[str, float]] = field(default_factory=list)


def save(
    folder: Path,
    settings: sealed.Settings,
    model: nn.Module,
    optimisers: list[torch.optim.Optimizer],
    progress: Progress,
) -> None:
    state = {
        "model": model.state_dict(),
        "optimisers": [o.state_dict() for o in optimisers],
        "progress": vars(progress),
    }
    place = folder / f"step-{progress.step:08d}"
    sealed.make(place, settings, lambda inside: torch.save(state, inside / "state.pt"))
    _forget_old(folder)


def _forget_old(folder: Path) -> None:
    for old in [*found(folder)[:-KEPT], *folder.glob("step-*.partial")]:
        shutil.rmtree(old)


def resume(
    folder: Path,
    settings: sealed.Settings,
    model: nn.Module,
    optimisers: list[torch.optim.Optimizer],
) -> Progress:
    """Load the last checkpoint that is whole; the beginning if there is none.

    Raises:
        ValueError: it is of other settings.
    """
    _forget_old(folder)  # a kill may have left some
    for place in reversed(found(folder)):
        if sealed.is_made(place, settings):
            state = torch.load(place / "state.pt", weights_only=True)
            model.load_state_dict(state["model"])
            for optimiser, saved in zip(optimisers, state["optimisers"], strict=True):
                optimiser.load_state_dict(saved)
            return Progress(**state["progress"])
    return Progress()


def found(folder: Path) -> list[Path]:
    """Those in `folder`, whole or damaged, the oldest first."""
    return sorted(folder.glob("step-" + "[0-9]" * 8))
