"""The check of the report: counts of a run, and how good the guesses were."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import round_of, rounds_in_words
from course_utils.decoding.contracts import Round
from course_utils.lessons.start_here.reports import PARTS, course_report

Count = Callable[[Sequence[Round]], object]
DIVIDED = (
    'Your code divides by zero where no guess was examined, as in plain decoding: "rate" is '
    "None there."
)
UNDIVIDED = dict.fromkeys(PARTS, DIVIDED)  # the answer of code that does


def _ended(drafted: int, accepted: int, emitted: int) -> Round:
    """A round whose token number `emitted` is a stop token."""
    whole = round_of(drafted, accepted)
    return replace(whole, emitted=whole.emitted[:emitted], stop_reason="stop_token")


def _in_words(rounds: Sequence[Round]) -> str:
    ended = rounds[-1].stop_reason == "stop_token"
    return rounds_in_words(rounds) + " (a stop token ended the text)" * ended


def _asked(attempt: Callable, rounds: Sequence[Round]) -> object:
    try:
        return attempt(rounds)
    except ZeroDivisionError:
        return UNDIVIDED


def _but(part: str, count: Count) -> Count:
    """The right report, with one part counted so."""
    return lambda rounds: course_report(rounds) | {part: count(rounds)}


def _sum(of_a_round: Callable[[Round], float]) -> Count:
    return lambda rounds: sum(map(of_a_round, rounds))


def _saved(share: Callable[[int, int], float]) -> Count:
    """`share(tokens, calls)` in place of the share of the calls that was saved."""
    return _but("saved", lambda rounds: share(sum(len(r.emitted) for r in rounds), len(rounds)))


def _rate(of_a_run: Count) -> Count:
    """`of_a_run(rounds)` in place of the rate, wherever there is one."""
    return lambda rounds: (
        course_report(rounds)
        if not any(r.drafted for r in rounds)
        else _but("rate", of_a_run)(rounds)
    )


def _drafted(r: Round) -> int:
    return len(r.drafted)


def _mean_of_rates(rounds: Sequence[Round]) -> float:
    rates = [course_report([r])["rate"] for r in rounds if r.drafted]
    return sum(rates) / len(rates)


def _accepted(rounds: Sequence[Round]) -> int:
    return sum(r.accepted for r in rounds)


check_report = Exercise(
    "report",
    cases=[
        ([*(round_of(*end) for end in run), *ended],)
        for run, ended in (
            ([(4, 4), (4, 1), (4, 0), (4, 2)], []),
            ([(3, 3), (3, 2), (0, 0)], []),  # nothing drafted: no room for a guess was left
            ([(5, 2)], [_ended(5, 4, 2)]),
            ([(4, 1), (4, 4)], [_ended(4, 4, 4)]),
            ([(4, 2)], [_ended(3, 3, 4)]),  # the bonus is the stop token
            ([(4, 4)], [_ended(3, 1, 2)]),  # the correction is
            ([(0, 0), (0, 0)], []),  # plain decoding
        )
    ],
    right=course_report,
    mistakes={
        DIVIDED: _but("rate", lambda rounds: _accepted(rounds) / course_report(rounds)["examined"]),
        "You count what was drafted. The text is what the rounds emitted.": _but(
            "tokens", _sum(_drafted)
        ),
        "The token of the target's own belongs to the text as well: count r.emitted.": _but(
            "tokens", _accepted
        ),
        "Not every round adds a token of the target's own: one that a stop token ended among its "
        "guesses adds none. Count r.emitted.": _but("tokens", _sum(lambda r: r.accepted + 1)),
        "You count tokens. A round is one call of the target, however many it adds.": _but(
            "calls", _sum(lambda r: len(r.emitted))
        ),
        "Those are runs of the draft model. The target is called once per round.": _but(
            "calls", _sum(_drafted)
        ),
        "That is the share of calls still made; the saved share is what is left of 1.": _saved(
            lambda tokens, calls: calls / tokens
        ),
        "That counts calls. Give them as a share of the calls that plain decoding needs.": _saved(
            lambda tokens, calls: tokens - calls
        ),
        "That is in percent. Give a share between 0 and 1.": _saved(
            lambda tokens, calls: 100 * (1 - calls / tokens)
        ),
        "That is tokens per call. Which share of the calls was not needed?": _saved(
            lambda tokens, calls: tokens / calls
        ),
        "You divide by the calls that were made. Compare with plain decoding, which needs one "
        "call per token.": _saved(lambda tokens, calls: (tokens - calls) / calls),
        "You count every guess. Accepted are those that became text, r.accepted of a round.": _but(
            "accepted", _sum(_drafted)
        ),
        "Corrections and bonuses are not accepted: the draft did not guess them.": _but(
            "accepted", _sum(lambda r: len(r.emitted))
        ),
        "A stop token ended the last round before all that the rule had accepted was text. "
        "r.accepted counts what became text.": _but("accepted", _sum(lambda r: r.verdict.accepted)),
        "Not every round that accepts a part of its draft has a correction: a stop token may end "
        "it first. r.kinds says which have one.": _but(
            "correction", _sum(lambda r: r.accepted < len(r.drafted))
        ),
        "Not every round without a bonus has a correction: where nothing was drafted, or a stop "
        "token ended the text, there is neither.": _but(
            "correction", lambda rounds: len(rounds) - course_report(rounds)["bonus"]
        ),
        "One call corrects one guess, the first that is rejected. Those behind it are thrown "
        "away.": _but("correction", _sum(lambda r: len(r.drafted) - r.accepted)),
        "You count a correction for every round. Some end with a bonus, some with neither.": _but(
            "correction", len
        ),
        "Two kinds of round accept all of their draft and have no bonus: where nothing was "
        'drafted the token is of the kind "target", and a stop token at the end of the draft '
        "leaves no place for one.": _but("bonus", _sum(lambda r: r.accepted == len(r.drafted))),
        "A stop token at the end of the draft ends the text: no bonus follows. r.kinds says "
        "which rounds have one.": _but("bonus", _sum(lambda r: 0 < len(r.drafted) == r.accepted)),
        "You count a bonus for every round. It follows only where all guesses were accepted.": _but(
            "bonus", len
        ),
        'Corrections and bonuses have kinds of their own. "target" is a token of a round in '
        "which nothing was drafted.": _but("target", _sum(lambda r: len(r.emitted) - r.accepted)),
        'Every call is the target\'s, but its tokens are of the kind "target" only where '
        "nothing was drafted.": _but("target", len),
        "You count every guess. Those behind the first rejected one were never looked at.": _but(
            "examined", _sum(_drafted)
        ),
        "In the round that a stop token ended you count a guess that nobody looked at. One more "
        "than the accepted ones was examined only where there is a correction.": _but(
            "examined", _sum(lambda r: r.accepted + (r.accepted < len(r.drafted)))
        ),
        "The first rejected guess was looked at, too: that is how it came to be rejected.": _but(
            "examined", _accepted
        ),
        "Where all guesses were accepted, no further one was looked at.": _but(
            "examined", _sum(lambda r: r.accepted + 1)
        ),
        "You divide by all drafted tokens. After a rejection the rest of the draft is thrown away "
        "unread; it says nothing about the draft.": _rate(
            lambda rounds: _accepted(rounds) / _sum(_drafted)(rounds)
        ),
        "You divide by the tokens of the text, and a bonus is no guess.": _but(
            "rate", lambda rounds: _accepted(rounds) / sum(len(r.emitted) for r in rounds)
        ),
        "That is the mean of the rates of the rounds. Add up over all rounds first, so that each "
        "guess counts the same.": _rate(_mean_of_rates),
        "Where no guess was examined there is no rate. Say None: 0 would mean that every guess "
        "was rejected.": lambda rounds: (
            course_report(rounds) | {"rate": course_report(rounds)["rate"] or 0}
        ),
    },
    insight="Guesses behind a rejection are not counted, so the rate says how good the draft is, "
    "not how long its drafts are. The table below is now made by your function.",
    ask=_asked,
    form=lambda answer, rounds: DIVIDED if answer == UNDIVIDED else None,
    parts=PARTS,
    shown=_in_words,
)
