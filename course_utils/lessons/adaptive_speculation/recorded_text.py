"""Record what both models compute on a text, and run policies of draft length on the record.

A policy then needs no model: a guess is accepted if the uniform of its position is below the
acceptance there, sum min(p, q).  Two effects are left out: a wrong guess changes the rows after
it, and a sampled text would differ from this one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.outcomes import Outcome
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.drafters.lengths import Policy

POSITIONS_PER_PASS = 128  # each has rows p and q of 0.6 MB with Qwen3


@dataclass(frozen=True)
class RecordedText:
    """What both models compute at each position of a text."""

    acceptance: np.ndarray  # (positions,), probability that a guess there is accepted
    confidence: np.ndarray  # (positions,), the largest probability in the draft's row

    def __len__(self) -> int:
        return len(self.acceptance)


def record_text(target: LanguageModel, draft: LanguageModel, tokens: Sequence[int]) -> RecordedText:
    """Read a text with both models; its first token has no row."""
    sessions, acceptance, confidence = [model.start([]) for model in (target, draft)], [], []
    for start in range(0, len(tokens) - 1, POSITIONS_PER_PASS):
        part = tokens[:-1][start : start + POSITIONS_PER_PASS]
        p, q = (as_numpy(probabilities(s.extend(part), Sampling())) for s in sessions)
        acceptance.append(overlap(p, q))
        confidence.append(q.max(-1))
    return RecordedText(np.concatenate(acceptance), np.concatenate(confidence))


def join_texts(texts: Sequence[RecordedText], positions: int) -> RecordedText:
    """Join the first `positions` of each text; a shorter text is repeated."""
    return RecordedText(
        *(
            np.concatenate([np.resize(getattr(text, name), positions) for text in texts])
            for name in ("acceptance", "confidence")
        )
    )


def follow(
    text: RecordedText, policy: Policy, uniforms: np.ndarray, least: float = 0.0
) -> Iterator[tuple[int, int]]:
    """Run a policy from the first position to the last; yield (position, drafted) of each round.

    Args:
        uniforms: (positions,), one for each guess there.
        least: the confidence below which a draft stops, after at least one guess.
    """
    accepts = uniforms < text.acceptance
    unsure = text.confidence < least
    at = 0
    while at < len(text):
        length = policy.length()
        drafted = 1
        while drafted < length and at + drafted < len(text) and not unsure[at + drafted]:
            drafted += 1
        failed = np.flatnonzero(~accepts[at : at + drafted])
        accepted = int(failed[0]) if len(failed) else drafted
        policy.learn(Outcome(length, drafted, accepted, tuple(text.confidence[at : at + drafted])))
        yield at, drafted
        at += accepted + 1
