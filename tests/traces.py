"""A whole trace in memory, as no reader of somebody else's file may take it."""

from course_utils.proofs.trace_reader import lines_of, read_line


def read_trace(path):
    """The rounds and the setting of the first."""
    entries = [read_line(line) for line in lines_of(path)]
    return [entry.round for entry in entries], entries[0].setting
