"""The text behind a pair as arrays of token ids, and the tokenizer that made them of it.

`folder`/work/text/ holds the tokenizer and both texts.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from course_utils.training import corpus, dependencies, sealed
from course_utils.training.tokenizer import VOCABULARY_SIZE, train_tokenizer

# The held-out files are library modules; there is twice as much test code, and it
# is half a nat easier.  Repeating the modules makes them most of what is seen.
LIBRARY_REPEATS = 3


@dataclass(frozen=True)
class Text:
    """What is learned from, and what is kept out of it."""

    tokenizer: PreTrainedTokenizerBase
    train: np.ndarray  # token ids
    held_out: np.ndarray


def settings(start: Path | None = None) -> sealed.Settings:
    """All that the text and its tokens depend on.

    Args:
        start: the pair whose tokenizer is kept; None trains one.
    """
    return {
        "standard_library": corpus.fingerprint(),
        "library_repeats": LIBRARY_REPEATS,
        "packages": dependencies.fingerprint(),
        "vocabulary": VOCABULARY_SIZE,
        "tokenizer": start_of(start, "target/tokenizer.json"),
    }


def start_of(start: Path | None, file: str) -> str:
    """Hash of a file of the pair that is gone on from.

    Raises:
        FileNotFoundError: it is not there.
    """
    found = "new" if start is None else sealed.digest(start / file)
    if found is None:
        raise FileNotFoundError(f"there is no {start / file} to start from: name a pair's folder")
    return found


def prepare(folder: Path, start: Path | None = None) -> Text:
    """Train the tokenizer and store both texts as arrays of token ids, if that is not done.

    Args:
        start: the pair whose tokenizer is kept; None trains one.

    Raises:
        FileNotFoundError: this Python has no sources, or none of the held-out ones.
    """
    place = folder / "work" / "text"
    made_with = settings(start)
    if not sealed.is_made(place, made_with):
        sealed.make(place, made_with, lambda inside: _write_text(inside, start))
    return Text(
        AutoTokenizer.from_pretrained(place / "tokenizer"),
        np.load(place / "train.npy"),
        np.load(place / "held_out.npy"),
    )


def _write_text(folder: Path, start: Path | None) -> None:
    sources = list(corpus.training_sources())
    held_out = [text for _, text in corpus.held_out_sources()]
    if not held_out:
        raise FileNotFoundError("this Python's standard library has none of the held-out files")
    if start is None:
        tokenizer = train_tokenizer(text for _, text in sources)
    else:
        tokenizer = AutoTokenizer.from_pretrained(start / "target")
    library = [text for name, text in sources if not corpus.is_test(name)] * LIBRARY_REPEATS
    tests = [text for name, text in sources if corpus.is_test(name)]
    packages = [text for _, text in dependencies.training_sources()]
    tokenizer.save_pretrained(folder / "tokenizer")
    np.save(folder / "train.npy", _encode(tokenizer, library + tests + packages))
    np.save(folder / "held_out.npy", _encode(tokenizer, held_out))


def _encode(tokenizer: PreTrainedTokenizerBase, texts: list[str]) -> np.ndarray:
    """Token ids of all texts, each closed by the end-of-text token."""
    pieces = []
    for ids in tokenizer(texts)["input_ids"]:
        pieces += [np.asarray(ids, np.uint16), np.asarray([tokenizer.eos_token_id], np.uint16)]
    return np.concatenate(pieces)
