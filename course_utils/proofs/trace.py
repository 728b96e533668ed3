"""Rounds as lines of JSON: one line per round, written as it happens.

A line can be replayed without the others: beside what a person reads (p and q
at the drafted tokens, the uniforms, the verdict) it holds the whole rows, packed,
and the setting of the run.  Rows are what makes a trace large: about 20 kB each
for 4096 tokens, and far less after top-k.  `trace_reader` reads it back.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rows import as_numpy, namespace
from course_utils.decoding.sampling import Sampling
from course_utils.files import append, check_new

MOST_BYTES = 2**26  # of the rows of one model in one round: 110 of Qwen3's in float32


@dataclass(frozen=True)
class Setting:
    """What was the same in every round of a run."""

    seed: int
    rule: str  # its name
    sampling: Sampling
    drafter: str  # "model", "lookup", ...
    gamma: int
    prompt_tokens: int
    max_new_tokens: int
    stop_tokens: tuple[int, ...]
    target_context: int  # the most tokens the target can hold

    @property
    def end(self) -> int:
        """The text never gets longer."""
        return min(self.prompt_tokens + self.max_new_tokens, self.target_context)


def recorded_in(path: str | Path, rounds: Iterable[Round], setting: Setting) -> Iterator[Round]:
    """The same rounds, each written to the new file `path` before it is passed on compact.

    The file is opened at the first round, so a run that cannot begin leaves none;
    one that is interrupted leaves the rounds it had.

    Raises:
        OSError: the file is there already, and left alone; or the disk is full.
    """
    rounds = iter(rounds)
    first = next(rounds)
    with open_trace(path) as file:
        for r in chain([first], rounds):
            append(file, trace_line(r, setting).encode())
            yield r.compact()


def open_trace(path: str | Path) -> BinaryIO:
    """Open a new trace for writing, without a buffer: a line reaches the file at once.

    Raises:
        FileExistsError: the file is there already; it is left alone.
    """
    try:
        return Path(path).open("xb", buffering=0)
    except FileExistsError:
        check_new(path)
        raise


def trace_line(r: Round, setting: Setting) -> str:
    """The round as one line: what was drafted, p and q there, the uniforms, the verdict."""
    return json.dumps(record(r, setting)) + "\n"


def record(r: Round, setting: Setting) -> dict[str, Any]:
    """The round and its setting in JSON's types."""
    return {
        "round": r.index,
        "context": r.context,
        "drafted": r.drafted,
        **shown(r),
        "uniforms": list(r.uniforms),
        "accepted": r.verdict.accepted,
        "token": r.verdict.token,
        "path": r.verdict.path,
        "emitted": r.emitted,
        "cache_before": r.cache_before,
        "cache_after": r.cache_after,
        "seconds": vars(r.seconds),
        "stop_reason": r.stop_reason,
        "parents": r.parents,
        **asdict(setting),
        "library": namespace(r.p).__name__.rpartition(".")[2],
        "p_rows": packed(r.p),
        "q_rows": None if r.q is None else packed(r.q),
    }


def shown(r: Round) -> dict[str, tuple]:
    """What a reader wants at once: p and q at the drafted tokens (q = 1 if one-hot), and
    the kind of each emitted token."""
    before = range(len(r.drafted)) if r.parents is None else [i + 1 for i in r.parents]
    return {
        "p": tuple(float(r.p[i, x]) for i, x in zip(before, r.drafted, strict=True)),
        "q": tuple(1.0 if r.q is None else float(r.q[i, x]) for i, x in enumerate(r.drafted)),
        "kinds": r.kinds,
    }


def packed(rows: Rows) -> dict[str, Any]:
    """Rows as text, exactly: their bytes (little-endian), squeezed, in base64."""
    array = as_numpy(rows)
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    data = base64.b64encode(zlib.compress(little.tobytes(), 1)).decode()
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": data}


def unpacked(dtype: str, shape: Sequence[int], data: str) -> np.ndarray:
    """The rows, as an array (n, vocabulary) that may be written to.

    Raises:
        ValueError: these are no packed rows, or more than `MOST_BYTES` of them.
    """
    (rows, vocabulary), kind = shape, np.dtype(dtype)
    size = rows * vocabulary * kind.itemsize
    if size > MOST_BYTES:
        raise ValueError(f"{rows} rows of {vocabulary} take more than {MOST_BYTES} bytes")
    squeezed = zlib.decompressobj()  # told how much it may unpack: a kilobyte can hold a megabyte
    try:
        flat = squeezed.decompress(base64.b64decode(data, validate=True), size + 1)
    except zlib.error as error:
        raise ValueError(f"they do not unpack: {error}") from None
    if len(flat) != size or not squeezed.eof:
        raise ValueError(f"they do not unpack to the {size} bytes of {rows} rows of {vocabulary}")
    little = np.frombuffer(flat, kind.newbyteorder("<")).reshape(rows, vocabulary)
    return little.astype(kind)  # in this machine's byte order
