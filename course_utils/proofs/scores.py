"""Is a long text a sample of the target?  One uniform score for each token.

Line the tokens up in some order and let p fill [0, 1) with them; a token drawn
from p, with a fresh uniform to place it inside its slice, lands evenly.  So the
scores of a lossless decoder are independent and uniform, whatever the text
(probability integral transform; Rosenblatt 1952), and every token of every text
can be tested together.  The order decides what is seen best: by p/q, any drift
towards the draft; by p, any preference for likely tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.statistics import ChiSquare, chi_square, power

BINS = 20


@dataclass(frozen=True)
class ScoredTexts:
    """The scores of many texts, one behind the other."""

    by_probability: np.ndarray  # (n,) tokens lined up by p
    by_ratio: np.ndarray | None  # (n,) lined up by p/q; None without a draft model
    drift_seen: float | None  # total variation; see `drift_seen`, for `by_ratio`


def score_texts(
    target: LanguageModel,
    draft: LanguageModel | None,
    decoder: Decoder,
    prompts: Sequence[Sequence[int]],
    sampling: Sampling,
    tokens: int,
    gamma: int = 4,
    seed: int = 0,
) -> ScoredTexts:
    """Let the decoder write `tokens` after each prompt and score what it wrote.

    p and q at each token come from one pass over the finished text, so they owe
    nothing to the decoder that is tested.
    """
    by_probability, by_ratio, drifted, distance = [], [], np.zeros(BINS), 0.0
    for i, prompt in enumerate(prompts):
        rounds = generate(
            decoder.target(target), prompt, decoder.drafter(draft, sampling),
            gamma=gamma, sampling=sampling, rule=decoder.rule, max_new_tokens=tokens,
            seed=seed + i,
        )  # fmt: skip
        said = emitted_tokens(rounds)
        uniforms = Noise(seed, row=1).round(i).uniforms("other", len(said))
        p = _rows(target, prompt, said, sampling)
        by_probability.append(scores(p, p, said, uniforms))
        if draft is not None:
            q = _rows(draft, prompt, said, sampling)
            ratio = p / np.maximum(q, np.finfo(np.float64).tiny)
            by_ratio.append(scores(p, ratio, said, uniforms))
            drifted += landing_law(p, q, ratio)
            distance += float(abs(p - q).sum()) / 2
    landed = np.concatenate(by_probability)
    if draft is None:
        return ScoredTexts(landed, None, None)
    seen = drift_seen(drifted / len(landed), distance / len(landed), len(landed))
    return ScoredTexts(landed, np.concatenate(by_ratio), seen)


def _rows(
    model: LanguageModel, prompt: Sequence[int], new: Sequence[int], sampling: Sampling
) -> np.ndarray:
    """The model's law at each of the `new` tokens: (len(new), vocabulary), float64."""
    logits = model.start([]).extend([*prompt, *new[:-1]])[-len(new) :]
    rows = array_api_compat.to_device(probabilities(logits, sampling), "cpu")
    rows = np.asarray(rows, dtype=np.float64)
    return rows / rows.sum(-1, keepdims=True)


def scores(
    p: np.ndarray, worth: np.ndarray, tokens: Sequence[int], uniforms: Sequence[float]
) -> np.ndarray:
    """Where each token lands in [0, 1): (n,).

    p and worth are (n, vocabulary), the latter what tokens are lined up by, largest
    first.  Both must depend on the text before the token only.
    """
    landed = np.empty(len(tokens))
    for t, (x, u) in enumerate(zip(tokens, uniforms, strict=True)):
        ahead = (worth[t] > worth[t, x]) | ((worth[t] == worth[t, x]) & (np.arange(len(p[t])) < x))
        landed[t] = p[t][ahead].sum() + u * p[t, x]
    return landed.clip(0, np.nextafter(1, 0))


def evenness(landed: np.ndarray, bins: int = BINS) -> ChiSquare:
    """Are the scores uniform?"""
    counts = np.bincount((landed * bins).astype(int), minlength=bins)
    return chi_square(counts, np.full(bins, 1 / bins))


def drift_seen(drifted: np.ndarray, distance: float, n: int, surely: float = 0.99) -> float:
    """The smallest drift towards q that `evenness` of n scores sees with probability `surely`.

    `drifted` (bins,) is how scores fall if tokens are drawn from q (`landing_law`,
    averaged over the text), `distance` the mean TV(p, q).  With the law
    (1 - w) p + w q instead of p, the answer is w times `distance` for the smallest
    such w, and 1.0 if not even w = 1 is seen.
    """
    fair = np.full(len(drifted), 1 / len(drifted))
    for w in np.geomspace(0.001, 1, 200):
        if power(fair, (1 - w) * fair + w * drifted, n) >= surely:
            return float(w) * distance
    return 1.0


def landing_law(p: np.ndarray, q: np.ndarray, worth: np.ndarray, bins: int = BINS) -> np.ndarray:
    """How many scores are expected in each bin if token t is drawn from q[t]: (bins,).

    A token without mass under p lands on one point, at the end of those before it.
    """
    edges = np.linspace(0, 1, bins + 1)
    mass = np.zeros(bins)
    for p_row, q_row, worth_row in zip(p, q, worth, strict=True):
        order = np.argsort(-worth_row, kind="stable")
        # a score spreads evenly over its token's slice of [0, 1), so the law of
        # the score is linear between the ends of the slices
        ends = np.concatenate([[0.0], p_row[order].cumsum()])
        reached = np.concatenate([[0.0], q_row[order].cumsum()])
        fallen = np.diff(np.interp(edges, ends / ends[-1], reached / reached[-1]))
        mass += fallen / fallen.sum()
    return mass
