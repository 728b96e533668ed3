"""Checks of this elective: what is left of an old text, and the passes of a batch of them."""

from collections.abc import Callable
from functools import cache

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.the_target_moves.rollouts import reuse
from course_utils.proofs.broken_rollouts import epochs, rollout_exam
from course_utils.proofs.decoders import distribution_of
from course_utils.proofs.enumeration import Distribution, distribution_distance
from course_utils.refused import Refused

# ------------------------------------------------------------------ what is left of an old text


def still_good(prompt, old, q, text, gamma):
    """prompt, its length; old, n tokens of the last epoch, and q (n, V),
    the rows they were drawn from; text, a list: prompt and new tokens
    -> (at most gamma guesses for what follows, their rows of q)"""
    at = len(text) - prompt
    guesses = old[at : at + gamma]
    return guesses, q[at : at + len(guesses)]


EXAMS = {
    "one draft": rollout_exam(vocabulary_size=2),
    "drafts of two tokens": rollout_exam(1, length=3),
}
PROMPT = EXAMS["one draft"].prompt
TWO = "Return two things: guesses and their rows, or None in place of the rows of certain guesses."
DIGITS = 9  # of a distance, and of expected rounds


@cache
def _truth(which: str) -> Distribution:
    return EXAMS[which].truth()


def _asked(attempt: Callable, which: str) -> object:
    """(how far the texts are from today's policy, expected rounds of a text), every path walked."""
    n, rows = len(PROMPT), np.full((2, 3), 1 / 3)
    first = attempt(n, [0, 1], rows, list(PROMPT), 2)
    if first is None or first is ...:
        return first
    exam = EXAMS[which]
    most = 2 if which == "drafts of two tokens" else exam.gamma

    def asked(*case):
        given = attempt(*case[:4], min(case[4], most))
        if isinstance(given, tuple | list) and len(given) == 2 and hasattr(given[0], "__len__"):
            return given
        raise Refused(TWO)

    paths = list(exam.paths(epochs(reuse(asked))))
    off = distribution_distance(distribution_of(paths), _truth(which))
    rounds = sum(weight * len(run) for weight, run in paths)
    return [round(float(off), DIGITS), round(float(rounds), DIGITS)]


def _told(answer: list, which: str) -> str:
    off, rounds = answer
    if off > 0:
        return f"the texts are {off:.2g} (total variation) away from those of today's policy."
    return f"the texts are right, but a text takes {rounds:.3f} rounds where fewer would do."


AT = "at = len(text) - prompt\n"
check_still_good = Exercise(
    "still_good",
    cases=[(which,) for which in EXAMS],
    solution=still_good,
    mistakes={
        "The texts are right, and after a rejection you give the rest away. What the rule has not "
        "looked at is a draw from its rows as before: guess on, place by place.": (
            AT, AT + "    if text[prompt:] != old[:at]:\n        return [], q[:0]\n"
        ),
        "You guess the rejected token again, with its row. The rule has seen it: of the tokens "
        "that were rejected, it is no draw from q any more.": (
            AT, AT + "    at -= text[prompt:] != old[:at]\n"
        ),
        "You search the old text for where to go on, and keep its rows. Whether you go there "
        "depends on what the tokens are, so they are no draws from those rows.": (
            AT,
            AT + "    if at and text[-1] != old[at - 1] and text[-1] in old[at:]:\n"
            "        at = old.index(text[-1], at) + 1\n",
        ),
        "The texts are right, but a certain guess is accepted with probability p, a draw from q "
        "with min(1, p/q). Hand the rows on.": ("q[at : at + len(guesses)]", "None"),
        "These are the rows of the first tokens. Guess and row belong to one place.": (
            "q[at : at + len(guesses)]", "q[: len(guesses)]"
        ),
        "You begin the old text anew in each round. It goes on where the new text ends.": (
            AT, "at = 0\n"
        ),
        "You are one place ahead: the next token has the place `len(text) - prompt`.": (
            AT, "at = len(text) - prompt + 1\n"
        ),
        "You never guess. The old text begins behind the prompt: the next token has the place "
        "`len(text) - prompt` in it.": (AT, "at = len(text)\n"),
    },
    call=_asked,
    explain=_told,
    describe_case=lambda which: which,
    insight="On every old text and every path the new text is today's policy's.",
)  # fmt: skip

# ------------------------------------------------------------------ what a batch waits for


def passes(accepted):
    """accepted (texts, n): how likely each of n guesses of an old text
    is accepted, if those before it are; a new text has n + 1 tokens
    -> (expected passes of each text (texts,), of the slowest text)"""
    kept = np.cumprod(accepted, axis=1)  # P(at least j guesses accepted)
    tokens = accepted.shape[1] + 1
    return tokens - kept.sum(axis=1), tokens - kept.prod(axis=0).sum()


def _batch(seed: int, texts: int, guesses: int) -> tuple:
    rng = np.random.default_rng(seed)
    return (np.minimum(1, rng.uniform(0.3, 1.3, (texts, guesses))),)


KEPT = "kept = np.cumprod(accepted, axis=1)"
SLOWEST = "tokens - kept.prod(axis=0).sum()"
check_passes = Exercise(
    "passes",
    cases=[_batch(0, 1, 2), _batch(1, 3, 4), _batch(2, 6, 9)],
    solution=passes,
    must_not_mutate=True,
    parts=("each text", "the slowest"),
    mistakes={
        "You add up the chances one by one. A guess counts only if all before it are accepted: "
        "`np.cumprod` along the text.": (KEPT, "kept = accepted"),
        "Those are the tokens that one pass brings. Asked are passes: one that verifies, and one "
        "for each token still missing after it.": (
            ("tokens - kept.sum(axis=1)", "1 + kept.sum(axis=1)"),
            (SLOWEST, "1 + kept.prod(axis=0).sum()"),
        ),
        "A pass too many: the pass that verifies also writes the token after the accepted ones.": (
            "accepted.shape[1] + 1", "accepted.shape[1] + 2"
        ),
        "A pass too few: a new text has one token more than there are guesses.": (
            "accepted.shape[1] + 1", "accepted.shape[1]"
        ),
        "That is the largest of the expectations. Which text is the slowest is chance as well: the "
        "batch has kept j tokens only if all texts have, so multiply over the texts.": (
            SLOWEST, "(tokens - kept.sum(axis=1)).max()"
        ),
        "At each place you take the text that is likeliest to fail. The others can fail, too: "
        "multiply over the texts.": (SLOWEST, "tokens - kept.min(axis=0).sum()"),
        "That is the mean text. The batch waits for its slowest.": (
            SLOWEST, "tokens - kept.sum(axis=1).mean()"
        ),
    },
    describe_case=lambda accepted: f"{accepted.shape[0]} texts of {accepted.shape[1]} guesses",
    insight="A batch has kept j tokens if all of its texts have: the chances multiply.",
)  # fmt: skip
