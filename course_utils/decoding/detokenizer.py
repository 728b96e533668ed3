"""From tokens to text while they come: no space lost, no half character shown, no stop string.

A token cannot be decoded alone: some tokenizers drop the space before a first word, others join
"##ing" to what stands before it, and a byte-level token may hold a third of a Chinese character.
So each is decoded with those before it, and what it adds is the difference, as in vLLM.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from course_utils.decoding.contracts import Round

Decode = Callable[[list[int]], str]
HALF_A_CHARACTER = "\ufffd"
BEFORE = 8  # tokens of a prompt that are decoded again with the first one behind it


class Detokenizer:
    """Tokens in, text out, as it becomes readable.

    A token costs the same wherever it stands.  Together the pieces are `decode(tokens)`, if more
    tokens change no character of a text but the half one at its end.  That holds for byte-level
    tokens, metaspaces and WordPiece.  It fails in one place: `ByteFallback` withdraws all
    characters of a run of bytes that turns out to be no UTF-8; what was shown of them stays here.

    Args:
        before: the tokens that the text continues; their own text is not given again.
    """

    def __init__(self, decode: Decode, before: Sequence[int] = ()):
        self._decode = decode
        self._shown = list(before[-BEFORE:])  # the last tokens with a text
        self._waiting: list[int] = []

    def push(self, token: int) -> str:
        """The text that `token` completes; empty in the middle of a character."""
        self._waiting.append(token)
        piece = self._added()
        if not piece or piece.endswith(HALF_A_CHARACTER):
            return ""
        self._shown, self._waiting = self._waiting, []
        return piece

    def rest(self) -> str:
        """What is left when no more tokens come."""
        return self._added() if self._waiting else ""

    def _added(self) -> str:
        text = self._decode(self._shown) if self._shown else ""
        return self._decode(self._shown + self._waiting)[len(text) :]


def pieces(tokens: Sequence[int], decode: Decode, before: Sequence[int] = ()) -> list[str]:
    """The text each token adds to that of `before`; together, the whole text."""
    detokenizer = Detokenizer(decode, before)
    texts = [detokenizer.push(token) for token in tokens]
    if texts:
        texts[-1] += detokenizer.rest()
    return texts


class StopStrings:
    """Lets a text through, piece by piece, up to the first place where a stop string has ended.

    The text is cut before that string, as by vLLM and OpenAI.  What may be the beginning of one
    waits until it is known.  So the text is the same however it is cut into pieces.

    Raises:
        ValueError: one of `strings` is empty.
    """

    def __init__(self, strings: Sequence[str]):
        if not all(strings):
            raise ValueError("a stop string is empty: give the text at which to stop")
        self._strings = strings
        self._waiting = ""
        self.ended = False

    def push(self, piece: str) -> str:
        """What may be shown now."""
        text = self._waiting + piece
        starts = [(text.find(s) + len(s), text.find(s)) for s in self._strings if s in text]
        if starts:
            self.ended, self._waiting = True, ""
            return text[: min(starts)[1]]
        begun = (k for s in self._strings for k in range(1, len(s)) if text.endswith(s[:k]))
        ready = len(text) - max(begun, default=0)
        self._waiting = text[ready:]
        return text[:ready]

    def rest(self) -> str:
        """What was held back when no more text comes."""
        text, self._waiting = self._waiting, ""
        return text


def stream_text(
    rounds: Iterable[Round],
    decode: Decode,
    *, before: Sequence[int] = (), stop_strings: Sequence[str] = (),
) -> Iterator[tuple[Round, list[str]]]:  # fmt: skip
    """Each round of `generate` with the text that each of its tokens completes.

    The texts end before the first of `stop_strings`, wherever in a round that is complete.  The
    token that completes it is the last one emitted, and `stop_reason` is then "stop_string".  How
    much is drafted never depends on it, so what is emitted up to there has the target's
    distribution.

    Args:
        before: the prompt's tokens.

    Raises:
        ValueError: a stop string is empty.
    """
    strings = (stop_strings,) if isinstance(stop_strings, str) else stop_strings
    detokenizer, until = Detokenizer(decode, before), StopStrings(strings)
    for done in rounds:
        texts: list[str] = []
        for token in done.emitted:
            texts.append(until.push(detokenizer.push(token)))
            if until.ended:
                break
        if done.stop_reason and not until.ended:
            texts[-1] += until.push(detokenizer.rest())
        if until.ended:
            emitted = done.emitted[: len(texts)]
            yield replace(done, emitted=emitted, stop_reason="stop_string"), texts
            return
        if done.stop_reason:
            texts[-1] += until.rest()
        yield done, texts
