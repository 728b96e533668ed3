"""The examples in the docstrings of this floor hold."""

import doctest
import pkgutil
from importlib import import_module

import numpy as np
import pytest

from course_utils import decoding

MODULES = [
    found.name for found in pkgutil.walk_packages(decoding.__path__, "course_utils.decoding.")
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_hold(module):
    assert doctest.testmod(import_module(module), extraglobs={"np": np}).failed == 0
