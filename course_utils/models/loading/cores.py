"""How many cores are ours, and how threads wait for one another; torch is not needed here."""

import os

from joblib import cpu_count

SPIN_TURNS = "10000"


def cores_given() -> int:
    """Return OMP_NUM_THREADS if it is set, else the cores this process may use.

    Those of its affinity and of its container's share (joblib): torch itself counts the
    cores of the whole machine.
    """
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdecimal() and int(given) else int(cpu_count())  # type: ignore[no-untyped-call]


def threads_for(pair: str) -> int:
    """One for the trained pair, whose products are over in a moment; else the cores given."""
    return 1 if pair == "tiny" else cores_given()


def share_the_machine() -> None:
    """Let whatever torch is started from here on take the cores it was given, and no others'.

    To be called before torch is loaded: OpenMP reads its settings once.  Threads that spin
    while they wait starve one another beside a busy neighbour.  Those that sleep (PASSIVE) do
    not; but to wake one for every product of a small model takes longer than the product, so
    GNU's OpenMP spins a little before it sleeps.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", SPIN_TURNS)
    os.environ.setdefault("OMP_NUM_THREADS", str(cores_given()))
