"""The error of a program that cannot examine another one."""


class Refused(Exception):
    """An answer or a program cannot be examined; the message tells its author why."""
