"""Has a pair of models learnt the language of a prompt?  Its tokenizer tells.

A tokenizer holds the frequent words of the text that it was made from as one or two tokens; of
a language that it has not seen it knows short pieces or single bytes.
"""

import re
from collections.abc import Callable, Sequence

WORDS = 5  # fewer say nothing
LETTERS = 1.9  # a token; Python and English have more, other languages of Latin letters less
_WORD = re.compile(r"[^\W\d_]+")


def letters_per_token(text: str, encode: Callable[[str], Sequence[int]]) -> float | None:
    """Letters of the words of `text` over the tokens they take; None for too few words.

    Single letters of ASCII are left out, being names; each letter beyond ASCII counts as a word,
    since some scripts have no blanks.
    """
    words = [word for word in _WORD.findall(text) if len(word) > 1 or not word.isascii()]
    wide = sum(not letter.isascii() for word in words for letter in word)
    if len(words) + wide < WORDS:
        return None
    return sum(map(len, words)) / sum(len(encode(f" {word}")) for word in words)


def hardly_learnt(text: str, encode: Callable[[str], Sequence[int]], learnt: str = "") -> str:
    """A sentence for who gives this prompt; "" if the models know its language.

    Args:
        encode: text -> tokens.  Characters as tokens say nothing of a language.
        learnt: what the pair has learnt, if only one thing: "Python".
    """
    letters = letters_per_token(text, encode)
    if letters is None or letters >= LETTERS:
        return ""
    known = f"This pair has learnt {learnt} only" if learnt else "This pair has hardly learnt this"
    pieces = "single bytes" if letters < 1 else f"pieces of {letters:.1f} letters"
    return f"{known}: it reads your prompt in {pieces}. The text will be poor, the speedup too."
