"""Checks of this lesson: the statistics block, here; the others have files of their own."""

from collections.abc import Sequence
from dataclasses import replace

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import round_of, rounds_in_words
from course_utils.decoding.contracts import Round
from course_utils.lessons.qwen3_speculative_decoder.cache_miss import (
    check_on_a_miss,
    on_a_miss,
    placeholders,
)
from course_utils.lessons.qwen3_speculative_decoder.fair_clock import (
    check_fair_speedup,
    fair_speedup,
)
from course_utils.lessons.qwen3_speculative_decoder.stream_check import check_stream

__all__ = [
    "check_fair_speedup",
    "check_on_a_miss",
    "check_statistics",
    "check_stream",
    "fair_speedup",
    "on_a_miss",
    "placeholders",
]

# --- the statistics block ---------------------------------------------------------


def _drafted(rounds: Sequence[Round]) -> int:
    return sum(len(r.drafted) for r in rounds)


def _accepted(rounds: Sequence[Round]) -> int:
    return sum(r.accepted for r in rounds)


def _new(rounds: Sequence[Round]) -> int:
    return sum(len(r.emitted) for r in rounds)


def _count(kind: str, rounds: Sequence[Round]) -> int:
    return sum(r.kinds.count(kind) for r in rounds)


def _statistics(rounds: Sequence[Round], **wrong: int) -> dict[str, int]:
    return {
        "drafted": _drafted(rounds),
        "new": _new(rounds),
        "accepted": _accepted(rounds),
        "examined": _accepted(rounds) + _count("correction", rounds),
    } | wrong


check_statistics = Exercise(
    "statistics",
    # (drafted, accepted) of each round: three corrections, a bonus, a round with no room to draft,
    # and a draft that was accepted up to a stop token.
    cases=[
        (
            [
                *(round_of(*end) for end in ((4, 2), (4, 4), (4, 0), (4, 1), (0, 0))),
                replace(round_of(4, 4), emitted=(5, 5), stop_reason="stop_token"),
            ],
        )
    ],
    right=_statistics,
    mistakes={
        "You count the rounds that drafted. Count every guess that was sent to the target.": (
            lambda rounds: _statistics(rounds, drafted=sum(len(r.drafted) > 0 for r in rounds))
        ),
        "That is what was drafted, not what was emitted.": (
            lambda rounds: _statistics(rounds, new=_drafted(rounds))
        ),
        "You count every emitted token. A correction or a bonus was never drafted.": (
            lambda rounds: _statistics(rounds, accepted=_new(rounds))
        ),
        "You count the corrections as accepted, as the article does. A correction replaces a "
        "guess that was *rejected*.": lambda rounds: _statistics(
            rounds, accepted=_accepted(rounds) + _count("correction", rounds)
        ),
        "You count the bonuses as accepted; they were never drafted.": (
            lambda rounds: _statistics(rounds, accepted=_accepted(rounds) + _count("bonus", rounds))
        ),
        "Those are the drafted tokens. What comes after a rejection is thrown away unexamined.": (
            lambda rounds: _statistics(rounds, examined=_drafted(rounds))
        ),
        "A stop token ended a round: it accepted less than it drafted and rejected nothing. A "
        "rejection is a round with a correction.": lambda rounds: _statistics(
            rounds, examined=sum(r.accepted + (r.accepted < len(r.drafted)) for r in rounds)
        ),
        "A rejected guess was examined, too.": (
            lambda rounds: _statistics(rounds, examined=_accepted(rounds))
        ),
        "You examine the bonus: it is the target's own word and needs no examination.": (
            lambda rounds: _statistics(rounds, examined=_new(rounds))
        ),
    },
    insight="An examined guess was accepted or corrected. A round that a stop token cuts short "
    "has no correction, and r.kinds knows that.",
    parts=("drafted", "new", "accepted", "examined"),
    shown=rounds_in_words,
)
