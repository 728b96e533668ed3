"""The first part of the trained pair's training text: this machine's standard library.

The sources are read in place and never copied into the repository.  A fixed list
of files and their tests is excluded from training, so that every figure of the
course is measured on text that no model has seen.

Left out: deduplication and quality filters, which the small and clean standard
library does not need.
"""

import sysconfig
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# Chosen by hand, before the first training run, for variety: numerics, network
# protocols, parsing, concurrency, command-line tools.  Never change the list,
# or recorded figures are no longer comparable.
HELD_OUT = (
    "asyncio/locks.py",
    "bz2.py",
    "calendar.py",
    "concurrent/futures/thread.py",
    "csv.py",
    "fractions.py",
    "gettext.py",
    "heapq.py",
    "http/cookies.py",
    "json/encoder.py",
    "logging/config.py",
    "multiprocessing/reduction.py",
    "poplib.py",
    "pprint.py",
    "pstats.py",
    "queue.py",
    "rlcompleter.py",
    "sched.py",
    "shelve.py",
    "smtplib.py",
    "statistics.py",
    "textwrap.py",
    "unittest/main.py",
    "unittest/util.py",
    "urllib/response.py",
    "urllib/robotparser.py",
    "webbrowser.py",
    "xml/sax/handler.py",
    "zoneinfo/_tzpath.py",
)

# Third-party code, and tables of code points that are noise to a language model.
_SKIPPED_FOLDERS = ("site-packages", "dist-packages", "__pycache__", "encodings")


def standard_library() -> Path:
    """Return the folder of the running interpreter's standard library."""
    return Path(sysconfig.get_paths()["stdlib"])


def held_out_sources(root: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each held-out file that this Python version has."""
    root = root or standard_library()
    for name in HELD_OUT:
        text = _read(root / name)
        if text is not None:
            yield name, text


def training_sources(root: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of every other source file, in a fixed order.

    The tests of a held-out module quote it at length, so they are left out too.

    Raises:
        FileNotFoundError: the interpreter was installed without its sources.
    """
    root = root or standard_library()
    paths = sorted(root.rglob("*.py"))
    if not paths:
        raise FileNotFoundError(
            f"there are no Python sources in {root}: install the standard library's .py files"
        )
    for path in paths:
        name = path.relative_to(root)
        if set(name.parts) & set(_SKIPPED_FOLDERS) or _belongs_to_held_out(name):
            continue
        text = _read(path)
        if text:
            yield name.as_posix(), text


def fingerprint() -> str:
    """Return a hash of every name and every character of this standard library."""
    sha = sha256()
    for sources in (training_sources(), held_out_sources()):
        for name, text in sources:
            sha.update(f"{name}\0{text}\0".encode())
        sha.update(b"\0")
    return sha.hexdigest()[:16]


def encoded(tokenizer: "PreTrainedTokenizerBase", texts: Iterable[str]) -> np.ndarray:
    """Return the token ids of all texts, each followed by the end-of-text token."""
    ended = ([*ids, tokenizer.eos_token_id] for ids in tokenizer([*texts])["input_ids"])
    return np.concatenate([np.asarray(ids, np.int32) for ids in ended])


def is_test(name: str) -> bool:
    """test/test_os.py -> True, os.py -> False"""
    return bool({"test", "tests", "idle_test"} & set(Path(name).parts))


def _belongs_to_held_out(name: Path) -> bool:
    """textwrap.py -> True, test/test_textwrap.py -> True, os.py -> False."""
    if name.as_posix() in HELD_OUT:
        return True
    modules = {Path(file).stem for file in HELD_OUT}
    return "test" in name.parts and name.stem.removeprefix("test_") in modules


def _read(path: Path) -> str | None:
    """Return the file's text, or None if it is missing or deliberately not UTF-8."""
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
