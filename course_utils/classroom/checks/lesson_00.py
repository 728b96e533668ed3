"""Checks of lesson 00: reading what a run cost."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.checks.feedback import Feedback, judge
from course_utils.decoding.contracts import Round, Seconds, Verdict
from course_utils.decoding.metrics import summarise


def check_calls_saved(calls_saved: Callable[[int, int], float]) -> Feedback:
    """`calls_saved(tokens, calls)`: the share of the target's calls that were saved."""

    def diagnose(answer: float) -> str | None:
        if abs(answer - 0.75) < 1e-9:
            return None if abs(calls_saved(90, 60) - 1 / 3) < 1e-9 else "Right once, wrong twice."
        if abs(answer - 4) < 1e-9:
            return "That is tokens a call. What share of the 100 calls was not needed?"
        if abs(answer - 0.25) < 1e-9:
            return "That is the share of calls still made; the saved share is what is left."
        if abs(answer - 75) < 1e-9:
            return "That counts calls, or is in percent. Give a share between 0 and 1."
        return f"For 100 tokens from 25 calls you say {answer:.3g}. Plain decoding needs 100 calls."

    return judge("calls_saved", lambda: calls_saved(100, 25), diagnose)


def check_survival_rate(survival_rate: Callable[[Sequence[Round]], float]) -> Feedback:
    """`survival_rate(rounds)`: accepted tokens over drafted tokens that were examined."""
    rounds = [_round(4, 4), _round(4, 1), _round(4, 0), _round(4, 2)]  # 7 kept, 10 looked at
    metrics = summarise(rounds)

    def diagnose(answer: float) -> str | None:
        mistakes = {
            metrics.accepted_per_examined: None,
            metrics.accepted_per_drafted: (
                "That divides by all drafted tokens. After a rejection the rest of the draft is "
                "thrown away unread; it says nothing about the draft's quality."
            ),
            metrics.accepted_per_emitted: (
                "That divides by the emitted tokens, which include corrections and bonuses."
            ),
            metrics.tokens / metrics.drafted: (
                "That counts corrections and bonuses as accepted; the draft did not guess them."
            ),
        }
        for value, sentence in mistakes.items():
            if abs(answer - value) < 1e-9:
                return sentence
        return f"You say {answer:.3g}; 7 drafted tokens were kept of the 10 that were looked at."

    return judge("survival_rate", lambda: survival_rate(rounds), diagnose)


def _round(drafted: int, accepted: int) -> Round:
    """A round of token 0 that went as told."""
    p = np.ones((drafted + 1, 1))
    return Round(
        index=0,
        context=1,
        drafted=(0,) * drafted,
        p=p,
        q=p[:-1],
        uniforms=[0.5] * (drafted + 1),
        verdict=Verdict(accepted, 0),
        emitted=(0,) * (accepted + 1),
        cache_before=0,
        cache_after=accepted + 1,
        seconds=Seconds(0.0, 0.0, 0.0),
    )
