"""Where a program first went wrong: in the calls that it made, or in what its texts say.

The calls show what no text shows: a session that holds another text, tokens that are read
twice, a pass for each guess.  What is a fault here is one of a decoder that drafts a chain
and keeps its caches; a lossless program may well do otherwise.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from course_utils.decoding.loop import common_prefix
from course_utils.proofs.enumeration import Distribution
from course_utils.proofs.programs import DRAFT, EXTEND, ROLLBACK, TARGET, Call, Malformed, Written

BROKEN = "broken"
SAME = 1e-9  # a smaller distance is the rounding of sums

Tokens = tuple[int, ...]


@dataclass(frozen=True)
class Fault:
    """What is wrong with one round."""

    round: int  # from 0
    kinds: tuple[str, ...]  # of all that is wrong with it, a word or two each
    what: str  # the first of it, a clause that follows "in round n"


@dataclass(frozen=True)
class Deviation:
    """The first place where a text's distribution is not the target's."""

    after: Tokens  # new tokens before the place
    said: tuple[float, ...]  # probability of each token there, by the program
    wanted: tuple[float, ...]  # by the target


def first_fault(
    written: Written,
    max_new_tokens: int,
    stop_tokens: Sequence[int] = (),
    but: Collection[str] = (),
) -> Fault | None:
    """The first thing in a run that is wrong with its calls or with the form of its text, of
    another kind than `but`."""
    text, earlier = written.prompt, []
    if len(written.rounds) > 1 and not any(written.calls[1:]) and "at once" not in but:
        return Fault(0, ("at once",), "all rounds come at once: yield each when it is there")
    for index, calls in enumerate(written.calls):
        over = _is_over(text[len(written.prompt) :], max_new_tokens, stop_tokens)
        if over:
            return Fault(index, ("end",), f"the text goes on after {over}")
        whole, emitted = index < len(written.rounds), ()
        if whole:
            emitted = written.rounds[index]
        found = list(_of_calls(text, emitted, calls, earlier))
        room = max_new_tokens - (len(text) - len(written.prompt))
        if whole:
            found += _of_text(text, emitted, calls, room, stop_tokens)
        else:
            found.append((BROKEN, _how_it_broke(written.error)))
        text, earlier = text + emitted, [*earlier, *calls]
        found = [(kind, what) for kind, what in found if kind not in but]
        if found:
            return Fault(index, tuple(kind for kind, _ in found), found[0][1])
    if not _is_over(written.tokens, max_new_tokens, stop_tokens):
        what = f"the text ends after {len(written.tokens)} of {max_new_tokens} tokens"
        return Fault(max(0, len(written.rounds) - 1), ("end",), f"{what}, without a stop token")
    return None


def _how_it_broke(error: Exception | None) -> str:
    name = "" if isinstance(error, Malformed) else f"{type(error).__name__}: "
    return f"it broke off: {name}{error}"


def guessed(text: Tokens, calls: Sequence[Call]) -> Tokens:
    """What the target read beyond the committed `text` in a round's calls: the guesses."""
    read = [call.after for call in calls if call.who == TARGET and call.does == EXTEND]
    return max(read, key=len, default=())[len(text) :]


def first_deviation(said: Distribution, truth: Distribution) -> Deviation | None:
    """The shortest beginning after which the next token has another distribution than the
    target's, of those the one where most probability is misplaced; None if there is none."""
    size = 1 + max(token for text in {*said, *truth} for token in text)
    for length in range(max(map(len, {*said, *truth}))):
        found = [
            (_apart(*rows), beginning, rows)
            for beginning in {text[:length] for text in truth if len(text) > length}
            if (rows := [_next(texts, beginning, size) for texts in (said, truth)])
        ]
        most, beginning, rows = max(found)
        if most > SAME:
            return Deviation(beginning, *(tuple(x / (sum(row) or 1) for x in row) for row in rows))
    return None


def _next(texts: Distribution, beginning: Tokens, size: int) -> list[float]:
    """Of each token the probability of `beginning` and then it: (vocabulary,)"""
    row, length = [0.0] * size, len(beginning)
    for text, weight in texts.items():
        if len(text) > length and text[:length] == beginning:
            row[text[length]] += weight
    return row


