"""What a drafter is handed, and what is taken from it.

A drafter is anybody's code, and the output is the target's only if it plays fair.  So it sees the
text but cannot change it, it gets the uniforms of its own guesses and no others, and what it
proposes is copied and checked before the target looks at it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import index
from typing import Any

import numpy as np
from array_api_compat import is_torch_array

from course_utils.decoding.contracts import Draft, Drafter, LanguageModel, Round, RoundNoise, Rows
from course_utils.decoding.noise import DraftNoise
from course_utils.decoding.rows import namespace, single, wide
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.trees import checked_parents

SUM_SLACK = 1e-2  # a row of q may miss 1 by the rounding of bfloat16, not by more
SUM_ROUNDING = 1e-6  # and by the rounding of float32, without being divided by its sum


class CommittedText(Sequence[int]):
    """A view of the committed tokens: to be read, sliced and copied, not to be changed.

    A run has one, and the text behind it only grows: a drafter that is handed the same
    view again need not compare what it has seen.  Slices and copies of it are plain lists.
    `sampling` are the settings of the run.
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
    """The settings to draft with: `own`, or else those of the run that `tokens` belongs to; of a
    plain list `Sampling()`."""
    return own or getattr(tokens, "sampling", None) or Sampling()


def notify(drafter: Drafter, done: Round | None) -> None:
    """Let a drafter that learns see the round before, in copies that it may write over."""
    if done is not None and hasattr(drafter, "learn"):
        q = None if done.q is None else _copied(done.q)
        drafter.learn(replace(done, p=_copied(done.p), q=q))


def check_model(model: object, role: str) -> None:
    """Raises ValueError: it is no LanguageModel."""
    if not hasattr(model, "start"):
        raise ValueError(
            f"the {role} is a {type(model).__name__}, and that is no LanguageModel: give a "
            "model of load_pair (pair.target, pair.draft), or one of transformers as "
            "TransformersModel(model)"
        )


def proposal(
    drafter: Drafter, text: CommittedText, limit: int, noise: RoundNoise, target: LanguageModel
) -> Draft:
    """What `drafter` guesses after `text`, at most `limit` tokens, copied and checked.

    Raises:
        ValueError: no drafter, or as `checked_draft`.
    """
    if not hasattr(drafter, "propose"):
        raise ValueError(
            f"the drafter is a {type(drafter).__name__}, which proposes nothing: of a draft "
            "model make one, as Sampled(pair.draft)"
        )
    own = DraftNoise(noise.uniforms("draft", limit))
    return checked_draft(drafter.propose(text, limit, own), limit, target)


def checked_draft(draft: Any, limit: int, target: LanguageModel) -> Draft:
    """A copy of what a drafter returned.

    Raises:
        ValueError: no Draft, too many guesses, an unknown token, rows of q that are no
            distributions or exclude the guess, or a tree whose parents do not come first.
    """
    try:
        proposed, q, parents = draft.tokens, draft.q, draft.parents
    except AttributeError:
        kind = type(draft).__name__
        raise ValueError(f"the drafter returned a {kind}: return a Draft(tokens, q)") from None
    try:
        guesses = tuple(map(index, proposed))
    except TypeError:
        raise ValueError(f"the drafter proposed {proposed!r:.60}: give token ids") from None
    if len(guesses) > limit:
        raise ValueError(f"the drafter proposed more tokens than fit, which are at most {limit}")
    last = target.vocabulary_size - 1
    for x in guesses:
        if not 0 <= x <= last:
            raise ValueError(f"the drafter proposed token {x}; the target knows 0 to {last}")
    if q is not None:
        q = _checked_q(_copied(q), guesses, target.vocabulary_size)
    if parents is not None:
        parents = checked_parents(parents)
        if len(parents) != len(guesses):
            raise ValueError(f"{len(parents)} parents for {len(guesses)} guesses: give one each")
    return Draft(guesses, q, parents)


def _copied(rows: Any) -> Rows:
    """Rows in float32 at least, which stay what they are when the drafter writes over its own."""
    if isinstance(rows, np.ndarray):
        return np.array(single(rows) if rows.dtype.kind == "f" else rows.astype(float))
    if is_torch_array(rows):
        large = rows.is_floating_point() and rows.element_size() > 2
        return rows.detach().clone() if large else rows.detach().float()
    raise ValueError(
        f"q is a {type(rows).__name__}: give a NumPy array or a torch tensor of probabilities, "
        "a row for each guess"
    )


def _checked_q(q: Rows, guesses: tuple[int, ...], vocabulary_size: int) -> Rows:
    """Rows that sum to 1, as those do from which `sampling.sample` draws."""
    expected = (len(guesses), vocabulary_size)
    if tuple(q.shape) != expected:
        raise ValueError(
            f"q has shape {tuple(q.shape)}, expected {expected}: give a row for "
            "each guess; draft and target must share one vocabulary"
        )
    if not guesses:
        return q
    xp = namespace(q)
    sums = xp.sum(q, axis=-1, keepdims=True, **wide(q))
    apart = float(xp.max(xp.abs(sums - 1)))
    # NaN fails every comparison, so each is put as what must hold
    if not (float(xp.min(q)) >= 0 and apart <= SUM_SLACK):
        raise ValueError(
            f"a row of q is no distribution (row sums {np.asarray(sums[:, 0].tolist())}): give "
            "the probabilities, not logits, that each guess was drawn from"
        )
    for i, x in enumerate(guesses):
        if not float(q[i, x]) > 0:
            raise ValueError(
                f"guess {i} is token {x}, which its own row of q gives probability 0: it cannot "
                "have been drawn from it"
            )
    if apart > SUM_ROUNDING:
        q /= sums
    return q
