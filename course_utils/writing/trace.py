"""Record a run in a file while it decodes: JSON lines, first the settings, then one per round.

A line has the fields of `decoding.contracts.Round`.  Rows are stored exactly: the bytes of a .npy
file, compressed, in base64; about 20 kB each for 4096 tokens, and far less after top-k.
`audit` reads the file back.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path

import numpy as np

from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling
from course_utils.files import append, check_new


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run, constant over its rounds."""

    seed: int
    rule: str  # its name
    sampling: Sampling
    drafter: str  # "model", "lookup", ...
    gamma: int
    prompt_tokens: int
    max_new_tokens: int
    stop_tokens: tuple[int, ...]
    target_context: int  # the target's context length


def record_rounds(
    path: str | Path, rounds: Iterable[Round], settings: RunSettings
) -> Iterator[Round]:
    """Write each round to the new file `path`, then yield it without its rows.

    The file is opened at the first round, so a run that cannot start leaves no file; an
    interrupted one leaves its rounds so far.

    Raises:
        OSError: the file exists and is left unchanged, or the disk is full.
    """
    rounds = iter(rounds)
    first = next(rounds)
    check_new(path)
    settings_line = json.dumps(asdict(settings), default=np.generic.item)  # a seed from NumPy
    with Path(path).open("xb", buffering=0) as file:  # unbuffered: each line is written at once
        append(file, settings_line.encode() + b"\n")
        for r in chain([first], rounds):
            packed = {"p": pack(r.p), "q": None if r.q is None else pack(r.q)}
            append(file, json.dumps(vars(r) | packed, default=vars).encode() + b"\n")
            yield r.compact()


def pack(rows: Rows) -> str:
    """Return rows as text, exactly."""
    file = BytesIO()
    np.save(file, as_numpy(rows), allow_pickle=False)
    return base64.b64encode(zlib.compress(file.getvalue(), 1)).decode()


def unpack(text: str) -> np.ndarray:
    """Return the rows of `pack`.

    Raises:
        ValueError: `text` is not an output of `pack`.
    """
    try:
        file = BytesIO(zlib.decompress(base64.b64decode(text, validate=True)))
        return np.load(file, allow_pickle=False)
    except (zlib.error, EOFError) as error:
        raise ValueError(str(error)) from None
