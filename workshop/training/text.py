"""The training text of a pair as arrays of token ids, and its tokenizer.

They are stored in `folder`/work/text/.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor
from transformers import AutoTokenizer, PreTrainedTokenizerBase, PreTrainedTokenizerFast

from course_utils.training import corpus
from course_utils.training.loop import Draw, windows_at
from workshop.training import dependencies, manifest
from workshop.training.recipes import Recipe, Schooling

END_OF_TEXT = "<|endoftext|>"
VOCABULARY_SIZE = 4096

# Qwen's pattern: words keep their leading space, digits are separate, and punctuation
# may include the line break after it, which suits Python's `:\n`.
_QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def train_tokenizer(
    texts: Iterable[str], vocabulary_size: int = VOCABULARY_SIZE
) -> PreTrainedTokenizerFast:
    """Train the pair's byte-level BPE tokenizer; deterministic for a given corpus.

    Byte-level (as in GPT-2 and Qwen): encode -> decode leaves every string unchanged,
    Chinese included, and no token is ever "unknown".
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


# The held-out files are library modules.  There is twice as much test code, which is
# half a nat easier.  Repeating the modules makes them the larger part.
LIBRARY_REPEATS = 3


@dataclass(frozen=True)
class Text:
    """The training text and the held-out text."""

    tokenizer: PreTrainedTokenizerBase
    train: np.ndarray  # token ids
    held_out: np.ndarray


def settings(start: Path | None = None) -> manifest.Settings:
    """Return everything that the text and its tokens depend on.

    Args:
        start: the pair whose tokenizer is used; None trains one.
    """
    return {
        "standard_library": corpus.fingerprint(),
        "library_repeats": LIBRARY_REPEATS,
        "packages": dependencies.fingerprint(),
        "vocabulary": VOCABULARY_SIZE,
        "tokenizer": start_of(start, "target/tokenizer.json"),
    }


def start_of(start: Path | None, file: str) -> str:
    """Return the hash of a file of the pair in `start`.

    Raises:
        FileNotFoundError: it does not exist.
    """
    digest = "new" if start is None else manifest.digest(start / file)
    if digest is None:
        raise FileNotFoundError(f"there is no {start / file} to start from: name a pair's folder")
    return digest


def prepare(folder: Path, start: Path | None = None) -> Text:
    """Train the tokenizer and store both texts as token ids, unless that is done.

    Args:
        start: the pair whose tokenizer is used; None trains one.

    Raises:
        FileNotFoundError: this Python lacks its sources, or the held-out ones.
    """
    place = folder / "work" / "text"
    made_with = settings(start)
    if not manifest.is_made(place, made_with):
        manifest.make(place, made_with, lambda inside: _write_text(inside, start))
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
    np.save(folder / "train.npy", corpus.encoded(tokenizer, library + tests + packages))
    np.save(folder / "held_out.npy", corpus.encoded(tokenizer, held_out))


QUICK_WINDOWS = 48  # held-out windows during training


def held_out_windows(tokens: np.ndarray, length: int) -> Tensor:
    """Return about `QUICK_WINDOWS` disjoint windows (.., length + 1), spread over the text."""
    starts = np.arange(0, len(tokens) - length - 1, length)
    return windows_at(tokens, starts[:: max(1, len(starts) // QUICK_WINDOWS)], length)


def draw_windows(tokens: np.ndarray, recipe: Recipe | Schooling, seed: int) -> Draw:
    """Return a function that draws random windows of the text, long ones late in the run."""

    def draw(step: int) -> Tensor:
        rng = np.random.default_rng((seed, step))  # so that a resumed run draws the same
        length = recipe.length_at(step)
        starts = rng.integers(0, len(tokens) - length, recipe.batch_tokens // length)
        return windows_at(tokens, starts, length)

    return draw
