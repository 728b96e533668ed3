"""The examples in the docstrings of this package are right."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest

from course_utils import decoding

MODULES = walk_packages(decoding.__path__, "course_utils.decoding.")


@pytest.mark.parametrize("name", [module.name for module in MODULES])
def test_the_examples_hold(name):
    assert doctest.testmod(import_module(name), extraglobs={"np": np}).failed == 0
