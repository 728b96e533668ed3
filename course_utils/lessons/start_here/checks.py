"""Checks of this lesson: the kinds of tokens, the report of a run, and one run for each gamma."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Seconds, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel


def token_kinds(drafted: int, accepted: int) -> list[str]:
    """Return the kinds of the tokens that a round adds."""
    end = "bonus" if accepted == drafted else "correction"
    return ["accepted"] * accepted + [end]


check_token_kinds = Exercise(
    "token_kinds",
    cases=[(5, 2), (3, 3), (5, 5), (4, 0), (1, 1), (2, 1)],
    solution=token_kinds,
    mistakes={
        "You left out the target's own token: every round ends with one.": " + [end] → ",
        "You end every round with a correction. If all guesses were accepted, the last token is a "
        "bonus.": '"bonus" if accepted == drafted else  → ',
        "One call corrects one guess, the first that is rejected. The guesses after it are "
        "thrown away.": '[end] → (["correction"] * (drafted - accepted) or [end])',
    },
    insight="Every round ends with one token of the target's own, whatever the draft guessed.",
)


# --- an experiment: the number of guesses in a round


def by_gamma(
    gammas: Sequence[int], target: LanguageModel, tokens: Sequence[int], drafter: Drafter,
    settings: Mapping[str, object],
) -> list[dict[str, int]]:  # fmt: skip
    """Return {"gamma": , "calls": of the target, "wasted": guesses} of a run with each gamma."""
    lines = []
    for gamma in gammas:
        run = generate(target, tokens, drafter, gamma=gamma, **settings)
        rounds = list(run)
        wasted = sum(len(r.drafted) - r.accepted for r in rounds)
        line = {"gamma": gamma, "calls": len(rounds), "wasted": wasted}
        lines.append(line)
    return lines


# The target counts 0 1 2 3 4 0 ...  One draft guesses 0 after 2, another always.
TARGET = TableModel(np.eye(5)[[1, 2, 3, 4, 0]])
DRAFTS = {
    "a draft that is wrong once in five": TableModel(np.eye(5)[[1, 2, 0, 4, 0]]),
    "a draft that is wrong four times in five": TableModel(np.eye(5)[[0] * 5]),
    "a text that a stop token ends": TARGET,  # nothing is wasted
}


def _experiment(attempt: Callable, gammas: Sequence[int], draft: str) -> object:
    settings = {"sampling": GREEDY, "max_new_tokens": 23}
    settings |= {"stop_tokens": [4]} if DRAFTS[draft] is TARGET else {}
    return attempt(gammas, TARGET, [0, 1], Sampled(DRAFTS[draft]), settings)


def _same_runs(lines: Sequence[Mapping[str, int]], gammas: Sequence[int], draft: str) -> str:
    """Describe runs that do not differ, although their gammas do."""
    same = len(lines) == len(gammas) and all(
        {**line, "gamma": 0} == {**lines[0], "gamma": 0} for line in lines
    )
    return same * "all runs are the same. Does each get the drafter, and the gamma of your loop?"


check_by_gamma = Exercise(
    "by_gamma",
    cases=[*zip(([1, 2, 3, 6], [1, 2, 3, 6], [3, 1]), DRAFTS, strict=True)],
    solution=by_gamma,
    mistakes={
        "You return only the last run: append each to the list.": "return lines → return line",
        "generate() yields each round only once, so your second loop finds none. Make a list of "
        "the rounds first.": "r in rounds → r in run",
        "A round can have fewer than gamma guesses, if the text has no room for more. Count "
        "len(r.drafted).": "len(r.drafted) → gamma",
        "You subtract every token of the text. One in each round is the target's own, no guess.": (
            "r.accepted → len(r.emitted)"
        ),
        "You count tokens. A round is one call of the target, however many it adds.": (
            "len(rounds) → sum(len(r.emitted) for r in rounds)"
        ),
        "You count only rejected guesses. Those after them were drafted for nothing, too.": (
            'len(r.drafted) - r.accepted → r.kinds.count("correction")'
        ),
    },
    insight="Each further guess saves fewer calls, and more guesses are thrown away. The figure "
    "below is made by your function.",
    call=_experiment,
    explain=_same_runs,
    describe_case=lambda gammas, draft: f"gammas = {gammas} and {draft},",
)


# --- the report: calls saved, and the acceptance rate


def course_report(rounds: Sequence[Round]) -> dict[str, float | None]:
    """Return the share of calls saved, and the acceptance rate: None if nothing was examined.

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


def round_of(drafted: int, accepted: int, stopped_after: int | None = None) -> Round:
    """Return a round of so many drafted and accepted tokens; a stop token may end it early."""
    p, emitted = np.full((drafted + 1, 8), 1 / 8), (5,) * accepted + (7,)
    return Round(
        0, 1, (5,) * drafted, p, p[:-1], (0.5,) * (drafted + 1), Verdict(accepted, 7),
        emitted[:stopped_after], 0, 0, Seconds(0, 0, 0), "stop_token" if stopped_after else None,
    )  # fmt: skip


def _in_words(rounds: Sequence[Round]) -> str:
    drafted = ", ".join(str(len(r.drafted)) for r in rounds)
    accepted = ", ".join(str(r.accepted) for r in rounds)
    ended = " (a stop token ended the text)" * (rounds[-1].stop_reason == "stop_token")
    return f"rounds that drafted {drafted} and accepted {accepted} tokens{ended}"


check_report = Exercise(
    "report",
    cases=[
        ([round_of(4, 4), round_of(4, 1), round_of(4, 0), round_of(4, 2)],),
        ([round_of(3, 3), round_of(3, 2), round_of(0, 0)],),  # no room for a last guess
        ([round_of(5, 2), round_of(5, 4, 2)],),
        ([round_of(4, 2), round_of(3, 3, 4)],),  # the bonus is the stop token
        ([round_of(4, 0), round_of(2, 0)],),  # the rate is 0
        ([round_of(0, 0), round_of(0, 0)],),  # plain decoding
    ],
    solution=course_report,
    mistakes={
        "That is the share of calls still made. The saved share is 1 minus that.": (
            "1 - len → len"
        ),
        "In the round that a stop token ended, you count a guess that was never examined. Count "
        "one more than the accepted guesses only if there is a correction.": (
            'kinds.count("correction") → sum(r.accepted < len(r.drafted) for r in rounds)'
        ),
        "You divide by all tokens. A bonus is not a guess: only accepted and corrected guesses "
        "were examined.": "accepted / examined if examined → accepted / len(kinds) if accepted",
        "You divide by all drafted tokens. After a rejection the rest of the draft is thrown away "
        "unread and says nothing about the draft.": (
            "accepted / examined → accepted / sum(len(r.drafted) for r in rounds)"
        ),
        "You average the rates of the rounds. Add up over all rounds first, so that each guess "
        "counts the same.": (
            '    return { →     rates = [course_report([r])["rate"] for r in rounds if r.drafted]\n'
            "    return {; accepted / examined if examined → sum(rates) / len(rates) if rates"
        ),
    },
    insight="Guesses after a rejection do not count, so the rate measures how good the guesses "
    "are, not how many there are. The table below is now made by your function.",
    parts=("saved", "rate"),
    describe_case=_in_words,
)
