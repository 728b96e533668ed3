"""A text that both models have read once, and draft-length policies simulated on it.

A recorded text is a NumPy array with a record per position: `acceptance`, the probability that a
guess there is accepted, and `confidence`, the largest probability in the draft's row.

The simulation needs no model: a guess is accepted if the uniform of its position is below the
acceptance there, sum min(p, q).  It ignores that a wrong guess changes the rows after it, and that
sampling would write another text.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.drafters.lengths import Policy
from course_utils.theory.estimators import Outcome
from course_utils.theory.speedup import overlap

POSITIONS_PER_PASS = 128  # with Qwen3, each row of p or q has 0.6 MB
RECORD = np.dtype([("acceptance", float), ("confidence", float)])


def record(target: LanguageModel, draft: LanguageModel, tokens: Sequence[int]) -> np.ndarray:
    """Read a text with both models; its first token has no row."""
    sessions = [model.start([]) for model in (target, draft)]
    text = np.empty(len(tokens) - 1, RECORD)
    for start in range(0, len(text), POSITIONS_PER_PASS):
        here = slice(start, min(start + POSITIONS_PER_PASS, len(text)))
        p, q = (as_numpy(probabilities(s.extend(tokens[here]), Sampling())) for s in sessions)
        text["acceptance"][here], text["confidence"][here] = overlap(p, q), q.max(-1)
    return text


def join(texts: Sequence[np.ndarray], positions: int) -> np.ndarray:
    """Concatenate the first `positions` of each text; a shorter text is repeated."""
    return np.concatenate([np.resize(text, positions) for text in texts])


def simulate(
    text: np.ndarray, policy: Policy, uniforms: np.ndarray, min_confidence: float = 0.0
) -> Iterator[tuple[int, int]]:
    """Run a policy along the whole text; yield (position, drafted) of each round.

    Args:
        uniforms: (positions,), one for the guess at each position.
        min_confidence: a draft of at least one guess stops before a position with less.
    """
    accepts = uniforms < text["acceptance"]
    unsure = text["confidence"] < min_confidence
    start = 0
    while start < len(text):
        allowed = policy.length()
        drafted = 1
        while drafted < allowed and start + drafted < len(text) and not unsure[start + drafted]:
            drafted += 1
        here = slice(start, start + drafted)
        rejections = np.flatnonzero(~accepts[here])
        accepted = int(rejections[0]) if len(rejections) else drafted
        policy.learn(Outcome(allowed, drafted, accepted, tuple(text["confidence"][here])))
        yield start, drafted
        start += accepted + 1
