"""What a decoder has read in place of its prompt: a sentence for each way to get it wrong."""

from collections.abc import Sequence
from itertools import groupby

Tokens = tuple[int, ...]

FIRST_DROPPED = (
    "The target never reads the prompt's first token. Start its session with `prompt[:-1]`: only "
    "the last token waits, for its row."
)
LAST_ONLY = (
    "The target reads only the last tokens of the prompt. The text depends on all of it: what a "
    "session is not given, the model does not know."
)
FIRST_ONLY = (
    "The target reads only the first tokens of the prompt. The new text follows its last token."
)
BACKWARDS = "The target reads the prompt backwards. Hand its tokens on in their order."
SORTED = "The target reads the prompt's tokens sorted. Their order is the text: leave it."
MIXED_UP = "The target reads the prompt's tokens in another order. Leave it as it is."
DEDUPLICATED = (
    "The target reads each token of the prompt once: a set, or a dict's keys, forget repetitions. "
    "They are a part of the text."
)
PADDED = (
    "The target reads something before the prompt. Add nothing to it, no padding and no token "
    "that begins a text: a model that wants one has it in its prompt."
)
WINDOW = (
    "You cut the text to a window of its last tokens, so that what is said depends on less of it. "
    "The only such limit is `context`, the most that a model can read."
)
OTHER = "The target reads other tokens than those of the prompt. Hand on `prompt` itself."


def misread(prompt: Tokens, read: Tokens, guesses: int) -> str:
    """How the text that a target read in its first pass, which does not begin with the prompt,
    differs from the prompt and so many guesses."""
    read = read[: len(read) - guesses]
    if read in _without_repetitions(prompt):
        return DEDUPLICATED
    if read == prompt[1:]:
        return FIRST_DROPPED
    if read == prompt[len(prompt) - len(read) :]:
        return LAST_ONLY
    if read == prompt[: len(read)]:
        return FIRST_ONLY
    if read == prompt[::-1]:
        return BACKWARDS
    if sorted(read) == sorted(prompt):
        ordered = sorted(read)
        return SORTED if list(read) in (ordered, ordered[::-1]) else MIXED_UP
    return PADDED if read[-len(prompt) :] == prompt else OTHER


def windowed(text: Tokens, read: Tokens) -> str | None:
    """The same for a later round: did the target read an ending of `text` in place of it?"""
    endings = (text[cut:] for cut in range(1, len(text) - 1))  # of two tokens at least
    return WINDOW if any(read[: len(ending)] == ending for ending in endings) else None


def _without_repetitions(prompt: Tokens) -> Sequence[Tokens]:
    return (
        tuple(dict.fromkeys(prompt)),
        tuple(sorted({*prompt})),
        tuple(token for token, _ in groupby(prompt)),
    )
