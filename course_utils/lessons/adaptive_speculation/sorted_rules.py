"""Rules that change how much is drafted, each enumerated: is the output the target's?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import Draft, RoundNoise, Rule
from course_utils.decoding.outcomes import fastest_length, round_cost
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.drafters.lengths import AdaptiveLength, Heuristic, StaleBudget
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.stops import LikelyRejected, Scattered, Unsure
from course_utils.lessons.adaptive_speculation.complexity import ByComplexity
from course_utils.proofs.decoders import Decoder, Exam, Make, exam

# Small enough to enumerate in a moment; the draft is bad, so a rule that stops does stop.
EXAM = exam(2, agreement=0.2)
LOSSLESS = 1e-12  # a total variation below is rounding


class Withholding(Sampled):
    """Drops a guess that it gave less than 0.4, and what follows."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        for i, (row, guess) in enumerate(zip(draft.q, draft.tokens, strict=True)):
            if row[guess] < 0.4:
                return Draft(draft.tokens[:i], draft.q[:i])
        return draft


class PresentBudget(Sampled):
    """Drafts to the end, then submits as many guesses as its own confidences say pay best.

    A pass over two rows has one price here, a longer one another: with such a step, whether a
    guess is submitted depends on confidences after it, and so on the guess.
    """

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        draft = super().propose(tokens, gamma, noise)
        if draft.q is None:
            return draft
        shares = np.cumprod(np.array([float(row.max()) for row in draft.q]))
        kept = fastest_length(shares.tolist(), lambda gamma: 1.0 if gamma < 2 else 1.5)
        return Draft(draft.tokens[:kept], draft.q[:kept])


class AskingTheNextUniform(Sampled):
    """Stops before a guess if the uniform that would draw it is large: an unlikely guess."""

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        large = [uniform > 0.7 for uniform in noise.uniforms("draft", gamma)]
        drawn = [*large, True].index(True)
        return super().propose(tokens, drawn, noise) if drawn else Draft((), None)


@dataclass(frozen=True)
class Case:
    """A rule, what it looks at to decide about a guess, and a drafter that follows it."""

    looks_at: str
    drafter: Make


def _stopping(stop) -> Make:
    return lambda model: Sampled(model, stop=stop)


def _by(policy) -> Make:
    return lambda model: AdaptiveLength(Sampled(model), policy())


KNOWN_BEFORE: Mapping[str, Case] = {
    "heuristic (transformers)": Case("finished rounds", _by(lambda: Heuristic(2, 3))),
    "threshold 0.4 (transformers)": Case("guesses drawn before", _stopping(Unsure(0.4))),
    "SpecDec++": Case("guesses drawn before", _stopping(LikelyRejected(0.6))),
    "entropy of the row": Case("the row, before the draw", _stopping(Scattered(0.65))),
    "stale budget (vLLM)": Case(
        "the round before", _by(lambda: StaleBudget(round_cost(0.3), 2, 3))
    ),
    "complexity table (article 003)": Case(
        "the committed text", lambda model: ByComplexity(Sampled(model))
    ),
}
KNOWN_AFTER: Mapping[str, Case] = {
    "drop a guess below 0.4": Case("the guess itself", Withholding),
    "budget from these confidences": Case("rows behind the guess", PresentBudget),
    "stop if the next uniform is large": Case("the guess's own uniform", AskingTheNextUniform),
}


def verdicts(
    cases: Mapping[str, Case], verified_by: Sequence[Rule] = (TOKEN_WISE,), on: Exam = EXAM
) -> list[dict[str, object]]:
    """A row for each way to end a draft: the lengths that it led to, and with each verification
    rule the exact distance from the target."""
    return [_verdict(name, case, verified_by, on) for name, case in cases.items()]


def _verdict(name: str, case: Case, verified_by: Sequence[Rule], on: Exam) -> dict[str, object]:
    rounds = on.first_rounds(Decoder(drafter=case.drafter))
    lengths = sorted({len(r.drafted) for _, r in rounds})
    distances = {
        f"TV, {rule.name}": _distance(on.distance(Decoder(rule, case.drafter)))
        for rule in verified_by
    }
    return {
        "rule": name,
        "decides by": case.looks_at,
        "first drafts": ", ".join(map(str, lengths)),
        **distances,
    }


def _distance(found: float) -> str:
    return f"{found:.0e}" if found < LOSSLESS else f"{found:.3f}"


def of_drafter(make: Make, on: Exam = EXAM) -> float:
    """Total variation between a drafter's texts and the target's."""
    return on.distance(Decoder(drafter=make))
