"""Streaming tokens as text: without a lost space, half a character or a stop string.

A token cannot be decoded alone: some tokenizers drop the space before a first word, others join
"##ing" to the token before it, and a byte-level token may be a third of a Chinese character.
So each token is decoded together with those before it, and its text is the difference, as in vLLM.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from course_utils.decoding.contracts import Round

Decode = Callable[[list[int]], str]
HALF_A_CHARACTER = "\ufffd"
BEFORE = 8  # prompt tokens that are decoded together with the first new one
LONGEST_WAIT = 16  # tokens; a character has four bytes at most, so more are no character's
BYTES = 3  # of a character that lacks the last one


class Detokenizer:
    """Tokens in, text out, as soon as it is readable.

    What a token costs does not grow with the text.  The pieces add up to `decode(tokens)`
    if later tokens change nothing but an incomplete character at the end.  That is true for
    byte-level tokens, metaspaces and WordPiece, with one exception: `ByteFallback` withdraws all
    characters of a run of bytes that is not UTF-8; here, those already shown stay.

    Args:
        before: the tokens that the text continues; their text is not repeated.
    """

    def __init__(self, decode: Decode, before: Sequence[int] = ()):
        self._decode = decode
        self._decoded = list(before[-BEFORE:])  # the last tokens with a text
        self._waiting: list[int] = []
        self._returned = 0  # characters of the waiting tokens that were returned

    def push(self, token: int) -> str:
        """Return the text that `token` completes; empty in the middle of a character."""
        self._waiting.append(token)
        added, start = self._added(), self._returned
        if added and not added.endswith(HALF_A_CHARACTER):
            self._decoded, self._waiting, self._returned = self._waiting, [], 0
            return added[start:]
        if len(self._waiting) <= LONGEST_WAIT:
            return ""
        self._waiting = [token for token in self._waiting if self._decode([token])]
        if len(self._waiting) <= LONGEST_WAIT:  # the others have no text
            return ""
        # invalid bytes, or tokens that each end inside a character: only the end may still change
        ready = max(start, len(added) - BYTES)
        del self._waiting[: -(LONGEST_WAIT // 2)]
        self._returned = max(0, len(self._added()) - (len(added) - ready))
        return added[start:ready]

    def rest(self) -> str:
        """Return the remaining text when there are no more tokens."""
        return self._added()[self._returned :] if self._waiting else ""

    def _added(self) -> str:
        text = self._decode(self._decoded) if self._decoded else ""
        return self._decode(self._decoded + self._waiting)[len(text) :]


def pieces(tokens: Sequence[int], decode: Decode, before: Sequence[int] = ()) -> list[str]:
    """Return the text that each token adds to that of `before`; together, the whole text."""
    detokenizer = Detokenizer(decode, before)
    texts = [detokenizer.push(token) for token in tokens]
    if texts:
        texts[-1] += detokenizer.rest()
    return texts


class StopStrings:
    """Pass a text on, piece by piece, up to the first complete stop string.

    The text is cut before that string, as in vLLM and OpenAI's API.  A possible beginning of a
    stop string is withheld until that is decided, so the text does not depend on its pieces.

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
        """Return the text that may be shown now."""
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
        """Return the withheld text when there is no more."""
        text, self._waiting = self._waiting, ""
        return text


def stream_text(
    rounds: Iterable[Round],
    decode: Decode,
    *, before: Sequence[int] = (), stop_strings: Sequence[str] = (),
) -> Iterator[tuple[Round, list[str]]]:  # fmt: skip
    """Yield each round of `generate` with the text that each of its tokens completes.

    The text ends before a stop token, and before the first of `stop_strings`, even in the middle
    of a round.  The token that completes the string is the last one emitted, and `stop_reason` is
    "stop_string".  The number of drafted tokens does not depend on it, so the emitted text has the
    target's distribution.

    Args:
        before: the prompt's tokens.

    Raises:
        ValueError: a stop string is empty.
    """
    strings = (stop_strings,) if isinstance(stop_strings, str) else stop_strings
    detokenizer, until = Detokenizer(decode, before), StopStrings(strings)
    for done in rounds:
        texts: list[str] = []
        stopped = done.stop_reason == "stop_token"
        for token in done.emitted[: len(done.emitted) - stopped]:
            texts.append(until.push(detokenizer.push(token)))
            if until.ended:
                break
        if stopped and not until.ended:
            texts.append("")  # the stop token's
        if done.stop_reason and not until.ended:
            texts[-1] += until.push(detokenizer.rest())
        if until.ended:
            emitted = done.emitted[: len(texts)]
            yield replace(done, emitted=emitted, stop_reason="stop_string"), texts
            return
        if done.stop_reason:
            texts[-1] += until.rest()
        yield done, texts
