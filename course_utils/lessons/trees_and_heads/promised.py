"""What a head promises in training, and what its rounds then bring: the same number, or a bug.

On one set of texts: tau from the head's definition, at every anchor of the text, and the tokens
per round of chains that were served behind the same beginnings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.theory import overlap
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.trees_and_heads.shapes import rounds_of


@dataclass(frozen=True)
class Kept:
    """A promise and what became of it, for chains of `gamma` guesses."""

    predicted: float  # 1 + the mean over rounds of sum over k of prod of alphas: tau
    weighed: float  # the same, each alpha weighed by the chance that its guess is looked at
    served: float  # tokens per round
    rounds: int
    error: float  # two standard errors of `served`

    @property
    def off(self) -> float:
        """served / predicted - 1"""
        return self.served / self.predicted - 1


def kept(
    target: LanguageModel, model: LanguageModel, texts: Sequence[Sequence[int]], gamma: int,
    new_tokens: int,
) -> Kept:  # fmt: skip
    """Chains of `gamma` from `model` behind each text, at temperature 1."""
    how = Sampling()
    found = rounds_of(target, lambda: Sampled(model, how), texts, how, new_tokens, gamma)
    return of_rounds([r for r in found if len(r.drafted) == gamma])


def of_rounds(rounds: Sequence[Round]) -> Kept:
    """From the rows of p and q that were logged.

    tau follows the guesses as they were drawn; what is looked at follows accepted ones, which are
    distributed as min(p, q) and no longer as q.  `weighed` allows for that: its expectation is
    that of the tokens, exactly.
    """
    tokens = np.array([len(r.emitted) for r in rounds], dtype=float)
    taus, weighed = [], []
    for r in rounds:
        alphas = np.asarray(overlap(r.p[:-1], r.q))
        passed = [min(1.0, float(r.p[i, x] / r.q[i, x])) for i, x in enumerate(r.drafted)]
        taus.append(1 + np.cumprod(alphas).sum())
        weighed.append(1 + (np.cumprod([1.0, *passed[:-1]]) * alphas).sum())
    return Kept(
        float(np.mean(taus)),
        float(np.mean(weighed)),
        float(tokens.mean()),
        len(rounds),
        float(2 * tokens.std() / len(tokens) ** 0.5),
    )


def by_position(rounds: Iterable[Round], gamma: int) -> list[float]:
    """Mean overlap of p and q of each guess, as served, accepted or not."""
    rows = [overlap(r.p[:-1], r.q) for r in rounds if len(r.drafted) == gamma]
    return np.mean(rows, axis=0).tolist()


def by_context(
    target: LanguageModel, model: LanguageModel, text: Sequence[int], lengths: Sequence[int],
    gamma: int, new_tokens: int, every: int,
) -> list[dict[str, object]]:  # fmt: skip
    """Accepted of examined guesses behind the last `length` tokens, at `every` so many-th place."""
    how, rows = Sampling(), []
    for length in lengths:
        ends = range(max(lengths), len(text) + 1, every)
        parts = [text[end - length : end] for end in ends]
        found = rounds_of(target, lambda: Sampled(model, how), parts, how, new_tokens, gamma)
        m = summarise(found)
        rows.append(
            {
                "tokens before": length,
                "accepted / examined": m.accepted_per_examined,
                "tokens per round": m.tokens_per_round,
                "examined": m.examined,
            }
        )
    return rows
