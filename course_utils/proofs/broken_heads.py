"""Heads that are served wrongly: the text is right, the acceptance is dead.

Each draws from the row that it reports, so nothing that looks at tokens can tell.
`head_oracle` puts the acceptance that was served beside the one that the head defines.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.decoding.contracts import LanguageModel
from course_utils.models.forms import AnyQwen3
from course_utils.models.head_models import AtOnce, AtOnceSession, Unrolled, UnrolledSession
from course_utils.models.heads import BlockHead, UnrolledHead
from course_utils.models.onnx_qwen3 import OnnxQwen3
from course_utils.models.shared_layers import Shared


class _Serving(Unrolled):
    """An `Unrolled` whose sessions are of another class."""

    session: type[UnrolledSession]

    def start(self, prompt: Sequence[int]) -> UnrolledSession:
        session = self.session(self)
        session.process(prompt)
        return session


class _ShiftedSession(UnrolledSession):
    def true_states(self, start: int, stop: int) -> Tensor:
        before = super().true_states(max(0, start - 1), stop - 1)
        return before if start else torch.cat([torch.zeros_like(self._outputs[:1]), before])


class Shifted(_Serving):
    """A token is put beside the state of two tokens ago."""

    session = _ShiftedSession


class WrongLayer(Unrolled):
    """Every tap is one layer too early, but for the first."""

    def first_states(self, taps: Sequence[Tensor]) -> Tensor:
        return super().first_states([taps[0], *taps[:-1]])


class _ColdSession(UnrolledSession):
    def process(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Tensor:
        self._cold = not self.tokens and len(tokens) > 1  # the prompt, read by `start`
        return super().process(tokens, parents)

    def true_states(self, start: int, stop: int) -> Tensor:
        states = super().true_states(start, stop)
        return torch.zeros_like(states) if self._cold else states


class NoWarmUp(_Serving):
    """The prompt is read without the states that the target had of it."""

    session = _ColdSession


class NormedTwice(Unrolled):
    """The states have been through the target's last norm before the head norms them."""

    def first_states(self, taps: Sequence[Tensor]) -> Tensor:
        norm = self.shared.norm.float()
        return super().first_states(
            [F.rms_norm(x.float(), norm.shape, norm, self.head.eps) for x in taps]
        )


class OffByOneVocabulary(Unrolled):
    """Row i of the head is taken for the token after the one it stands for."""

    def __init__(self, shared: Shared, head: UnrolledHead):
        super().__init__(shared, head)
        self._chosen = (self._chosen + 1) % self.vocabulary_size


@contextmanager
def _one_position_back(block: AnyQwen3) -> Iterator[None]:
    if isinstance(block, OnnxQwen3):
        names, moved = ("places",), (partial(_places_back, block.places),)
    else:
        names = "cos", "sin"
        moved = (getattr(block, name).roll(1, dims=0) for name in names)
    right = [getattr(block, name) for name in names]
    vars(block).update(zip(names, moved, strict=True))
    try:
        yield
    finally:
        vars(block).update(zip(names, right, strict=True))


def _places_back(places: Callable, *asked: object) -> tuple[np.ndarray, np.ndarray]:
    positions, bias = places(*asked)
    return np.maximum(positions - 1, 0), bias


class _SamePositionSession(UnrolledSession):
    def _read_on(self, known: int, parents: tuple[int, ...]) -> None:
        if self._block.length < known:
            return super()._read_on(known, parents)
        with _one_position_back(self._model.block):
            return super()._read_on(known, parents)


class PositionOffByOne(_Serving):
    """Guesses are read at the position before their own."""

    session = _SamePositionSession


class _MasksLeftSession(AtOnceSession):
    def _forget_masks(self, stop: int) -> None:
        pass


class MasksLeft(AtOnce):
    """What was read as a mask is kept as if it were the token that was accepted there."""

    def start(self, prompt: Sequence[int]) -> AtOnceSession:
        session = _MasksLeftSession(self)
        session.tokens += prompt
        return session


@dataclass(frozen=True)
class HeadBug:
    """A specimen: what it is called, what is wrong, where it was seen; how it is served."""

    name: str
    what: str
    origin: str
    serve: Callable[[Shared, UnrolledHead | BlockHead], LanguageModel]


MASKS_LEFT = HeadBug(
    "masks left in the cache",
    "keeps the block's masks in the head's cache where its guesses were accepted",
    "transformers 5.23, DFlashTokenCandidateGenerator: the crop of the last block before the next",
    MasksLeft,
)  # of a block, so not among the bugs of a head that is unrolled

HEAD_BUGS = (
    HeadBug(
        "state shifted by one",
        "puts a token beside the state of the token before the one it follows",
        "the off-by-one of every port; EAGLE's shift of features against tokens",
        Shifted,
    ),
    HeadBug(
        "wrong layer tapped",
        "reads the states after other layers than it was trained on",
        "SGLang PR #21272: an EAGLE-3 head run as EAGLE, accept length 1.00, no error",
        WrongLayer,
    ),
    HeadBug(
        "missing warm-up",
        "reads the prompt without the target's states of it",
        "ik_llama.cpp PR #1992: multi-token prediction, first acceptance 83.8 for 100 %, reported",
        NoWarmUp,
    ),
    HeadBug(
        "normed twice",
        "norms states that have been normed",
        "states taken after the last norm where those before it are meant",
        NormedTwice,
    ),
    HeadBug(
        "vocabulary map off by one",
        "takes row i of a draft vocabulary for the next token",
        "EAGLE-3's map from draft tokens to the target's",
        OffByOneVocabulary,
    ),
    HeadBug(
        "position off by one",
        "reads its own guesses at the position before theirs",
        "draft steps that share a position id",
        PositionOffByOne,
    ),
)
