"""Answers written to a file one by one, so that an interrupted run can continue."""

import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

Record = dict[str, Any]


class AnswerLog:
    """A file of JSON lines: the settings of all requests, then each answer with its number."""

    def __init__(self, path: Path | None, settings: Mapping[str, Any]):
        """Read the stored answers; without a path they stay in memory.

        Args:
            settings: everything that the answers depend on.

        Raises:
            OSError: the file cannot be read or written.
            ValueError: it is another kind of file, or has answers to other questions.
        """
        self.path, self.answers = path, dict[int, Record]()
        if path is None:
            return
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(settings) + "\n", "utf-8")
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]  # the last line may have been cut off
        try:
            head, *records = map(json.loads, whole.splitlines())
            self.answers = {record["number"]: record for record in records}
            changed = [name for name, x in settings.items() if head[name] != x]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path} is not a file of answers: name another one") from None
        if changed:
            name = changed[0]
            raise ValueError(
                f"{path} has answers to other questions ({name} was {head[name]}, now it is "
                f"{settings[name]}): name another file, or use the same settings"
            )
        os.truncate(path, len(whole))

    def complete(
        self, ask: Callable[[int], Record], count: int, threads: int, done: Callable[[], object]
    ) -> list[Record]:
        """Return answers 0 to `count` - 1; call `ask` for the missing ones.

        `done` is called after each.  If `ask` raises an error, earlier answers are in the file.
        """
        missing = [number for number in range(count) if number not in self.answers]
        pool = ThreadPoolExecutor(threads)
        try:
            for number, answer in zip(missing, pool.map(ask, missing), strict=True):
                self.answers[number] = {"number": number} | answer
                if self.path is not None:
                    with self.path.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(self.answers[number]) + "\n")
                done()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return [self.answers[number] for number in range(count)]
