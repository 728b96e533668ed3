"""Answers kept line by line, so that a run that is interrupted goes on where it stopped."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

Record = dict[str, Any]


class Kept:
    """A file of JSON lines: what was asked, then each answer with its number."""

    def __init__(self, path: Path | None, asked: Record):
        """
        Args:
            path: None keeps nothing.
            asked: everything that the answers depend on.

        Raises:
            OSError: it cannot be read or written.
            ValueError: it holds something else, or answers to other questions.
        """
        self.path, self.records = path, dict[int, Record]()
        if path is None:
            return
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(asked) + "\n", "utf-8")
            return
        text = path.read_text("utf-8", "replace")
        lines = text.split("\n")
        whole = "\n".join(lines[:-1]) + "\n"  # behind it, what was cut off in the middle of a line
        try:
            head, *records = map(json.loads, lines[:-1])
            self.records = {record["number"]: record for record in records}
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path} is no file of kept answers: name another one") from None
        if not isinstance(head, dict) or head.keys() != asked.keys():
            raise ValueError(f"{path} is no file of kept answers: name another one")
        for name, value in json.loads(json.dumps(asked)).items():
            if head[name] != value:
                raise ValueError(
                    f"{path} holds answers to other questions ({name} was {head[name]}, now "
                    f"{value}): name another file, or ask as before"
                )
        if whole != text:
            path.write_text(whole, "utf-8")

    def add(self, number: int, record: Record) -> None:
        self.records[number] = {"number": number} | record
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(self.records[number]) + "\n")


def ask_all(
    asking: Callable[[int], Record],
    numbers: Sequence[int],
    kept: Kept,
    together: int = 1,
    done: Callable[[], object] = lambda: None,
) -> list[Record]:
    """The records of all numbers, in their order; what is kept is not asked again.

    Args:
        asking: the record of a number.
        together: requests that are open at a time.
        done: called after each answer.

    Raises:
        whatever `asking` raises; the answers before are kept.
    """
    left = [number for number in numbers if number not in kept.records]
    askers = ThreadPoolExecutor(together)
    try:
        for number, record in zip(left, askers.map(asking, left), strict=True):
            kept.add(number, record)
            done()
    finally:
        askers.shutdown(wait=False, cancel_futures=True)
    return [kept.records[number] for number in numbers]
