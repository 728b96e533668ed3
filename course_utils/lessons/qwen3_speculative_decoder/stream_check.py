"""The check of a stream: rounds of bytes, and what is on the screen after each of them.

A token is a byte of UTF-8, 0 ends the text, and a round takes a quarter of a second.  What
counts is what is shown before the next round is asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.qwen3_speculative_decoder.streaming import UNFINISHED, Tokens, stream

END = 0  # the stop token
START, A_ROUND = 3.0, 0.25  # seconds on the clock


class _Stage:
    """Rounds that take time, and a screen that notes what it shows after which of them."""

    def __init__(self, rounds: Sequence[Tokens]):
        self._rounds = rounds
        self.now = START
        self.shown: list[str] = []  # by round

    def rounds(self) -> Iterator[list[int]]:
        for new in self._rounds:
            self.now += A_ROUND
            self.shown.append("")
            yield list(new)

    def show(self, text: str = "", *more: object, **how: object) -> None:
        if not self.shown:
            self.shown.append("")
        self.shown[-1] += text

    def clock(self) -> float:
        return self.now


def decode_bytes(tokens: Iterable[int]) -> str:
    """A token is a byte; the stop token is spelt out."""
    spelt = (b"<end>" if token == END else bytes([token]) for token in tokens)
    return b"".join(spelt).decode("utf-8", "replace")


def _asked(attempt: Callable, *rounds: Tokens) -> object:
    stage = _Stage(rounds)
    said = attempt(stage.rounds(), decode_bytes, stage.show, (END,), stage.clock)
    return said | {"shown": stage.shown} if isinstance(said, dict) else said


def _no_numbers(said: object, *rounds: Tokens) -> str | None:
    if isinstance(said, dict) and said.keys() >= {"rounds", "tokens", "seconds"}:
        return None
    return "Return a dict with rounds, tokens and seconds; the text itself is handed to `show`."


# --- mistakes, each a stream that does one thing otherwise ---------------------------------

Seen = Sequence[list[int]]  # the tokens of each round so far, up to the stop token
Piece = Callable[[Callable, Seen], str]  # (decode, seen) -> what is shown after a round


def _text(decode: Callable, seen: Seen, rounds: int | None = None) -> str:
    """Of the first `rounds` rounds, with what is unfinished."""
    return decode([token for new in seen[:rounds] for token in new])


def _new(strip: Callable[[str], str]) -> Piece:
    """What the last round adds to strip(text)."""
    return lambda decode, seen: strip(_text(decode, seen))[len(strip(_text(decode, seen, -1))) :]


def _finished(text: str) -> str:
    return text.rstrip(UNFINISHED)


def _held_back(decode: Callable, seen: Seen) -> str:
    """Nothing of a round before all its characters are finished."""
    whole = [i for i in range(len(seen) + 1) if not _text(decode, seen, i).endswith(UNFINISHED)]
    if whole[-1] < len(seen):
        return ""
    return _text(decode, seen)[len(_text(decode, seen, whole[-2])) :]


def _rest(decode: Callable, seen: Seen) -> str:
    text = _text(decode, seen)
    return text[len(_finished(text)) :]


def _up_to_stop(new: Tokens, stop_tokens: Tokens) -> tuple[list[int], bool]:
    stops = [i for i, token in enumerate(new) if token in stop_tokens]
    return (list(new[: stops[0]]), True) if stops else (list(new), False)


def _streamed(
    piece: Piece = _new(_finished), last: Piece = _rest, cut: Callable = _up_to_stop
) -> Callable:
    """A student who shows `piece` after each round, `last` at the end, and ends as `cut` says."""

    def attempt(rounds, decode, show, stop_tokens, clock):
        start, seen, ended = clock(), [], False
        for new in rounds:
            kept, ended = cut(new, stop_tokens)
            seen.append(kept)
            show(piece(decode, seen))
            if ended:
                break
        show(last(decode, seen))
        tokens = sum(map(len, seen)) + ended
        return {"rounds": len(seen), "tokens": tokens, "seconds": clock() - start}

    return attempt


def _but(**wrong: Callable) -> Callable:
    """A student whose numbers are wrong: wrong[part](the right ones)."""

    def attempt(*given):
        said = stream(*given)
        return said | {part: make(said) for part, make in wrong.items()}

    return attempt


def _asks_on(rounds, *given):
    """What comes after the stop token is thrown away, but asked for."""
    said = stream(rounds, *given)
    next(rounds, None)
    return said


def _stop_not_counted(rounds, *given):
    taken: list[int] = []

    def noted() -> Iterator[Tokens]:
        for new in rounds:
            taken.extend(new)
            yield new

    said = stream(noted(), *given)
    return said | {"tokens": said["tokens"] - (END in taken)}


def _starts_late(rounds, decode, show, stop_tokens, clock):
    said = stream(rounds, decode, show, stop_tokens, clock)
    return said | {"seconds": said["seconds"] - A_ROUND}


check_stream = Exercise(
    "stream",
    cases=[
        ([72, 105], [33, 10, 32], [79, 107]),  # "Hi", "!\n ", "Ok"
        ([97, 228], [186], [186, 229, 183], [165, 98]),  # "a人工b", in four rounds
        ([240, 159], [152, 128, 33]),  # an emoji of four bytes
        ([97, 255, 98], [99, 228, 186]),  # bytes that are no character, within and at the end
        ([72, 105], [33, END, 97], [98, 99]),  # goes on after the end
    ],
    right=stream,
    mistakes={
        "You decode each round by itself, so a character whose bytes come in two rounds breaks. "
        "Decode all tokens so far, and show what is new.": (
            _streamed(lambda decode, seen: decode(seen[-1]), lambda *_: "")
        ),
        "You decode each token by itself, and a character of several bytes is never one token. "
        "Decode all tokens so far, and show what is new.": _streamed(
            lambda decode, seen: "".join(decode([token]) for token in seen[-1]), lambda *_: ""
        ),
        "You show the whole text again after each round. Show only what is new.": _streamed(
            lambda decode, seen: _finished(_text(decode, seen))
        ),
        "You show a character before all its bytes are there: an unfinished one is decoded as "
        "\ufffd. Let it wait for the next round.": _streamed(_new(str), lambda *_: ""),
        "You show the text when all is over. Show what is new after each round.": _streamed(
            lambda *_: "", _text
        ),
        "You hold back a whole round for one unfinished character. Only that character has to "
        "wait; show what stands before it.": _streamed(_held_back),
        "At the end something is missing: bytes that wait for a rest which never comes. Show what "
        "is left.": _streamed(last=lambda *_: ""),
        "You take out every \ufffd. Only the ones at the end of the text may still become a "
        "character; one in the middle is what the models said.": _streamed(
            _new(lambda text: text.replace(UNFINISHED, "")), lambda *_: ""
        ),
        "You go on after the stop token. It ends the text.": _streamed(
            cut=lambda new, stop_tokens: (list(new), False)
        ),
        "You show the stop token. It ends the text and is no part of it.": _streamed(
            cut=lambda new, stop_tokens: (
                (kept := _up_to_stop(new, stop_tokens))[0] + [END] * kept[1],
                kept[1],
            )
        ),
        "You show what stands behind the stop token in the same round. The text ends before "
        "it.": _streamed(cut=lambda new, stop_tokens: (list(new), END in new)),
        "After the stop token you ask for one round more. It is the most expensive way to find out "
        "that nothing more is wanted: leave the loop.": _asks_on,
        "That is the number of tokens, not of rounds.": _but(rounds=lambda said: said["tokens"]),
        "The stop token is a new token as well: count it.": _stop_not_counted,
        "That is the number of rounds, not of tokens.": _but(tokens=lambda said: said["rounds"]),
        "No time has passed: read the clock once before the loop and once after it.": _but(
            seconds=lambda said: 0.0
        ),
        "You start the clock after the first round, which takes the longest: it reads the "
        "prompt.": _starts_late,
        "That is what the clock shows at the end. Subtract what it showed at the start.": _but(
            seconds=lambda said: said["seconds"] + START
        ),
        "That is seconds per token. Return the seconds of the whole text.": _but(
            seconds=lambda said: said["seconds"] / said["tokens"]
        ),
        "That is tokens per second. Return the seconds.": _but(
            seconds=lambda said: said["tokens"] / said["seconds"]
        ),
    },
    insight="Text comes in bursts, a round at a time, and nobody waits for a byte that is already "
    "certain.",
    ask=_asked,
    form=_no_numbers,
    parts=("shown", "rounds", "tokens", "seconds"),
    shown=lambda *rounds: f"rounds of the bytes {', '.join(map(str, rounds))}",
)
