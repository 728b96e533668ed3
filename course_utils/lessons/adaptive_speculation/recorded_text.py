"""A text that both models have read once, and draft-length policies simulated on it.

The simulation needs no model: a guess is accepted if the uniform of its position is below the
acceptance there, sum min(p, q).  It ignores that a wrong guess changes the rows after it, and that
sampling would write another text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.lengths import Policy
from course_utils.theory.estimators import Outcome
from course_utils.theory.speedup import overlap

POSITIONS_PER_PASS = 128  # with Qwen3, each row of p or q has 0.6 MB


@dataclass(frozen=True)
class RecordedText:
    """Acceptance and confidence at each position of a text."""

    acceptance: np.ndarray  # (positions,), probability that a guess there is accepted
    confidence: np.ndarray  # (positions,), the largest probability in the draft's row

    def __len__(self) -> int:
        return len(self.acceptance)


def record(target: LanguageModel, draft: LanguageModel, tokens: Sequence[int]) -> RecordedText:
    """Read a text with both models; its first token has no row."""
    sessions, acceptance, confidence = [model.start([]) for model in (target, draft)], [], []
    for start in range(0, len(tokens) - 1, POSITIONS_PER_PASS):
        chunk = tokens[:-1][start : start + POSITIONS_PER_PASS]
        p, q = (as_numpy(probabilities(s.extend(chunk), Sampling())) for s in sessions)
        acceptance.append(overlap(p, q))
        confidence.append(q.max(-1))
    return RecordedText(np.concatenate(acceptance), np.concatenate(confidence))


def join(texts: Sequence[RecordedText], positions: int) -> RecordedText:
    """Concatenate the first `positions` of each text; a shorter text is repeated."""
    return RecordedText(
        *(
            np.concatenate([np.resize(getattr(text, name), positions) for text in texts])
            for name in ("acceptance", "confidence")
        )
    )


def simulate(
    text: RecordedText, policy: Policy, uniforms: np.ndarray, min_confidence: float = 0.0
) -> Iterator[tuple[int, int]]:
    """Run a policy along the whole text; yield (position, drafted) of each round.

    Args:
        uniforms: (positions,), one for the guess at each position.
        min_confidence: a draft of at least one guess stops before a position with less.
    """
    accepts = uniforms < text.acceptance
    unsure = text.confidence < min_confidence
    start = 0
    while start < len(text):
        allowed = policy.length()
        drafted = 1
        while drafted < allowed and start + drafted < len(text) and not unsure[start + drafted]:
            drafted += 1
        here = slice(start, start + drafted)
        rejections = np.flatnonzero(~accepts[here])
        accepted = int(rejections[0]) if len(rejections) else drafted
        policy.learn(Outcome(allowed, drafted, accepted, tuple(text.confidence[here])))
        yield start, drafted
        start += accepted + 1
