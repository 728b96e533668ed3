"""A model counted from the library of this machine, and a machine that has none."""

import pytest

from course_utils.training import corpus, counted
from course_utils.training.counted import counted_library, library_texts


def by_letter(text):
    return [min(ord(letter), 255) for letter in text]


@pytest.fixture
def library(monkeypatch):
    """Ten modules of 100 characters and a test."""
    files = [(f"module_{i}.py", chr(ord("a") + i) * 100) for i in range(10)]
    files.insert(3, ("test/test_os.py", "z" * 100))
    monkeypatch.setattr(counted, "training_sources", lambda: iter(files))


def test_files_are_spread_over_the_library_and_tests_left_out(library):
    assert [text[0] for text in library_texts(5)] == ["a", "c", "e", "g", "i"]
    assert [text[0] for text in library_texts(99)] == [*"abcdefghij"]


def test_it_is_the_model_of_those_texts(library):
    model = counted_library(by_letter, 256, n=2, files=5)
    assert model.counts[()] == {ord(letter): 100 for letter in "acegi"}
    assert model.distribution([ord("c")]).argmax() == ord("c")


def test_a_python_without_its_sources_is_told_so(monkeypatch, tmp_path):
    monkeypatch.setattr(corpus, "standard_library", lambda: tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no Python sources under .*: install"):
        counted_library(by_letter, 256)
