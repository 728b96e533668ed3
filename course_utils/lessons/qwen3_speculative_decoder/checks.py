"""Checks of this lesson: the statistics block, the choice of gamma, a true count; the decoder."""

from collections.abc import Callable, Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import round_of, rounds_in_words
from course_utils.decoding.contracts import Round
from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.lessons.qwen3_speculative_decoder.decoder_check import check_speculate

__all__ = ["check_fastest_gamma", "check_speculate", "check_statistics", "check_true_accepted"]

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
    # (drafted, accepted) of each round: three corrections, a bonus, and a last round with no
    # room to draft.  None is cut by a stop token: whether a guess behind it counts as examined
    # is a matter of definition that the task leaves open.
    cases=[([round_of(*end) for end in ((4, 2), (4, 4), (4, 0), (4, 1), (0, 0))],)],
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

# --- the fastest gamma ---------------------------------------------------------------


def _linear(slope: float) -> Callable[[int], float]:
    return lambda k: 1 + slope * (k - 1)


def _table(*values: float) -> Callable[[int], float]:
    return lambda k: values[k - 1]


def _speedup(gamma: int, alpha: float, c: float, v: Callable, o: float) -> float:
    return speedup_with_costs(expected_tokens(alpha, gamma), gamma, c, v, o)


def _fastest(speed: Callable) -> Callable:
    """A student who takes the gamma with the highest speed(gamma, alpha, c, v, o)."""
    return lambda *machine: max(range(1, 9), key=lambda gamma: speed(gamma, *machine))


check_fastest_gamma = Exercise(
    "fastest_gamma",
    # alpha, c, v, o: each likely mistake picks another gamma somewhere
    cases=[
        (0.8, 0.1, _linear(0.15), 0.5),
        (0.6, 0.1, _linear(0.0), 0.0),
        (0.9, 0.05, _table(1, 1, 1.1, 1.1, 1.1, 3, 3.5, 4, 4.5), 0.2),
        (0.7, 0.3, _linear(0.05), 2.0),
        (0.3, 0.2, _linear(0.3), 0.0),
    ],
    right=_fastest(_speedup),
    mistakes={
        "The largest gamma always gives the most tokens per round. Divide by what the round "
        "costs.": _fastest(lambda gamma, alpha, c, v, o: expected_tokens(alpha, gamma)),
        "The pass holds one token more than was drafted: v(gamma + 1), not v(gamma).": _fastest(
            lambda gamma, alpha, c, v, o: _speedup(gamma, alpha, c, lambda k: v(k - 1), o)
        ),
        "You take verification to cost one forward, v = 1. On this machine it does not.": (
            _fastest(lambda gamma, alpha, c, v, o: _speedup(gamma, alpha, c, lambda k: 1, o))
        ),
        "You left out o, the host's time per round: the larger it is, the more a round should "
        "draft.": _fastest(lambda gamma, alpha, c, v, o: _speedup(gamma, alpha, c, v, 0)),
        "Drafting gamma tokens takes gamma draft forwards: gamma times c.": (
            _fastest(lambda gamma, alpha, c, v, o: _speedup(gamma, alpha, c / gamma, v, o))
        ),
        "One too small: is it the index in a list that you return? Lists begin at 0, gamma at 1.": (
            lambda *machine: _fastest(_speedup)(*machine) - 1
        ),
        "That is the highest speedup. Return the gamma that reaches it.": (
            lambda *machine: max(_speedup(gamma, *machine) for gamma in range(1, 9))
        ),
    },
    insight="The best gamma belongs to a pair, a text and a machine: alpha, c, v and o all "
    "move it.",
    shown=lambda alpha, c, v, o: f"alpha={alpha}, c={c}, v(2)={v(2):.3g}, v(9)={v(9):.3g}, o={o}",
)

# --- the true count ---------------------------------------------------------------

check_true_accepted = Exercise(
    "true_accepted",
    # counted as accepted, rounds, rounds in which every guess was accepted
    cases=[(32, 10, 5), (32, 10, 0), (50, 12, 7)],
    right=lambda counted, rounds, full: counted - (rounds - full),
    mistakes={
        "That is the miscount itself: take the corrections out.": (
            lambda counted, rounds, full: counted
        ),
        "Not every round has a correction: a fully accepted one has none.": (
            lambda counted, rounds, full: counted - rounds
        ),
        "It is the other way round: the fully accepted rounds are those *without* a correction.": (
            lambda counted, rounds, full: counted - full
        ),
        "The corrections are already in the count: subtract them.": (
            lambda counted, rounds, full: counted + rounds - full
        ),
    },
    insight="A correction stands for a guess that was rejected, so a count that includes it makes "
    "a draft look better than it is.",
)
