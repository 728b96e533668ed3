"""Checks of this elective: reusing the rest of an old text, and the passes of a batch."""

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.the_target_moves.rollouts import epochs, reuse, rollout_exam, still_good
from course_utils.proofs.decoders import distribution_of
from course_utils.proofs.enumeration import distribution_distance

# {name: (exam, longest draft of a round)}
EXAMS = {
    "one draft": (rollout_exam(vocabulary_size=2), 4),
    "drafts of two tokens": (rollout_exam(1, length=3), 2),
}


def _distance_and_rounds(attempt, which: str) -> object:
    """Return the texts' distance from the current policy and the expected rounds of a text."""
    exam, longest = EXAMS[which]
    decoder = epochs(reuse(lambda *case: attempt(*case[:4], min(case[4], longest))))
    paths = list(exam.paths(decoder))
    off = distribution_distance(distribution_of(paths), exam.truth())
    return round(float(off), 9), round(float(sum(p * len(rounds) for p, rounds in paths)), 9)


START = "start = len(text) - prompt\n"
check_still_good = Exercise(
    "still_good",
    cases=[(which,) for which in EXAMS],
    solution=still_good,
    parts=("the distance from the current policy", "the rounds of a text"),
    mistakes={
        "The texts are right, but you drop the rest after a rejection. Tokens the rule has not "
        "examined are still draws from their rows: keep guessing them.": f"{START} → "
        f"{START}    if text[prompt:] != old[:start]:\n        return [], q[:0]\n",
        "You guess the rejected token again, with its row. The rule has examined it, so it is no "
        "longer a draw from q.": f"{START} → {START}    start -= text[prompt:] != old[:start]\n",
        "You return no rows, so a guess is accepted with probability p. With its row it is "
        "accepted with min(1, p/q).": "q[start : start + len(guesses)] → None",
        "You return the rows of the first tokens. Return the row of each guess's "
        "position.": "q[start : start + len(guesses)] → q[: len(guesses)]",
        "You restart the old text in each round. "
        "Continue where the new text ends.": f"{START} → start = 0\n",
        "You never guess. The old text does not include the prompt: the next token has the index "
        "`len(text) - prompt`.": f"{START} → start = len(text)\n",
    },
    call=_distance_and_rounds,
    describe_case="{}".format,
    insight="For every old text, the new text has the current policy's distribution.",
)  # fmt: skip


def passes(accepted):
    """accepted (texts, n): probability that each of n guesses is accepted
    if all earlier ones are; a new text has n + 1 tokens
    -> (expected passes of each text (texts,), of the slowest text)"""
    at_least = np.cumprod(accepted, axis=1)  # P(at least j are accepted)
    tokens = accepted.shape[1] + 1
    slowest = tokens - at_least.prod(axis=0).sum()
    return tokens - at_least.sum(axis=1), slowest


def _batch(seed: int, texts: int, guesses: int) -> tuple:
    rng = np.random.default_rng(seed)
    return (np.minimum(1, rng.uniform(0.3, 1.3, (texts, guesses))),)


SLOWEST = "tokens - at_least.prod(axis=0).sum()"
check_passes = Exercise(
    "passes",
    cases=[_batch(0, 1, 2), _batch(1, 3, 4), _batch(2, 6, 9)],
    solution=passes,
    must_not_mutate=True,
    parts=("each text", "the slowest"),
    mistakes={
        "You sum the probabilities as they are. A guess counts only if all earlier ones are "
        "accepted: use `np.cumprod` along the text.": "np.cumprod(accepted, axis=1) → accepted",
        "You return the tokens from the first pass. Return the passes: one that verifies, and one "
        "for each token still missing after it.": "tokens - at_least.sum(axis=1) → "
        f"1 + at_least.sum(axis=1); {SLOWEST} → 1 + at_least.prod(axis=0).sum()",
        "One pass too many: the verifying pass also writes the token after the accepted "
        "ones.": "accepted.shape[1] + 1 → accepted.shape[1] + 2",
        "You take the largest expectation, but which text is slowest is random too. All texts must "
        "have j accepted guesses, "
        "so multiply over the texts.": f"{SLOWEST} → (tokens - at_least.sum(axis=1)).max()",
        "You return the mean text. "
        "The batch waits for its slowest.": f"{SLOWEST} → tokens - at_least.sum(axis=1).mean()",
    },
    describe_case=lambda accepted: f"{accepted.shape[0]} texts of {accepted.shape[1]} guesses",
    insight="The slowest text has j accepted guesses only if all texts do: multiply.",
)  # fmt: skip
