"""How many cores are ours, and how threads wait for one another; torch is not needed here."""

import os

from joblib import cpu_count


def cores_given() -> int:
    """OMP_NUM_THREADS if it is set, else the cores this process may use.

    Those of its affinity and of its container's share (joblib): torch itself counts the
    cores of the whole machine, also in a container that may use two of them.
    """
    said = os.environ.get("OMP_NUM_THREADS", "")
    return int(said) if said.isdecimal() and int(said) else cpu_count()


def share_the_machine() -> None:
    """Let whatever torch is started from here on take the cores it was given, and no others'.

    To be called before torch is loaded: OpenMP reads both settings once.  Threads that spin
    while they wait, as is usual, starve one another beside a busy neighbour; those that
    sleep (PASSIVE) do not, and pay for it where nobody else wants the cores.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("OMP_NUM_THREADS", str(cores_given()))
