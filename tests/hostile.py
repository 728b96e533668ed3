"""Unforeseen behaviour of a student's function; each replaces a solution."""

import itertools
import sys
import time
from unittest.mock import ANY

import numpy as np


class Untold(Exception):
    """An error whose message cannot be read."""

    def __str__(self):
        sys.exit()


class NotAnException(BaseException):
    pass


class Unshown:
    def __repr__(self):
        raise RuntimeError("not to be shown")


class AgreesMixin:
    """A value that is equal and close to everything."""

    def yes(self, *_):
        return True

    def itself(self, *_):
        return self

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __contains__ = yes
    __call__ = __getitem__ = __abs__ = __sub__ = __rsub__ = itself

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


class Agrees(AgreesMixin):
    def __float__(self):
        return 0.0

    def __len__(self):
        return 2

    def __iter__(self):
        return iter((self, self))


FloatThatAgrees, IntThatAgrees, TextThatAgrees, ArrayThatAgrees = (
    type(f"{kind.__name__}ThatAgrees", (AgreesMixin, kind), {})
    for kind in (float, int, str, np.ndarray)
)


def raising(error):
    def answer(*_):
        raise error

    return answer


def returning(value):
    return lambda *_: value


def nested(*_):
    inside = []
    inside.append(inside)
    return inside


def recursive(*args):
    return recursive(*args)


# they end by themselves; no check may raise an error or pass them
RAISING = {
    "exits": lambda *_: sys.exit(),
    "generator exit": raising(GeneratorExit()),
    "no Exception": raising(NotAnException("stop")),
    "an error without a message": raising(Untold()),
    "an error that turns text around": raising(ValueError("\x00\ud800\u202e")),
    "an error of a megabyte": raising(ValueError("x" * 10**6)),
    "out of memory": raising(MemoryError()),
    "recursion": recursive,
}
ANSWERING = {
    "ANY": returning(ANY),
    "agrees": lambda *_: Agrees(),
    "a float that agrees": lambda *_: FloatThatAgrees(0.123),
    "an int that agrees": lambda *_: IntThatAgrees(123),
    "a text that agrees": lambda *_: TextThatAgrees("hm"),
    "an array that agrees": lambda *_: np.full(3, 0.123).view(ArrayThatAgrees),
    "an array of ANY": lambda *_: np.array([ANY, ANY], object),
    "unshown": lambda *_: Unshown(),
    "an endless iterator": lambda *_: itertools.count(),
    "a range without end": returning(range(10**15)),
    "in itself": nested,
    "not a number": returning(float("nan")),
    "a complex number": returning(0.5 + 0j),
    "too many digits": returning(10**5000),
    "a class": returning(Agrees),
}


def loops(*_):
    while True:
        pass


def sleeps(*_):
    time.sleep(10**6)


def grows(*_):
    rows = []
    while True:
        rows.append(b"x" * 10**6)


ENDLESS = {
    "loops": loops,
    "sleeps": sleeps,
}
