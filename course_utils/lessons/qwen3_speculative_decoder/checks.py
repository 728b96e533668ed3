"""Checks of lesson 11: the statistics block, the choice of gamma, a true count."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.diagnosis import answers, diagnosed
from course_utils.classroom.feedback import Feedback, judge
from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.theory import expected_tokens

_FIELDS = ("drafted", "accepted", "examined", "new")


def check_statistics(statistics: Callable[[Sequence[Round]], dict[str, int]]) -> Feedback:
    """`statistics(rounds)`: a dict of drafted, accepted, examined and new tokens."""
    return judge("statistics", lambda: statistics(_rounds()), _diagnose_statistics)


def check_fastest_gamma(fastest_gamma: Callable) -> Feedback:
    """`fastest_gamma(alpha, c, v, o)`: the gamma in 1..8 with the highest speedup."""
    return judge(
        "fastest_gamma",
        lambda: answers(fastest_gamma, _COSTS),
        diagnosed(lambda a: _compare(a, _COSTS, _GAMMA)),
    )


def check_true_accepted(true_accepted: Callable[[int, int, int], int]) -> Feedback:
    """`true_accepted(counted, rounds, full)`: accepted drafts, without corrections."""
    return judge(
        "true_accepted",
        lambda: answers(true_accepted, _COUNTS),
        diagnosed(lambda a: _compare(a, _COUNTS, _TRUE)),
    )


def _compare(answers: list, arguments: Sequence[tuple], functions: Sequence[tuple]) -> str | None:
    """The first of `functions` is right; each other comes with what to say of it."""
    (right, say), *mistakes = functions
    expected = [right(*each) for each in arguments]
    if list(answers) == expected:
        return None
    for wrong, message in mistakes:
        if np.allclose(answers, [wrong(*each) for each in arguments]):
            return message
    i = next(i for i, (a, b) in enumerate(zip(answers, expected, strict=True)) if a != b)
    return say(answers[i], expected[i], *arguments[i])


# --- the statistics block ---------------------------------------------------------


def _round(index: int, drafted: int, accepted: int, emitted: int) -> Round:
    tokens = tuple(range(1, drafted + 1))
    said = (*tokens[:accepted], 99)[:emitted]
    p, q = np.full((drafted + 1, 100), 0.01), np.full((drafted, 100), 0.01)
    return Round(
        index, 10, tokens, p, q if drafted else None, [0.5] * (drafted + 1),
        Verdict(accepted, 99), said, 9, 9 + emitted, Seconds(0.0, 0.0, 0.0),
    )  # fmt: skip


def _rounds() -> list[Round]:
    """Three corrections, a bonus, a stop token inside an accepted draft, and a last
    round with no room to draft: every likely miscount gives another number."""
    shapes = ((4, 2, 3), (4, 4, 5), (4, 0, 1), (4, 1, 2), (4, 4, 2), (0, 0, 1))
    return [_round(i, *shape) for i, shape in enumerate(shapes)]


def _diagnose_statistics(answer: dict[str, int]) -> str | None:
    rounds = _rounds()
    missing = [name for name in _FIELDS if name not in answer]
    if missing:
        return f"{missing[0]!r} is missing: return a dict with {', '.join(_FIELDS)}."
    drafted = sum(len(r.drafted) for r in rounds)
    new = sum(len(r.emitted) for r in rounds)
    accepted = sum(r.accepted for r in rounds)
    corrections = sum(r.kinds.count("correction") for r in rounds)
    bonuses = sum(r.kinds.count("bonus") for r in rounds)
    mistakes = (
        ("drafted", drafted, {}, "Count every guess that was sent to the target."),
        (
            "new",
            new,
            {drafted: "That is what was drafted, not what was emitted."},
            "Count the emitted tokens of every round.",
        ),
        (
            "accepted",
            accepted,
            {
                new: "You count every emitted token. A correction or a bonus was never drafted.",
                accepted + corrections: "You count the corrections as accepted, as the article "
                "does. A correction replaces a guess that was *rejected*.",
                accepted + bonuses: "You count the bonuses as accepted; they were never drafted.",
                sum(r.verdict.accepted for r in rounds): "One draft was accepted past a stop "
                "token: what follows it was never said. r.accepted knows.",
            },
            "Count the guesses that were committed.",
        ),
        (
            "examined",
            accepted + corrections,
            {
                drafted: "Those are the drafted tokens. What comes after a rejection is thrown "
                "away unexamined.",
                accepted: "A rejected guess was examined, too.",
                new: "You examine the bonus: it is the target's own word and needs no examination.",
            },
            "Count the accepted guesses and, in each round with a correction, the rejected one.",
        ),
    )
    for name, right, known, otherwise in mistakes:
        if answer[name] != right:
            return f"{name} should be {right}, not {answer[name]}. " + known.get(
                answer[name], otherwise
            )
    return None


# --- the fastest gamma ---------------------------------------------------------------


def _linear(slope: float) -> Callable[[int], float]:
    return lambda k: 1 + slope * (k - 1)


def _table(*values: float) -> Callable[[int], float]:
    return lambda k: values[k - 1]


# alpha, c, v, o: chosen so that each likely mistake picks another gamma somewhere
_COSTS = (
    (0.8, 0.1, _linear(0.15), 0.5),
    (0.6, 0.1, _linear(0.0), 0.0),
    (0.9, 0.05, _table(1, 1, 1.1, 1.1, 1.1, 3, 3.5, 4, 4.5), 0.2),
    (0.7, 0.3, _linear(0.05), 2.0),
    (0.3, 0.2, _linear(0.3), 0.0),
)


def _pick(value: Callable[[int], float]) -> int:
    return max(range(1, 9), key=value)


def _speedup(alpha: float, gamma: int, c: float, v: float, o: float) -> float:
    return expected_tokens(alpha, gamma) / (gamma * c + v + o)


def _best(alpha, c, v, o) -> int:
    return _pick(lambda g: _speedup(alpha, g, c, v(g + 1), o))


_GAMMA = (
    (
        _best,
        lambda got, right, alpha, c, v, o: (
            f"At alpha={alpha}, c={c}, o={o} you say {got}, but {right} is faster. For each gamma "
            "from 1 to 8, divide the tokens a round by gamma c + v(gamma + 1) + o."
        ),
    ),
    (
        lambda *_: 8,
        "The largest gamma always gives the most tokens a round. Divide by what the round costs.",
    ),
    (
        lambda alpha, c, v, o: _pick(lambda g: _speedup(alpha, g, c, v(g), o)),
        "The pass holds one token more than was drafted: v(gamma + 1), not v(gamma).",
    ),
    (
        lambda alpha, c, v, o: _pick(lambda g: _speedup(alpha, g, c, 1, o)),
        "You take verification to cost one forward, v = 1. On this machine it does not.",
    ),
    (
        lambda alpha, c, v, o: _pick(lambda g: _speedup(alpha, g, c, v(g + 1), 0)),
        "You left out o, the host's time a round: the larger it is, the more a round should draft.",
    ),
    (
        lambda alpha, c, v, o: _pick(lambda g: _speedup(alpha, g, c / g, v(g + 1), o)),
        "Drafting gamma tokens takes gamma draft forwards: gamma times c.",
    ),
    (
        lambda *costs: _best(*costs) - 1,
        "One too small: is it the index in a list that you return? Lists begin at 0, gamma at 1.",
    ),
    (
        lambda alpha, c, v, o: max(
            _speedup(alpha, g, c, v(g + 1), o) for g in range(1, 9)
        ),
        "That is the highest speedup. Return the gamma that reaches it.",
    ),
)  # fmt: skip


# --- the true count ---------------------------------------------------------------

# counted as accepted, rounds, rounds in which every guess was accepted
_COUNTS = ((32, 10, 5), (32, 10, 0), (50, 12, 7))

_TRUE = (
    (
        lambda counted, rounds, full: counted - (rounds - full),
        lambda got, right, counted, rounds, full: (
            f"Counted {counted} in {rounds} rounds, {full} of them fully accepted: you say {got}. "
            "How many corrections are in the count?"
        ),
    ),
    (lambda counted, rounds, full: counted, "That is the miscount itself: take corrections out."),
    (
        lambda counted, rounds, full: counted - rounds,
        "Not every round has a correction: a fully accepted one has none.",
    ),
    (
        lambda counted, rounds, full: counted - full,
        "It is the other way round: the fully accepted rounds are those *without* a correction.",
    ),
    (
        lambda counted, rounds, full: counted + rounds - full,
        "The corrections are already in the count: subtract them.",
    ),
)
