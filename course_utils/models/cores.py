"""How many cores the work may take; without torch, so that the first lessons can ask."""

import os

from joblib import cpu_count


def cores_given() -> int:
    """Return OMP_NUM_THREADS if it is set, else the cores this process may use.

    Those of its affinity and of its container's share (joblib): torch itself counts the
    cores of the whole machine.
    """
    threads = os.environ.get("OMP_NUM_THREADS", "")
    return int(threads) if threads.isdecimal() and int(threads) else int(cpu_count())  # type: ignore[no-untyped-call]


def threads_for(pair: str) -> int:
    """One for the trained pair, whose products are over in a moment; else the cores given."""
    return 1 if pair == "tiny" else cores_given()
