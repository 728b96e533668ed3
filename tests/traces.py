"""A whole trace in memory."""

from course_utils.proofs.audit import read_round, read_settings


def read_trace(path):
    """Return the rounds and the settings of the run."""
    first, *rest = path.read_bytes().splitlines(keepends=True)
    return [read_round(line) for line in rest], read_settings(first)[0]
