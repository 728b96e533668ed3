"""Checks of this lesson: the kinds of tokens, the report of a run, and one run for each gamma."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import round_of, rounds_in_words
from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.edits import Edit
from course_utils.models.toys.tables import TableModel

KINDS = ("accepted", "correction", "bonus")


def _kinds_that_exist(answer: Sequence[str], *_) -> str | None:
    if isinstance(answer, str | int):
        return "Return a list with one word for each token that the round adds."
    if "rejected" in answer:
        return (
            "A rejected guess is not in the text: the correction takes its place, and the "
            "guesses behind it are thrown away."
        )
    unknown = {*answer} - {*KINDS}
    return f"{min(unknown)!r} is none of the three kinds {', '.join(KINDS)}." if unknown else None


def token_kinds(drafted: int, accepted: int) -> list[str]:
    """Kinds of the tokens that a round adds: the lesson's model solution."""
    end = "bonus" if accepted == drafted else "correction"
    return ["accepted"] * accepted + [end]


check_token_kinds = Exercise(
    "token_kinds",
    cases=[(5, 2), (3, 3), (5, 5), (4, 0), (1, 1), (2, 1)],
    solution=token_kinds,
    mistakes={
        "You left out the token of the target's own: every round ends with one.": (" + [end]", ""),
        "You end every round with a correction. Where all guesses were accepted, none was "
        "corrected.": ('"bonus" if accepted == drafted else ', ""),
        "You end every round with a bonus. A bonus follows only where all guesses were accepted.": (
            (' if accepted == drafted else "correction"', "")
        ),
        "The other way round: the correction replaces a rejected guess, and the bonus follows "
        "where all guesses were accepted.": ("==", "!="),
        "One call corrects one guess, the first that is rejected. The guesses behind it are "
        "thrown away.": ("[end]", '(["correction"] * (drafted - accepted) or [end])'),
        "A round ends with one token of the target's own: a correction or a bonus, never both.": (
            ("[end]", '["correction", "bonus"]')
        ),
    },
    insight="Every round ends with one token of the target's own, whatever the draft has guessed.",
    validate=_kinds_that_exist,
)


# --- an experiment: how many guesses a round should have


def by_gamma(
    gammas: Sequence[int],
    target: LanguageModel,
    tokens: Sequence[int],
    drafter: Drafter,
    settings: Mapping[str, object],
) -> list[dict[str, int]]:
    """{"gamma": , "calls": of the target, "wasted": guesses} of a run with each gamma."""
    lines = []
    for gamma in gammas:
        run = generate(target, tokens, drafter, gamma=gamma, **settings)
        rounds = list(run)
        wasted = sum(len(r.drafted) - r.accepted for r in rounds)
        line = {"gamma": gamma, "calls": len(rounds), "wasted": wasted}
        lines.append(line)
    return lines


# The target counts 0 1 2 3 4 0 ..., a draft takes 0 for what follows 2, another always.
TARGET = TableModel(np.eye(5)[[1, 2, 3, 4, 0]])
DRAFTS = {
    "a draft that is wrong once in five": TableModel(np.eye(5)[[1, 2, 0, 4, 0]]),
    "a draft that is wrong four times in five": TableModel(np.eye(5)[[0] * 5]),
    "a text that a stop token ends": TARGET,  # nothing is wasted
}
NO_LINES = (
    "Return a list with one dict for each gamma, in order, with the keys gamma, calls and wasted."
)
ONCE = "generate() yields its rounds once, one by one: make a list of them first."
TOKENS = 23  # of each run
MEASURED = ("gamma", "wasted", "calls")
UNLISTED = dict.fromkeys(MEASURED, NO_LINES)  # the answer of code that returns no such list
UNREAD = dict.fromkeys(MEASURED, ONCE)  # and of code that takes a generator for one


def _columns(attempt: Callable, gammas: Sequence[int], draft: str) -> object:
    """{"gamma": [...], "calls": [...], "wasted": [...]}"""
    settings = {"sampling": GREEDY, "max_new_tokens": TOKENS}
    settings |= {"stop_tokens": [4]} if DRAFTS[draft] is TARGET else {}
    try:
        lines = attempt(gammas, TARGET, [0, 1], Sampled(DRAFTS[draft]), settings)
    except TypeError as error:
        if "generator" in str(error):  # has no length, no entries
            return UNREAD
        raise
    if lines is None or lines is ...:
        return lines
    try:
        if len(lines) != len(gammas):
            return UNLISTED
        return {part: [line[part] for line in lines] for part in MEASURED}
    except (TypeError, KeyError, IndexError):
        return UNLISTED


