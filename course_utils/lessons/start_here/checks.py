"""Checks of this lesson: the calls saved, kinds of tokens, a draft's quality, a first run."""

from collections.abc import Callable, Iterator, Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.feedback import Feedback
from course_utils.classroom.rounds import round_of, rounds_in_words
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import Metrics, emitted_tokens, summarise

KINDS = ("accepted", "correction", "bonus")
ONE = ["accepted"]

check_share_saved = Exercise(
    "share_saved",
    cases=[(100, 25), (90, 60), (50, 50)],
    right=lambda tokens, calls: 1 - calls / tokens,
    mistakes={
        "That is tokens per call. Which share of the calls was not needed?": (
            lambda tokens, calls: tokens / calls
        ),
        "That is the share of calls still made; the saved share is what is left of 1.": (
            lambda tokens, calls: calls / tokens
        ),
        "That counts calls. Give them as a share of the calls that plain decoding needs.": (
            lambda tokens, calls: tokens - calls
        ),
        "That is in percent. Give a share between 0 and 1.": (
            lambda tokens, calls: 100 * (1 - calls / tokens)
        ),
        "You divide by the calls that were made. Compare with plain decoding, which needs "
        "one call per token.": lambda tokens, calls: (tokens - calls) / calls,
    },
    insight="Plain decoding needs one call per token, so it is the measure of what was saved.",
)


def _kinds_that_exist(answer: Sequence[str], *_) -> str | None:
    if isinstance(answer, str):
        return "Return a list with one word for each token that the round adds."
    if "rejected" in answer:
        return (
            "A rejected guess is not in the text: the correction takes its place, and the "
            "guesses behind it are thrown away."
        )
    unknown = {*answer} - {*KINDS}
    return f"{min(unknown)!r} is none of the three kinds {', '.join(KINDS)}." if unknown else None


check_token_kinds = Exercise(
    "token_kinds",
    cases=[(5, 2), (3, 3), (4, 0), (1, 1), (2, 1)],
    right=lambda drafted, accepted: list(round_of(drafted, accepted).kinds),
    mistakes={
        "You left out the token of the target's own: every round ends with one.": (
            lambda drafted, accepted: ONE * accepted
        ),
        "You end every round with a correction. Where all guesses were accepted, none was "
        "corrected.": lambda drafted, accepted: [*ONE * accepted, "correction"],
        "You end every round with a bonus. A bonus follows only where all guesses were accepted.": (
            lambda drafted, accepted: [*ONE * accepted, "bonus"]
        ),
        "The other way round: the correction replaces a rejected guess, and the bonus follows "
        "where all guesses were accepted.": (
            lambda drafted, accepted: [
                *ONE * accepted,
                "correction" if accepted == drafted else "bonus",
            ]
        ),
        "One call corrects one guess, the first that is rejected. The guesses behind it are "
        "thrown away.": lambda drafted, accepted: (
            ONE * accepted + (["correction"] * (drafted - accepted) or ["bonus"])
        ),
        "The correction is not accepted as well: it replaces a guess.": (
            lambda drafted, accepted: ONE * (accepted + 1)
        ),
    },
    insight="Every round ends with one token of the target's own, so even a draft that is always "
    "wrong never yields less than plain decoding.",
    form=_kinds_that_exist,
)

check_acceptance_rate = Exercise(
    "acceptance_rate",
    # (drafted, accepted) of each round; none is cut by a stop token, which the task leaves out
    cases=[
        ([round_of(*end) for end in run],)
        for run in ([(4, 4), (4, 1), (4, 0), (4, 2)], [(3, 3), (1, 1)], [(5, 0), (5, 4)])
    ],
    right=lambda rounds: summarise(rounds).accepted_per_examined,
    mistakes={
        "That divides by all drafted tokens. After a rejection the rest of the draft is "
        "thrown away unread; it says nothing about the draft's quality.": (
            lambda rounds: summarise(rounds).accepted_per_drafted
        ),
        "That divides by the emitted tokens, one more per round than the accepted ones. Where "
        "all guesses were accepted no further one was looked at: a bonus is no guess.": (
            lambda rounds: summarise(rounds).accepted_per_emitted
        ),
        "That counts corrections and bonuses as accepted; the draft did not guess them.": (
            lambda rounds: len(emitted_tokens(rounds)) / summarise(rounds).drafted
        ),
        "That is the mean of the rates of the rounds. Add up over all rounds first, so that "
        "each guess counts the same.": (
            lambda rounds: sum(summarise([r]).accepted_per_examined for r in rounds) / len(rounds)
        ),
    },
    insight="Guesses behind a rejection are not counted, so this rate says how good the draft is, "
    "not how long its drafts are.",
    shown=rounds_in_words,
)


def check_run_with(function: Callable[[int], list[Round]], plain: Sequence[Round]) -> Feedback:
    """`function(gamma)`: rounds with `gamma` guesses that say what the rounds `plain` say."""
    wanted = emitted_tokens(plain)
    return Exercise(
        "run_with",
        cases=[(2,), (3,)],  # gamma; two, so that none can be written into the code
        right=None,
        insight="The text does not depend on gamma; only the number of calls does.",
        form=lambda rounds, gamma: _not_as_wanted(rounds, gamma, wanted),
        shown="gamma = {}".format,
    )(function)


def _not_as_wanted(rounds: Sequence[Round], gamma: int, wanted: Sequence[int]) -> str | None:
    if isinstance(rounds, Iterator):
        return "generate() starts to work when it is gone through: put list(...) around it."
    if isinstance(rounds, Metrics):
        return "You return the sums of the run. Return the list of its rounds."
    longest, said = max(len(r.drafted) for r in rounds), emitted_tokens(rounds)
    if longest == 0:
        return "Nothing was drafted: the drafter is the third argument of generate()."
    if longest != gamma:
        return f"Asked for gamma={gamma}, your rounds draft up to {longest}: pass gamma=gamma on."
    if any(float(r.p.max()) < 1 for r in rounds) or len(said) != len(wanted):
        return "Other settings than in the plain run: pass **settings to generate()."
    if said != wanted:
        return (
            "The text is not the target's. generate() takes the target first, then `tokens`, "
            "then the drafter: has the draft model taken the target's place?"
        )
    return None
