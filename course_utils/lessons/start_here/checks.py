"""Checks of this lesson: the kinds of tokens, and a first run; `report_check` has the third."""

from collections.abc import Callable, Iterator, Sequence

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.feedback import Feedback
from course_utils.classroom.rounds import round_of
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import Metrics, emitted_tokens
from course_utils.lessons.start_here.report_check import check_report

__all__ = ["check_report", "check_run_with", "check_token_kinds"]

KINDS = ("accepted", "correction", "bonus")
ONE = ["accepted"]


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
        "You take every guess to be accepted. The first `accepted` of them are, no more.": (
            lambda drafted, accepted: [*ONE * drafted, "bonus"]
        ),
        "A round ends with one token of the target's own: a correction or a bonus, never both.": (
            lambda drafted, accepted: [*ONE * accepted, "correction", "bonus"]
        ),
        "Where all guesses were accepted the target has a token to give as well, the bonus.": (
            lambda drafted, accepted: ONE * accepted + ["correction"] * (accepted < drafted)
        ),
        "Where a guess was rejected the target's own token takes its place, the correction.": (
            lambda drafted, accepted: ONE * accepted + ["bonus"] * (accepted == drafted)
        ),
        "One accepted guess is not enough for a bonus: all of them must be accepted.": (
            lambda drafted, accepted: [*ONE * accepted, "bonus" if accepted else "correction"]
        ),
        "The target's own token comes last, behind the accepted guesses.": (
            lambda drafted, accepted: [
                "bonus" if accepted == drafted else "correction",
                *ONE * accepted,
            ]
        ),
        "The correction is not accepted as well: it replaces a guess.": (
            lambda drafted, accepted: ONE * (accepted + 1)
        ),
    },
    insight="Every round ends with one token of the target's own, whatever the draft has guessed.",
    form=_kinds_that_exist,
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
