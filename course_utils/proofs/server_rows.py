"""The target's rows along a server's answer, and the tokens that the settings leave.

Rounding can move a token across the edge of a filter.  So there are two sets at each place: the
tokens that certainly pass, and those that may pass.  Given that a token is in the first set, its
distribution is exact wherever the edge is; a token outside the second set is impossible.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.proofs.passes import ROUNDING, score

# Change of one token's lead over another, in logits, by the server's number format.
LOGIT_ROUNDING = {name: rounding.logits for name, rounding in ROUNDING.items()}
MEAN_SHARE = 0.06  # the average change, as a share of it
MASS_PER_LOGIT = 0.3  # probability that may move across an edge


class ServedText(NamedTuple):
    """The prompt of a request and the tokens of its answer."""

    prompt: tuple[int, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TargetRows:
    """The target's logits at each of an answer's n tokens, over m columns."""

    logits: np.ndarray  # (n, m); -inf where a row has fewer columns
    ids: np.ndarray  # (n, m): the token of each column
    # None: whole rows.  Else the number of likeliest tokens with log-probabilities; the answer's
    # own tokens are listed, too
    listed: int | None = None

    @classmethod
    def along(cls, model: LanguageModel, text: ServedText) -> "TargetRows":
        """Compute whole rows, by one pass of the model over prompt and answer."""
        rows = score(model, text.prompt, text.tokens, k=len(text.tokens))
        logits = as_numpy(rows).astype(np.float64)
        return cls(logits, np.broadcast_to(np.arange(logits.shape[1]), logits.shape))

    @classmethod
    def from_server(cls, rows: Sequence[list[list[float]]], listed: int) -> "TargetRows":
        """Convert rows [[token, log-probability], ...], as `engines.server` returns them."""
        filled = np.array([row + [[-1, -np.inf]] * (listed + 1 - len(row)) for row in rows])
        return cls(filled[..., 1], filled[..., 0].astype(int), listed)

    def columns(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the column of each token of the answer: (n,)."""
        return (self.ids == np.asarray(tokens)[:, None]).argmax(-1)


class JudgedTokens(NamedTuple):
    """The k tokens of an answer that certainly pass, each with its exact distribution."""

    p: np.ndarray  # (k, columns)
    columns: np.ndarray  # (k,): the column of each token
    impossible: np.ndarray  # places of tokens of the answer that the settings exclude


def judged_tokens(
    rows: TargetRows, tokens: Sequence[int], sampling: Sampling, rounding: float,
    never: Sequence[int] = (),
) -> JudgedTokens:  # fmt: skip
    """Return the tokens of an answer (n,) that can be judged, with their distributions.

    Args:
        sampling: the requested settings, with a temperature above 0.
        rounding: from `LOGIT_ROUNDING`.
        never: stop tokens, if a text ends there and so cannot contain them.
    """
    logits, ids, columns = rows.logits, rows.ids, rows.columns(tokens)
    # the edges of top-k and top-p are unknown if more tokens may pass than are listed
    whole = rows.listed is None or 0 < sampling.top_k <= rows.listed
    known = sampling if whole else replace(sampling, top_k=0, top_p=1.0)
    possible = left_by_filters(logits, known, 2 * rounding, MASS_PER_LOGIT * rounding)
    impossible = np.flatnonzero(~possible[np.arange(len(tokens)), columns])
    if rows.listed is not None:
        logits, ids = logits[:, : rows.listed], ids[:, : rows.listed]
        if sampling == Sampling():  # all other tokens form one more column
            rest = np.maximum(1 - np.exp(logits).sum(-1, keepdims=True), np.finfo(float).tiny)
            logits = np.concatenate([logits, np.log(rest)], -1)
            ids = np.pad(ids, ((0, 0), (0, 1)), constant_values=-1)  # not a token id
    certain = left_by_filters(logits, sampling, *[-MEAN_SHARE * rounding] * 2)
    certain &= ~np.isin(ids, never)
    p = certain * np.exp((logits - logits.max(-1, keepdims=True)) / sampling.temperature)
    places = np.flatnonzero(columns < logits.shape[1])
    places = places[certain[places, columns[places]]]
    p = p[places] / p[places].sum(-1, keepdims=True)
    return JudgedTokens(p, columns[places], impossible)


def left_by_filters(
    logits: np.ndarray, sampling: Sampling, slack: float = 0.0, mass: float = 0.0
) -> np.ndarray:
    """Return a mask (n, m) of the tokens that pass top-k, top-p and min-p.

    A positive slack adds tokens that may pass if a logit is off by `slack` and a sum of
    probabilities by `mass`; negative values remove tokens that may not pass.
    """
    if 0 < sampling.top_k < logits.shape[1]:
        # certain to pass: tokens that lead the first one that does not
        place = logits.shape[1] - sampling.top_k - (slack < 0)
        edge = np.partition(logits, place, axis=-1)[:, place, None]
        left = (logits + slack >= edge) | (logits == logits.max(-1, keepdims=True))
        logits = np.where(left, logits, -np.inf)
    top_p = sampling.top_p if sampling.top_p == 1 else np.clip(sampling.top_p + mass, 1e-9, 1)
    min_p = min(1.0, sampling.min_p * np.exp(-slack / sampling.temperature))
    return probabilities(logits, Sampling(sampling.temperature, 0, float(top_p), float(min_p))) > 0