def _not_measured(answer: Mapping[str, object], *_) -> str | None:
    return answer["gamma"] if answer in (UNLISTED, UNREAD) else None


WASTED = "len(r.drafted) - r.accepted"
check_by_gamma = Exercise(
    "by_gamma",
    cases=[*zip(([1, 2, 3, 6], [1, 2, 3, 6], [3, 1]), DRAFTS, strict=True)],
    solution=by_gamma,
    mistakes={
        NO_LINES: ("return lines", "return line"),
        ONCE: ("rounds = list(run)", "rounds = run"),
        "Every run has the same number of guesses per round: pass gamma=gamma on.": (
            ("gamma=gamma, ", "")
        ),
        "You count tokens. A round is one call of the target, however many it adds.": (
            ("len(rounds)", "sum(len(r.emitted) for r in rounds)")
        ),
        "You count every guess. Wasted are those that are not in the text.": (
            (WASTED, "len(r.drafted)")
        ),
        "You count rejected guesses. Those behind them were drafted for nothing, too.": (
            (WASTED, 'r.kinds.count("correction")')
        ),
    },
    insight="A longer draft saves calls less and less, and more of it is thrown away. The figure "
    "below is made by your function.",
    call=_columns,
    validate=_not_measured,
    parts=MEASURED,
    describe_case=lambda gammas, draft: f"gammas = {gammas} and {draft}",
)


# --- the report: what a run saved, and how good the guesses were

PARTS = ("saved", "rate")


def course_report(rounds: Sequence[Round]) -> dict[str, float | None]:
    """The share of calls saved, and accepted / examined; the latter is None if nothing was.

    Raises:
        ZeroDivisionError: no rounds.
    """
    kinds = [kind for r in rounds for kind in r.kinds]
    accepted = kinds.count("accepted")
    examined = accepted + kinds.count("correction")
    return {
        "saved": 1 - len(rounds) / len(kinds),
        "rate": accepted / examined if examined else None,
    }


DIVIDED = (
    "Your code divides by zero where nothing was drafted, as in plain decoding. If it computes "
    '"rate": that is None there.'
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


def _but(part: str, counted: str) -> Edit:
    """The right report with one part counted so: of two equal keys the last one holds."""
    return "else None,", f'else None, "{part}": {counted},'


check_report = Exercise(
    "report",
    cases=[
        ([*(round_of(*end) for end in run), *ended],)
        for run, ended in (
            ([(4, 4), (4, 1), (4, 0), (4, 2)], []),
            ([(3, 3), (3, 2), (0, 0)], []),  # nothing drafted: no room for a guess was left
            ([(5, 2)], [_ended(5, 4, 2)]),
            ([(4, 2)], [_ended(3, 3, 4)]),  # the bonus is the stop token
            ([(4, 0), (2, 0)], []),  # the rate is 0
            ([(0, 0), (0, 0)], []),  # plain decoding
        )
    ],
    solution=course_report,
    mistakes={
        DIVIDED: (" if examined else None", ""),
        "That is the share of calls still made; the saved share is what is left of 1.": _but(
            "saved", "len(rounds) / len(kinds)"
        ),
        "That is tokens per call. Which share of the calls was not needed?": _but(
            "saved", "len(kinds) / len(rounds)"
        ),
        "In the round that a stop token ended you count a guess that nobody looked at. One more "
        "than the accepted ones was examined only where there is a correction.": (
            'kinds.count("correction")',
            "sum(r.accepted < len(r.drafted) for r in rounds)",
        ),
        "You divide by all drafted tokens. After a rejection the rest of the draft is thrown away "
        "unread; it says nothing about the draft.": _but(
            "rate", "accepted / sum(len(r.drafted) for r in rounds) if examined else None"
        ),
        "That is the mean of the rates of the rounds. Add up over all rounds first, so that each "
        "guess counts the same.": (
            (
                "    return {",
                '    rates = [course_report([r])["rate"] for r in rounds if r.drafted]\n'
                "    return {",
            ),
            _but("rate", "sum(rates) / len(rates) if rates else None"),
        ),
    },
    insight="Guesses behind a rejection are not counted, so the rate says how good the draft is, "
    "not how long its drafts are. The table below is now made by your function.",
    call=_asked,
    validate=lambda answer, rounds: DIVIDED if answer == UNDIVIDED else None,
    parts=PARTS,
    describe_case=_in_words,
)
