"""Fixtures for the tests of commands: models loaded once, and a report in JSON."""

import json
import textwrap
from functools import cache
from pathlib import Path

import pytest

from course_utils.__main__ import main
from course_utils.models.toys.n_grams import NGram
from course_utils.training import counted
from course_utils.writing import writing
from course_utils.writing.writing import load_pair


@pytest.fixture(scope="session")
def loaded():
    """Cache the slow calls by their arguments; models have no state between runs."""

    @cache
    def n_grams():
        return NGram([load_pair("tiny").encode(Path(textwrap.__file__).read_text())], 3, 4096)

    return cache(load_pair), lambda *_: n_grams()


@pytest.fixture
def quickly(monkeypatch, loaded):
    """`generate` with models already loaded."""
    monkeypatch.setattr(writing, "load_pair", loaded[0])
    monkeypatch.setattr(counted, "counted_library", loaded[1])


@pytest.fixture
def run_json(quickly, capsys):
    """Return the report of a call of `generate`."""

    def run(*arguments):
        assert main(["generate", *map(str, arguments), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run