def _apart(said: Sequence[float], wanted: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(said, wanted, strict=True)) / 2


def _is_over(tokens: Tokens, most: int, stop_tokens: Sequence[int]) -> str:
    """Why nothing may follow `tokens`; "" if something may."""
    if any(token in stop_tokens for token in tokens):
        return "its stop token"
    return f"the {most} tokens that were asked for" if len(tokens) >= most else ""


def _of_calls(
    text: Tokens, emitted: Tokens, calls: Sequence[Call], earlier: Sequence[Call]
) -> Iterator[tuple[str, str]]:
    """(kind, what) of each fault; `earlier` are the calls of the rounds before."""
    guesses = guessed(text, calls)
    for who in DRAFT, TARGET:  # as a round goes
        mine = [call for call in calls if call.who == who and call.does != ROLLBACK]
        for call in mine:
            yield from _other_text(text, guesses, emitted, call)
        passes = [call for call in mine if call.does == EXTEND]
        if who == TARGET and len(passes) > 1:
            what = f"the target was asked {len(passes)} times: one pass scores all guesses"
            yield "passes", what
        again = _read_again((*text, *guesses), text, mine, [c for c in earlier if c.who == who])
        if again:
            what = f"the {who} reads {_tokens(again)} that it had read before"
            yield "again", f"{what}: what a session holds need not be read again"


def _read_again(
    expected: Tokens, text: Tokens, calls: Sequence[Call], earlier: Sequence[Call]
) -> int:
    """Tokens that are given a second time.  The text's last may be: its row is needed."""
    known = max((common_prefix(call.after, text[:-1]) for call in earlier), default=0)
    again = 0
    for call in calls:
        again += max(0, min(len(call.after), known) - len(call.held))
        known = max(known, common_prefix(call.after, expected))
    return again


def _tokens(count: int) -> str:
    return f"{count} token" + "s" * (count != 1)


def _other_text(
    text: Tokens, guesses: Tokens, emitted: Tokens, call: Call
) -> Iterator[tuple[str, str]]:
    """Does the session read anything but the text and what may come after it?"""
    read, expected = call.after, (*text, *guesses)
    if read == (*text, *emitted)[: len(read)]:
        expected = (*text, *emitted)
    place = common_prefix(read, expected)
    if place == min(len(read), len(expected)):
        if call.does == EXTEND and len(read) < len(text):
            what = f"the {call.who} had read {len(read)} of the text's {len(text)} tokens"
            yield f"{call.who} behind", f"{what} when it was asked for the next one"
        return
    stale = place < len(call.held)
    has = f"still holds token {read[place]}" if stale else f"was given token {read[place]}"
    where = f"at place {place}, where the text has {expected[place]}"
    why = ": what was rejected is not rolled back" if stale else ""
    yield f"{call.who} {'stale' if stale else 'misread'}", f"the {call.who} {has} {where}{why}"


def _of_text(
    text: Tokens, emitted: Tokens, calls: Sequence[Call], room: int, stop_tokens: Sequence[int]
) -> Iterator[tuple[str, str]]:
    guesses = guessed(text, calls)
    if not any(call.who == TARGET and call.does == EXTEND for call in calls):
        what = "the target was not asked at all: all new tokens of a round come together"
        yield "unasked", what
    if not emitted:
        yield "empty", "it adds no token, where each round adds one of the target's own at least"
    stops = [i for i, token in enumerate(emitted[:-1]) if token in stop_tokens]
    if stops:
        yield "stop", f"it adds {len(emitted) - 1 - stops[0]} tokens after a stop token"
    if len(guesses) >= room > 0:
        what = f"it guesses {_tokens(len(guesses))} where there is room for {room}"
        yield "ahead", f"{what}: a round can add one more than it guesses"
    if len(emitted) > room:
        yield "budget", f"it adds {len(emitted)} tokens, where there was room for {room}"
    if len(emitted) > len(guesses) + 1:
        yield "unverified", f"it adds {len(emitted)} tokens, and {len(guesses)} were verified"
    if guesses and emitted == guesses and len(emitted) < room and emitted[-1] not in stop_tokens:
        what = "all guesses are accepted, and the target's row after them is not used"
        yield "bonus", f"{what}: it holds one more token"
