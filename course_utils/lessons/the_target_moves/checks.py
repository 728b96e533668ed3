"""Checks of this elective: what is left of an old text, and the passes of a batch of them."""

from functools import cache

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.the_target_moves.rollouts import reuse
from course_utils.proofs.broken_rollouts import epochs, rollout_exam
from course_utils.proofs.decoders import distribution_of
from course_utils.proofs.enumeration import Distribution, distribution_distance


def still_good(prompt, old, q, text, gamma):
    """prompt, its length; old, n tokens of the last epoch, and q (n, V),
    the rows they were drawn from; text, a list: prompt and new tokens
    -> (at most gamma guesses for what follows, their rows of q)"""
    at = len(text) - prompt
    guesses = old[at : at + gamma]
    return guesses, q[at : at + len(guesses)]


# {the exam: (it, the longest draft of a round)}
EXAMS = {
    "one draft": (rollout_exam(vocabulary_size=2), 4),
    "drafts of two tokens": (rollout_exam(1, length=3), 2),
}


@cache
def _truth(which: str) -> Distribution:
    return EXAMS[which][0].truth()


def _walked(attempt, which: str) -> object:
    """(how far the texts are from today's policy, expected rounds of a text), on every path."""
    exam, longest = EXAMS[which]
    first = attempt(len(exam.prompt), [0, 1], np.full((2, 3), 1 / 3), list(exam.prompt), 2)
    if first is None or first is ...:
        return first
    decoder = epochs(reuse(lambda *case: attempt(*case[:4], min(case[4], longest))))
    paths = list(exam.paths(decoder))
    off = distribution_distance(distribution_of(paths), _truth(which))
    return round(float(off), 9), round(float(sum(p * len(rounds) for p, rounds in paths)), 9)


AT = "at = len(text) - prompt\n"
check_still_good = Exercise(
    "still_good",
    cases=[(which,) for which in EXAMS],
    solution=still_good,
    parts=("the distance from today's policy", "the rounds that a text takes"),
    mistakes={
        "The texts are right, and after a rejection you give the rest away. What the rule has not "
        "looked at is a draw from its rows as before: guess on, place by place.": (
            AT, AT + "    if text[prompt:] != old[:at]:\n        return [], q[:0]\n"
        ),
        "You guess the rejected token again, with its row. The rule has seen it: of the tokens "
        "that were rejected, it is no draw from q any more.": (
            AT, AT + "    at -= text[prompt:] != old[:at]\n"
        ),
        "A certain guess is accepted with probability p, a draw from q with min(1, p/q). Hand the "
        "rows on.": ("q[at : at + len(guesses)]", "None"),
        "These are the rows of the first tokens. Guess and row belong to one place.": (
            "q[at : at + len(guesses)]", "q[: len(guesses)]"
        ),
        "You begin the old text anew in each round. It goes on where the new text ends.": (
            AT, "at = 0\n"
        ),
        "You never guess. The old text begins behind the prompt: the next token has the place "
        "`len(text) - prompt` in it.": (AT, "at = len(text)\n"),
    },
    call=_walked,
    describe_case=lambda which: which,
    insight="On every old text and every path the new text is today's policy's.",
)  # fmt: skip


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


SLOWEST = "tokens - kept.prod(axis=0).sum()"
check_passes = Exercise(
    "passes",
    cases=[_batch(0, 1, 2), _batch(1, 3, 4), _batch(2, 6, 9)],
    solution=passes,
    must_not_mutate=True,
    parts=("each text", "the slowest"),
    mistakes={
        "You add up the chances one by one. A guess counts only if all before it are accepted: "
        "`np.cumprod` along the text.": ("np.cumprod(accepted, axis=1)", "accepted"),
        "Those are the tokens that one pass brings. Asked are passes: one that verifies, and one "
        "for each token still missing after it.": (
            ("tokens - kept.sum(axis=1)", "1 + kept.sum(axis=1)"),
            (SLOWEST, "1 + kept.prod(axis=0).sum()"),
        ),
        "A pass too many: the pass that verifies also writes the token after the accepted ones.": (
            "accepted.shape[1] + 1", "accepted.shape[1] + 2"
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
