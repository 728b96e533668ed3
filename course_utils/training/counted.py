"""An n-gram model counted on the standard library of this machine, in seconds."""

from collections.abc import Callable, Sequence

from course_utils.models.toys.n_grams import NGram
from course_utils.training.corpus import is_test, training_sources

MAX_CHARACTERS = 2_000_000  # a few seconds


def library_texts(files: int = 60, most: int = MAX_CHARACTERS) -> list[str]:
    """Return the texts of about `files` modules, spread evenly over the library, without tests.

    Whole files only, up to `most` characters in total.

    Raises:
        ValueError: files below 1.
        FileNotFoundError: the interpreter was installed without its sources.
    """
    if files < 1:
        raise ValueError(f"files is {files}: give at least 1")
    library = [text for name, text in training_sources() if not is_test(name)]
    texts, room = [], most
    for text in library[:: max(1, len(library) // files)][:files]:
        room -= len(text)
        if room < 0:
            break
        texts.append(text)
    return texts


def counted_library(
    encode: Callable[[str], Sequence[int]],
    vocabulary_size: int,
    n: int = 3,
    discount: float = 0.75,
    files: int = 60,
) -> NGram:
    """Return an n-gram model of those texts in the tokens of `encode`; see `NGram`.

    Raises:
        ValueError: files below 1, or what `NGram` refuses.
        FileNotFoundError: the interpreter was installed without its sources.
    """
    return NGram(map(encode, library_texts(files)), n, vocabulary_size, discount)
