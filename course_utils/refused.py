"""What a program raises that examines another one, and cannot."""


class Refused(Exception):
    """Why an answer or a program cannot be examined, in a sentence for its author."""
