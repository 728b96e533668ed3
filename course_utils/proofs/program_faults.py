"""The first fault of a program, in its model calls or in the distribution of its texts.

The calls reveal what texts do not: a session with another text, tokens read twice, a pass per
guess.  These count as faults for a decoder that drafts chains and keeps its caches; a program
can have them and be lossless.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from course_utils.decoding.sessions import common_prefix
from course_utils.proofs.enumeration import Distribution
from course_utils.proofs.programs import (
    DRAFT,
    EXTEND,
    ROLLBACK,
    TARGET,
    Call,
    RecordedRound,
)

BROKEN = "broken off"
SAME = 1e-9  # smaller distances are rounding

Tokens = tuple[int, ...]
Finding = tuple[str, str]  # kind and description of a fault


@dataclass(frozen=True)
class Fault:
    """The faults of one round."""

    round: int  # from 0
    kinds: tuple[str, ...]  # the kinds of all faults, a word or two each
    what: str  # the first fault, a clause that follows "in round n"


@dataclass(frozen=True)
class Deviation:
    """The first place where a text's distribution differs from the target's."""

    after: Tokens  # new tokens before the place
    observed: tuple[float, ...]  # probability of each token there, by the program
    wanted: tuple[float, ...]  # by the target


def first_fault(
    rounds: Sequence[RecordedRound], exam: Any, but: Collection[str] = ()
) -> Fault | None:
    """Return the first fault in a run of a `decoders.Exam`, in its calls or the form of its text,
    except kinds in `but`."""
    text, new, earlier = exam.prompt, Tokens(), list[Call]()
    for index, r in enumerate(rounds):
        room, stop_tokens = exam.length - len(new), exam.stop_tokens
        if room <= 0 or {*new} & {*stop_tokens}:
            return Fault(index, ("end",), "the text continues after its last token")
        findings = list(_of_calls(text, r.emitted, r.calls, earlier))
        if r.error:
            findings.append((BROKEN, f"it broke off: {type(r.error).__name__}: {r.error}"))
        else:
            findings += _of_text(text, r.emitted, r.calls, room, stop_tokens)
        text, new, earlier = text + r.emitted, new + r.emitted, [*earlier, *r.calls]
        findings = [(kind, what) for kind, what in findings if kind not in but]
        if findings:
            return Fault(index, tuple(kind for kind, _ in findings), findings[0][1])
    if len(new) < exam.length and not {*new} & {*exam.stop_tokens}:
        what = f"the text ends after {len(new)} of {exam.length} tokens, without a stop token"
        return Fault(max(0, len(rounds) - 1), ("end",), what)
    return None


def guessed(text: Tokens, calls: Sequence[Call]) -> Tokens:
    """Return the guesses: what the target read after the committed `text` in a round's calls."""
    read = [call.after for call in calls if call.who == TARGET and call.does == EXTEND]
    return max(read, key=len, default=())[len(text) :]


def first_deviation(
    texts: Distribution, truth: Distribution, beyond: float = SAME
) -> Deviation | None:
    """Return the shortest prefix after which the next token's distribution is not the target's,
    and among those the one with the most misplaced probability; None if there is none.

    Args:
        texts: if their probabilities sum to less than 1, more is known to be missing.
        beyond: the misplaced probability that is still rounding.
    """
    both = {*texts, *truth}
    size, whole = 1 + max(token for text in both for token in text), fsum(texts.values()) > 1 - SAME
    for length in range(max(map(len, both))):
        rows = {text[:length]: np.zeros((2, size)) for text in truth if len(text) > length}
        for i, distribution in enumerate((texts, truth)):
            for text, weight in distribution.items():
                if len(text) > length and text[:length] in rows:
                    rows[text[:length]][i, text[length]] += weight
        if not rows:  # one side's texts are longer than all of the other's
            break
        for row in rows.values():
            row[0] = row[0] if whole else row.max(0)  # only too much is certain
        apart = {beginning: abs(a - b).sum() / 2 for beginning, (a, b) in rows.items()}
        worst = max(apart, key=lambda beginning: apart[beginning])
        if apart[worst] > beyond:
            return Deviation(worst, *(tuple(x / rows[worst][1].sum()) for x in rows[worst]))
    return first_deviation(texts, truth) if beyond > SAME else None  # the sum of many small ones


def _of_calls(
    text: Tokens, emitted: Tokens, calls: Sequence[Call], earlier: Sequence[Call]
) -> Iterator[Finding]:
    """Yield faults of a round's calls; `earlier` are the calls of the rounds before."""
    guesses = guessed(text, calls)
    for who in DRAFT, TARGET:  # the order within a round
        reads = [call for call in calls if call.who == who and call.does != ROLLBACK]
        passes = sum(call.does == EXTEND for call in reads)
        if who == TARGET and passes > 1:
            yield "passes", f"the target is called {passes} times: one pass scores all guesses"
        for call in reads:
            yield from _other_text(text, guesses, emitted, call)
        again = _read_again((*text, *guesses), text, reads, [c for c in earlier if c.who == who])
        if again:
            what = f"the {who} reads tokens again that it had read before, {again} in all"
            yield "again", f"{what}: tokens in a session need not be read again"


def _read_again(
    expected: Tokens, text: Tokens, calls: Sequence[Call], earlier: Sequence[Call]
) -> int:
    """Count tokens read a second time, except the text's last one, whose row is needed."""
    known = max((common_prefix(call.after, text[:-1]) for call in earlier), default=0)
    again = 0
    for call in calls:
        again += max(0, min(len(call.after), known) - len(call.before))
        known = max(known, common_prefix(call.after, expected))
    return again


def _other_text(text: Tokens, guesses: Tokens, emitted: Tokens, call: Call) -> Iterator[Finding]:
    """Yield a fault if the session reads anything but the text and its continuation."""
    read, expected = call.after, (*text, *guesses)
    if read == (*text, *emitted)[: len(read)]:
        expected = (*text, *emitted)
    place = common_prefix(read, expected)
    if place == min(len(read), len(expected)):
        if call.does == EXTEND and len(read) < len(text):
            what = f"the {call.who} had read {len(read)} of the text's {len(text)} tokens"
            yield f"{call.who} behind", f"{what} when its row for the next one was computed"
        return
    stale = place < len(call.before)
    has = f"still has token {read[place]}" if stale else f"reads token {read[place]}"
    where = f"at position {place} (from 0), where the text has {expected[place]}"
    why = ": a rejected token is not rolled back" if stale else ""
    if place == len(call.before) < len(text):
        why = f": it had read {place} tokens, and must be given all that it lacks"
    yield f"{call.who} {'stale' if stale else 'misread'}", f"the {call.who} {has} {where}{why}"


def _of_text(
    text: Tokens, emitted: Tokens, calls: Sequence[Call], room: int, stop_tokens: Sequence[int]
) -> Iterator[Finding]:
    guesses = guessed(text, calls)
    stops = [i for i, token in enumerate(emitted[:-1]) if token in stop_tokens]
    if stops:
        yield "stop", f"tokens follow a stop token in one round: {len(emitted) - 1 - stops[0]}"
    if len(guesses) >= room > 0:
        what = f"it makes {len(guesses)} guesses, but there is room for {room} tokens"
        yield "ahead", f"{what}: a round can add one more than it guesses"
    if len(emitted) > room:
        yield "budget", f"it adds {len(emitted)} tokens, but there was room for {room}"
