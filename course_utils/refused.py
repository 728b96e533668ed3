"""The error of what cannot be examined."""


class Refused(Exception):
    """An answer or a program cannot be examined; the message tells its author why."""
