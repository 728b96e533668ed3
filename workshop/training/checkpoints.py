"""The checkpoints of a training run, in a folder, and the log so far."""

import json
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any

import torch

from course_utils.files import remove_unfinished, write_whole
from course_utils.training.loop import Figures
from workshop.training import manifest

STORED = 2  # the one before serves if the last is damaged


class Checkpoints:
    """Checkpoints and log.jsonl of one run; only checkpoints with the same settings are used.

    Args:
        settings: everything that the model depends on.
    """

    def __init__(self, folder: Path, settings: manifest.Settings):
        self._folder, self._settings = folder, settings

    def load(self) -> dict[str, Any] | None:
        """Return the last undamaged state.

        Raises:
            ValueError: it has other settings.
        """
        self._forget_old()  # a kill may have left some
        for place in reversed(checkpoints_in(self._folder)):
            if manifest.is_made(place, self._settings):
                return torch.load(place / "state.pt", weights_only=True)
        return None

    def save(self, step: int, state: dict[str, Any]) -> None:
        place = self._folder / f"step-{step:08d}"
        manifest.make(place, self._settings, lambda new: torch.save(state, new / "state.pt"))
        self._forget_old()

    def write_log(self, log: Sequence[Figures]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_log(self._folder / "log.jsonl", log)

    def _forget_old(self) -> None:
        remove_unfinished(self._folder, "step-*")
        for old in checkpoints_in(self._folder)[:-STORED]:
            rmtree(old)


def write_log(path: Path, log: Sequence[Figures]) -> None:
    """Write one JSON object per line."""
    write_whole(path, "".join(json.dumps(entry) + "\n" for entry in log))


def checkpoints_in(folder: Path) -> list[Path]:
    """Return the checkpoints in `folder`, also damaged ones, oldest first."""
    return sorted(folder.glob("step-" + "[0-9]" * 8))
