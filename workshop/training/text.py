"""The text behind a pair as arrays of token ids, and the tokenizer that made them of it.

`folder`/work/text/ holds the tokenizer and both texts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerBase, PreTrainedTokenizerFast

from course_utils.training import corpus
from workshop.training import atomic_folder, dependencies

END_OF_TEXT = "<|endoftext|>"
VOCABULARY_SIZE = 4096

# Qwen's own pattern: words keep their leading space, digits stand alone, and
# punctuation may swallow the line break after it, which suits Python's `:\n`.
_QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def train_tokenizer(
    texts: Iterable[str], vocabulary_size: int = VOCABULARY_SIZE
) -> PreTrainedTokenizerFast:
    """The byte-level BPE tokenizer that the trained pair shares; deterministic for a given corpus.

    Byte-level (as in GPT-2 and Qwen): every string, Chinese included, comes out of
    encode -> decode unchanged, and no token is ever "unknown".
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_QWEN_PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary_size,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END_OF_TEXT,
        pad_token=END_OF_TEXT,
        clean_up_tokenization_spaces=False,
    )


# The held-out files are library modules; there is twice as much test code, and it
# is half a nat easier.  Repeating the modules makes them most of what is seen.
LIBRARY_REPEATS = 3


@dataclass(frozen=True)
class Text:
    """What is learned from, and what is kept out of it."""

    tokenizer: PreTrainedTokenizerBase
    train: np.ndarray  # token ids
    held_out: np.ndarray


def settings(start: Path | None = None) -> atomic_folder.Settings:
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
    found = "new" if start is None else atomic_folder.digest(start / file)
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
    if not atomic_folder.is_made(place, made_with):
        atomic_folder.make(place, made_with, lambda inside: _write_text(inside, start))
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
