"""The checkpoint of a training run, one file, and the log so far."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from course_utils.files import remove_unfinished, whole, write_whole
from course_utils.training.loop import Figures
from workshop.training import manifest


class Checkpoints:
    """The last checkpoint and log.jsonl of one run.

    Args:
        settings: everything that the model depends on.
    """

    def __init__(self, folder: Path, settings: manifest.Settings):
        self._folder, self._settings = folder, settings
        self._file = folder / "checkpoint.pt"

    def load(self) -> dict[str, Any] | None:
        """Return the last state.

        Raises:
            ValueError: it has other settings.
        """
        remove_unfinished(self._folder)  # a kill may have left some
        if not self._file.exists():
            return None
        saved = torch.load(self._file, weights_only=True)
        manifest.check_same(saved["settings"], self._settings, self._file)
        return saved["state"]

    def save(self, step: int, state: dict[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with whole(self._file) as new:
            torch.save({"settings": self._settings, "state": state}, new)

    def write_log(self, log: Sequence[Figures]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_log(self._folder / "log.jsonl", log)


def write_log(path: Path, log: Sequence[Figures]) -> None:
    """Write one JSON object per line."""
    write_whole(path, "".join(json.dumps(entry) + "\n" for entry in log))
