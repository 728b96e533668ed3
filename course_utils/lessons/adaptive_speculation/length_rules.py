"""Rules that change the draft length, and an exact test whether each is lossless."""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from course_utils.decoding.contracts import NO_DRAFT, Draft, RoundNoise, Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Stop
from course_utils.drafters.lengths import AdaptiveLength, Heuristic, StaleBudget
from course_utils.drafters.sampled import Sampled
from course_utils.proofs.decoders import Decoder, Make, exam
from course_utils.theory.estimators import fastest_length, round_cost

# Small enough to enumerate quickly; a bad draft, so that the stop rules do stop.
EXAM = exam(2, agreement=0.2)
LOSSLESS = 1e-12  # a total variation below this is rounding


class Withholding(Sampled):
    """Submit only the first `submitted(draft)` guesses of a draft."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        count = self.submitted(draft) if draft.tokens else 0
        return Draft(draft.tokens[:count], draft.q[:count]) if count else NO_DRAFT

    def submitted(self, draft: Draft) -> int:
        """Return how many guesses come before the first that q gives less than 0.4."""
        guesses = zip(draft.q, draft.tokens, strict=True)
        return [*(row[guess] < 0.4 for row, guess in guesses), True].index(True)


class PresentBudget(Withholding):
    """Draft to the end, then submit the fastest length by the confidences of the same draft.

    A pass over more than two rows costs more here.  Because of this step, whether a guess is
    submitted depends on the confidences after it, and so on the guess.
    """

    def submitted(self, draft: Draft) -> int:
        shares = np.cumprod(np.array([float(row.max()) for row in draft.q]))
        return fastest_length(shares.tolist(), lambda gamma: 1.0 if gamma < 2 else 1.5)


class ByComplexity(Sampled):
    """Draft as many guesses as article 003's table gives for the "complexity" of the committed
    text (REFERENCES.md: article-003); 500 times one token is "simple", 0.2, and gets 8."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        complexity = 0.1
        if len(tokens) >= 10:
            complexity = 0.6 * len(set(tokens)) / len(tokens) + 0.4 * min(len(tokens) / 1000, 1)
        length = 8 if complexity < 0.3 else 5 if complexity < 0.7 else 3
        return super().propose(tokens, min(gamma, length), noise)


# --- stop rules: when `Sampled(model, stop=...)` ends a draft -----------------------------

# A rule sees rows and guesses, but neither the next guess nor the uniforms, so it cannot change
# the output's distribution.  Every drawn guess is submitted, including the one that made it stop.


def confidence_below(threshold: float = 0.4) -> Stop:
    """Stop after a guess with a probability below `threshold` under the draft.

    transformers' `assistant_confidence_threshold`, 0.4 by default; the unlikely guess is
    submitted, too (REFERENCES.md: transformers-assistant).
    """
    return lambda rows, guesses: (
        0 < len(rows) == len(guesses) and float(rows[-1][guesses[-1]]) < threshold
    )


def rejection_above(threshold: float = 0.7) -> Stop:
    """Stop when P(some guess so far is rejected) is above `threshold`: SpecDec++.

    That is 1 - the product of the estimated acceptance probabilities; the optimal stop rule is a
    threshold on it (REFERENCES.md: huang2024).  There a trained head estimates them, here q does.
    """
    return lambda rows, guesses: (
        0 < len(rows) == len(guesses)
        and 1 - prod(float(row[x]) for row, x in zip(rows, guesses, strict=True)) > threshold
    )


def entropy_above(most: float = 2.0) -> Stop:
    """Stop before drawing from a row whose entropy is above `most` nats; its pass is wasted.

    AdaEDL's bound on the acceptance falls as the entropy grows (REFERENCES.md: agrawal2024).
    """
    return lambda rows, guesses: len(rows) > len(guesses) and entropy(rows[-1]) > most


def entropy(row: Rows) -> float:
    """-sum p log p in nats: (.5, .5) -> 0.693..."""
    likely = row[row > 0]
    return -float((likely * namespace(row).log(likely)).sum())


def _stopped(stop: Stop) -> Make:
    return lambda model: Sampled(model, stop=stop)


# {a rule: (what it looks at to decide about a guess, a drafter that follows it)}
Cases = Mapping[str, tuple[str, Make]]
KNOWN_BEFORE: Cases = {
    "heuristic (transformers)": (
        "finished rounds", lambda model: AdaptiveLength(Sampled(model), Heuristic(2, 3))
    ),
    "threshold 0.4 (transformers)": ("guesses drawn before", _stopped(confidence_below(0.4))),
    "SpecDec++": ("guesses drawn before", _stopped(rejection_above(0.6))),
    "entropy of the row": ("the row, before the draw", _stopped(entropy_above(0.65))),
    "stale budget (vLLM)": (
        "the round before",
        lambda model: AdaptiveLength(Sampled(model), StaleBudget(round_cost(0.3), 2, 3)),
    ),
    "complexity table (article 003)": ("the committed text", ByComplexity),
}  # fmt: skip
KNOWN_AFTER: Cases = {
    "drop a guess below 0.4": ("the guess itself", Withholding),
    "budget from these confidences": ("rows after the guess", PresentBudget),
}


def distance_of(make: Make) -> float:
    """Return the exact total variation between a drafter's texts and the target's."""
    return EXAM.distance(Decoder(drafter=make))


def verdicts(cases: Cases) -> list[dict[str, object]]:
    """Return a row per rule: the lengths of its first drafts, and its exact total variation."""
    rows = []
    for name, (looks_at, drafter) in cases.items():
        rounds = EXAM.first_rounds(Decoder(drafter=drafter))
        lengths = sorted({len(r.drafted) for _, r in rounds})
        row = {"rule": name, "decides by": looks_at, "first drafts": ", ".join(map(str, lengths))}
        distance = distance_of(drafter)
        rows.append(row | {"TV": f"{distance:{'.0e' if distance < LOSSLESS else '.3f'}}"})
    return rows
