"""Checks of lesson 00: a first run, the calls it saves, kinds of tokens, a draft's quality."""

from collections.abc import Callable, Iterator, Sequence

from course_utils.classroom.diagnosis import answers, likeliest, round_of, rounds_in_words
from course_utils.classroom.feedback import Feedback, judge
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import Metrics, emitted_tokens, summarise

COUNTS = ((100, 25), (90, 60), (50, 50))  # (tokens, calls)
GAMMAS = (2, 3)
KINDS = ("accepted", "correction", "bonus")
ENDS = ((5, 2), (3, 3), (4, 0), (1, 1), (2, 1))  # (drafted, accepted)


def check_share_saved(function: Callable[[int, int], float]) -> Feedback:
    """`function(tokens, calls)`: the share of the target's calls that were saved."""

    def diagnose(given: Sequence) -> str | None:
        mistakes = {
            "That is tokens a call. Which share of the calls was not needed?": (
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
            "one call a token.": lambda tokens, calls: (tokens - calls) / calls,
        }
        return likeliest(given, COUNTS, lambda t, c: 1 - c / t, mistakes, shown=_counts)

    return judge("share_saved", lambda: answers(function, COUNTS), diagnose)


def check_token_kinds(function: Callable[[int, int], list[str]]) -> Feedback:
    """`function(drafted, accepted)`: the kind of each token that the round adds."""

    def diagnose(given: Sequence) -> str | None:
        if any(isinstance(answer, str) for answer in given):
            return "Return a list with one word for each token that the round adds."
        used = {kind for answer in given if answer is not None for kind in answer}
        if "rejected" in used:
            return (
                "A rejected guess is not in the text: the correction takes its place, and the "
                "guesses behind it are thrown away."
            )
        if unknown := used - set(KINDS):
            return f"{min(unknown)!r} is none of the three kinds {', '.join(KINDS)}."
        one = ["accepted"]
        mistakes = {
            "You left out the token of the target's own: every round ends with one.": (
                lambda d, a: one * a
            ),
            "You end every round with a correction. Where all guesses stood, none was corrected.": (
                lambda d, a: one * a + ["correction"]
            ),
            "You end every round with a bonus. A bonus needs a draft that stood as a whole.": (
                lambda d, a: one * a + ["bonus"]
            ),
            "The other way round: the correction replaces a rejected guess, and the bonus follows "
            "a draft that stood as a whole.": (
                lambda d, a: one * a + ["correction" if a == d else "bonus"]
            ),
            "One call corrects one guess, the first that is rejected. The guesses behind it are "
            "thrown away.": lambda d, a: one * a + (["correction"] * (d - a) or ["bonus"]),
            "The correction is not accepted as well: it replaces a guess.": (
                lambda d, a: one * (a + 1)
            ),
        }
        return likeliest(
            given, ENDS, lambda d, a: list(round_of(d, a).kinds), mistakes,
            same=lambda a, b: list(a) == list(b),
            shown=lambda case: f"{case[0]} drafted and {case[1]} accepted",
        )  # fmt: skip

    return judge("token_kinds", lambda: answers(function, ENDS), diagnose)


def check_survival_rate(function: Callable[[Sequence[Round]], float]) -> Feedback:
    """`function(rounds)`: accepted tokens over drafted tokens that were examined."""
    ends = [[(4, 4), (4, 1), (4, 0), (4, 2)], [(3, 3), (1, 1)], [(5, 0), (5, 4)]]
    cases = [([round_of(*end) for end in run],) for run in ends]

    def diagnose(given: Sequence) -> str | None:
        mistakes = {
            "That divides by all drafted tokens. After a rejection the rest of the draft is "
            "thrown away unread; it says nothing about the draft's quality.": (
                lambda rounds: summarise(rounds).accepted_per_drafted
            ),
            "That divides by the emitted tokens, one more a round than the kept ones. Where all "
            "guesses stood no further one was looked at: a bonus is no guess.": (
                lambda rounds: summarise(rounds).accepted_per_emitted
            ),
            "That counts corrections and bonuses as accepted; the draft did not guess them.": (
                lambda rounds: len(emitted_tokens(rounds)) / summarise(rounds).drafted
            ),
            "That is the mean of the rates of the rounds. Add up over all rounds first, so that "
            "each guess counts the same.": (
                lambda rounds: (
                    sum(summarise([r]).accepted_per_examined for r in rounds) / len(rounds)
                )
            ),
        }
        return likeliest(
            given, cases, lambda rounds: summarise(rounds).accepted_per_examined, mistakes,
            shown=rounds_in_words,
        )  # fmt: skip

    return judge("survival_rate", lambda: answers(function, cases), diagnose)


def check_run_with(function: Callable[[int], list[Round]], plain: Sequence[Round]) -> Feedback:
    """`function(gamma)`: rounds with `gamma` guesses that say what the rounds `plain` say."""
    wanted = emitted_tokens(plain)

    def diagnose(runs: Sequence) -> str | None:
        if any(isinstance(run, Iterator) for run in runs):
            return "generate() starts to work when it is gone through: put list(...) around it."
        if any(isinstance(run, Metrics) for run in runs):
            return "You return the sums of the run. Return the list of its rounds."
        return next(
            filter(None, (_not_as_wanted(*x, wanted) for x in zip(runs, GAMMAS, strict=True))), None
        )

    return judge("run_with", lambda: answers(function, [(gamma,) for gamma in GAMMAS]), diagnose)


def _not_as_wanted(rounds: Sequence[Round], gamma: int, wanted: Sequence[int]) -> str | None:
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


def _counts(case: tuple[int, int]) -> str:
    return f"{case[0]} tokens from {case[1]} calls"
