"""A text that both models have read once, and a policy of draft length run along it.

A policy then needs no model: a guess is accepted if the place's uniform is below its acceptance,
sum min(p, q).  What is left out: a wrong guess changes the rows behind it, and a drawn text would
not be this one.
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

PLACES_AT_ONCE = 128  # their rows are 0.6 MB each, of p and q, with Qwen3


@dataclass(frozen=True)
class Text:
    """A recorded text, place by place."""

    accepted: np.ndarray  # (places,), probability that a guess there is accepted
    sure: np.ndarray  # (places,), the largest probability in the draft's row

    def __len__(self) -> int:
        return len(self.accepted)


def recorded(target: LanguageModel, draft: LanguageModel, tokens: Sequence[int]) -> Text:
    """Read a text with both models; its first token has no row."""
    sessions, accepted, sure = [model.start([]) for model in (target, draft)], [], []
    for start in range(0, len(tokens) - 1, PLACES_AT_ONCE):
        read = tokens[:-1][start : start + PLACES_AT_ONCE]
        p, q = (as_numpy(probabilities(s.extend(read), Sampling())) for s in sessions)
        accepted.append(overlap(p, q))
        sure.append(q.max(-1))
    return Text(np.concatenate(accepted), np.concatenate(sure))


def one_after_another(texts: Sequence[Text], places: int) -> Text:
    """The first `places` of each text, which is repeated where it is shorter."""
    return Text(
        *(
            np.concatenate([np.resize(getattr(text, name), places) for text in texts])
            for name in ("accepted", "sure")
        )
    )


def follow(
    text: Text, policy: Policy, uniforms: np.ndarray, least_sure: float = 0.0
) -> Iterator[tuple[int, int]]:
    """Run a policy from the first place to the last; yield (place, drafted) of each round.

    Args:
        uniforms: (places,), one for each guess there.
        least_sure: where the draft is less sure than that, it is not asked to go on; at
            least one guess is made.
    """
    passes = uniforms < text.accepted
    unsure = text.sure < least_sure
    at = 0
    while at < len(text):
        asked = policy.length()
        drafted = 1
        while drafted < asked and at + drafted < len(text) and not unsure[at + drafted]:
            drafted += 1
        failed = np.flatnonzero(~passes[at : at + drafted])
        accepted = int(failed[0]) if len(failed) else drafted
        policy.learn(Outcome(asked, drafted, accepted, tuple(text.sure[at : at + drafted])))
        yield at, drafted
        at += accepted + 1
