"""Rounds as lines of JSON: one line a round, written as it happens."""

import json
from pathlib import Path
from typing import Any, TextIO

from course_utils.decoding.contracts import Round


def open_trace(path: str | Path) -> TextIO:
    """Open a new trace for writing.

    Raises:
        FileExistsError: the file is there already; it is left alone.
    """
    try:
        return Path(path).open("x", encoding="utf-8")
    except FileExistsError:
        raise FileExistsError(
            f"{path} exists and is not overwritten: name another file or remove it"
        ) from None


def trace_line(r: Round) -> str:
    """The round as one line: what was drafted, p and q there, the coins, the verdict."""
    return json.dumps(record(r), ensure_ascii=False) + "\n"


def record(r: Round) -> dict[str, Any]:
    """The round in JSON's types; p and q at the drafted tokens, q = 1 if one-hot."""
    return {
        "round": r.index,
        "context": r.context,
        "drafted": list(r.drafted),
        "p": [float(r.p[i, x]) for i, x in enumerate(r.drafted)],
        "q": [1.0 if r.q is None else float(r.q[i, x]) for i, x in enumerate(r.drafted)],
        "uniforms": list(r.uniforms),
        "accepted": r.verdict.accepted,
        "token": r.verdict.token,
        "emitted": list(r.emitted),
        "kinds": list(r.kinds),
        "cache_before": r.cache_before,
        "cache_after": r.cache_after,
        "seconds": vars(r.seconds),
        "stop_reason": r.stop_reason,
    }
