"""The boundary between loop and drafter: what a drafter gets, and checks of what it returns.

A drafter may be anybody's code, and the output has the target's distribution only if the drafter
plays fair.  So it can read the text but not change it, it gets only the uniforms of its own
guesses, and its proposal is copied and checked before the target sees it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import index
from typing import Any

import numpy as np
from array_api_compat import is_torch_array

from course_utils.decoding.contracts import Draft, Drafter, LanguageModel, Round, RoundNoise, Rows
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.rows import full_precision, namespace, sum_dtype
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.trees import checked_parents
from course_utils.decoding.whole_numbers import whole_number

SUM_SLACK = 1e-2  # how far the sum of a row of q may be from 1: rounding of bfloat16
SUM_ROUNDING = 1e-6  # rounding of float32: up to here a row is not divided by its sum


class CommittedText(Sequence[int]):
    """A read-only view of the committed tokens.

    Each run has one, and its text only grows: a drafter that gets the same view again need
    not compare the part it has already read.  Slices and copies are plain lists.
    `sampling` holds the settings of the run.
    """

    __slots__ = ("_tokens", "sampling")

    def __init__(self, tokens: list[int], sampling: Sampling = Sampling()):
        self._tokens, self.sampling = tokens, sampling

    def __len__(self) -> int:
        return len(self._tokens)

    def __iter__(self) -> Iterator[int]:
        return iter(self._tokens)

    def __getitem__(self, place: Any) -> Any:
        return self._tokens[place]

    def __add__(self, more: Sequence[int]) -> list[int]:
        return [*self._tokens, *more]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._tokens == list(other)

    def __repr__(self) -> str:
        return repr(self._tokens)


def sampling_of(tokens: Sequence[int], own: Sampling | None = None) -> Sampling:
    """Return the settings to draft with: `own`, or else those of the run that `tokens` belongs
    to, or `Sampling()` for a plain list."""
    return own or getattr(tokens, "sampling", None) or Sampling()


def notify(drafter: object, done: Round | None, *row: int) -> None:
    """Pass the last round to a drafter that learns, in copies that it may overwrite; a drafter of
    a batch gets the number of its row first."""
    learn = getattr(drafter, "learn", None)
    if done is not None and learn is not None:
        q = None if done.q is None else _copied(done.q)
        learn(*row, replace(done, p=_copied(done.p), q=q))


def check_model(model: object, role: str) -> None:
    """Raise a ValueError if `model` is no LanguageModel; `models.contract` tests its sessions."""
    if not hasattr(model, "start"):
        raise ValueError(
            f"the {role} is a {type(model).__name__}, not a LanguageModel: pass a model from "
            "load_pair (pair.target, pair.draft), or wrap one of transformers as "
            "TransformersModel(model)"
        )
    check_sizes(model, role)


def check_sizes(model: object, role: str) -> None:
    """Raise a ValueError if `model` does not say how large its vocabulary and its context are."""
    for name in ("vocabulary_size", "context"):
        described = f"the {role} is a {type(model).__name__}, a LanguageModel whose {name}"
        whole_number(described, getattr(model, name, None), 1)


def proposal(
    drafter: Drafter, text: CommittedText, limit: int, noise: RoundNoise, target: LanguageModel
) -> Draft:
    """Return the guesses of `drafter` after `text`, at most `limit`, copied and checked.

    Raises:
        ValueError: not a drafter, or as `checked_draft`.
    """
    if not hasattr(drafter, "propose"):
        raise ValueError(
            f"the drafter is a {type(drafter).__name__}, which has no method propose: wrap a "
            "draft model, as in Sampled(pair.draft)"
        )
    own = DraftNoise(noise.uniforms("draft", limit))
    return checked_draft(drafter.propose(text, limit, own), limit, target)


def checked_draft(draft: Any, limit: int, target: LanguageModel) -> Draft:
    """Return a checked copy of a drafter's draft.

    Raises:
        ValueError: not a Draft, too many guesses, an unknown token, rows of q that are not
            distributions or give a guess probability 0, or a tree not in breadth-first order.
    """
    try:
        proposed, q, parents = draft.tokens, draft.q, draft.parents
    except AttributeError:
        kind = type(draft).__name__
        raise ValueError(f"the drafter returned a {kind}: return a Draft(tokens, q)") from None
    try:
        guesses = tuple(map(index, proposed))
    except TypeError:
        raise ValueError(f"the drafter proposed {proposed!r:.60}: return token ids") from None
    if len(guesses) > limit:
        raise ValueError(f"the drafter proposed more tokens than fit: return at most {limit}")
    last = target.vocabulary_size - 1
    for x in guesses:
        if not 0 <= x <= last:
            raise ValueError(f"the drafter proposed token {x}; the target's are 0 to {last}")
    if q is not None:
        q = _checked_q(_copied(q), guesses, target.vocabulary_size)
    if parents is not None:
        parents = checked_parents(parents)
        if len(parents) != len(guesses):
            raise ValueError(f"{len(parents)} parents for {len(guesses)} guesses: return one each")
    return Draft(guesses, q, parents)


def _copied(rows: Any) -> Rows:
    """Return a copy of the rows, in float32 at least, that the drafter cannot overwrite."""
    if isinstance(rows, np.ndarray):
        return np.array(full_precision(rows) if rows.dtype.kind == "f" else rows.astype(float))
    if is_torch_array(rows):
        large = rows.is_floating_point() and rows.element_size() > 2
        return rows.detach().clone() if large else rows.detach().float()
    raise ValueError(
        f"q is a {type(rows).__name__}: return a NumPy array or a torch tensor of probabilities, "
        "one row per guess"
    )


def _checked_q(q: Rows, guesses: tuple[int, ...], vocabulary_size: int) -> Rows:
    """Return the rows with sums of 1, as `sampling.sample` draws from them."""
    expected = (len(guesses), vocabulary_size)
    if tuple(q.shape) != expected:
        raise ValueError(
            f"q has shape {tuple(q.shape)}, expected {expected}: return one row per guess; draft "
            "and target must share one vocabulary"
        )
    if not guesses:
        return q
    xp = namespace(q)
    sums = xp.sum(q, axis=-1, keepdims=True, **sum_dtype(q))
    apart = float(xp.max(xp.abs(sums - 1)))
    # NaN fails every comparison, so each condition is what must be true
    if not (float(xp.min(q)) >= 0 and apart <= SUM_SLACK):
        raise ValueError(
            f"a row of q is not a distribution (row sums {np.asarray(sums[:, 0].tolist())}): "
            "return the probabilities, not logits, that each guess was drawn from"
        )
    for i, x in enumerate(guesses):
        if not float(q[i, x]) > 0:
            raise ValueError(
                f"guess {i} is token {x}, but its row of q gives it probability 0: return the row "
                "that the guess was drawn from"
            )
    if apart > SUM_ROUNDING:
        q /= sums
    return q
