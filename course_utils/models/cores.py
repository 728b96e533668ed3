"""The number of cores to use; without torch, so that the first lessons start quickly."""

import os

from joblib import cpu_count


def cores_given() -> int:
    """Return OMP_NUM_THREADS if it is set, else the cores this process may use.

    joblib respects the process's affinity and its container's limit; torch counts the cores of
    the whole machine.
    """
    threads = os.environ.get("OMP_NUM_THREADS", "")
    return int(threads) if threads.isdecimal() and int(threads) else int(cpu_count())  # type: ignore[no-untyped-call]


def threads_for(pair: str) -> int:
    """Return 1 for the trained pair, whose products are tiny; else the cores to use."""
    return 1 if pair == "tiny" else cores_given()
