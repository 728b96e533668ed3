"""Draft heads at work: language models that read the hidden states of their target.

The session of a head is fed tokens, as every session is, so whatever drafts with a model drafts
with a head: `Sampled` chains, trees.

`MedusaModel`: all heads guess from the target's last state of the text, each its own position.  So
the row behind a guess says what stands so many tokens further on, whatever was guessed: the heads
propose a product of distributions, not the joint one (REFERENCES.md: medusa2024).

`EagleModel`: behind a token stands the state of the one before it: the target's where the
target has processed it, else the head's own output.  When the target has verified more, what
was read with an own output is read again with the target's (REFERENCES.md: li2025eagle3).

`ParallelModel`: all guesses come from one pass of the block, over the last state of the text and
masks.  As with Medusa, the row behind a guess does not depend on it.  The masks leave the block's
cache again before more of the text is read.
"""

from collections.abc import Sequence
from copy import copy
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.decoding.contracts import Rows
from course_utils.decoding.trees import depths
from course_utils.models.names import DATA
from course_utils.models.qwen3.forms import AnyQwen3
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa, load_head
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedSession, SharedTarget


class TargetStates:
    """The states that a session of `shared` has of one text, which grows and is rolled back."""

    def __init__(self, shared: SharedTarget):
        self._shared = shared
        self._session: SharedSession | None = None
        self._agreed = 0  # so many tokens are known to be the session's

    def known(self, tokens: Sequence[int]) -> int:
        """Of how many of `tokens`, from the first on, the states can be read.

        Of none, where the prompt is one token, which waits: the target has read nothing yet.

        Raises:
            ValueError: no session of the target is at work on this text.
        """
        if not self._agreed or not self._begins(self._session, tokens, self._agreed):
            sessions = [s for s in self._shared.in_use() if self._begins(s, tokens, 0)]
            if not sessions:
                raise ValueError(
                    "no session of the target is at work on this text, and a head has no states "
                    "of its own: give the same SharedTarget(target, aux_layers) to generate, in "
                    "the target's place, and to the head"
                )
            # subtle: a session that has read nothing begins every text, so it comes last
            self._session = max(sessions, key=lambda session: session.length > 0)
        self._agreed = self._session.length
        return self._agreed

    def at(self, tap: int, start: int, stop: int) -> Tensor:
        """States after `tap` layers of the tokens `start` to `stop`, (n, hidden); ask `known`."""
        return self._session.states[tap][start:stop]

    def forget(self, length: int) -> None:
        """The text was rolled back."""
        self._agreed = min(self._agreed, length)

    @staticmethod
    def _begins(session: SharedSession, tokens: Sequence[int], agreed: int) -> bool:
        """Does `tokens` begin with all that the session has processed?  `agreed` of it does."""
        length = session.length
        return length <= len(tokens) and session.tokens[agreed:] == list(tokens[agreed:length])


class MedusaModel:
    """A LanguageModel for `Sampled` and the tree drafters.

    Args:
        shared: the target; the same object is given to `generate`.  It keeps the states after
            its last layer.

    Raises:
        ValueError: `shared` does not tap its last layer.
    """

    def __init__(self, shared: SharedTarget, head: Medusa):
        if shared.layers not in shared.aux_layers:
            raise ValueError(
                f"Medusa reads the states after the last layer: take SharedTarget(target, "
                f"aux_layers=({shared.layers},))"
            )
        self.shared, self.head = shared, head
        self.vocabulary_size, self.context = shared.vocabulary_size, shared.context

    def start(self, prompt: Sequence[int]) -> "MedusaSession":
        session = MedusaSession(self)
        session.tokens += prompt
        return session


class MedusaSession:
    """One text, and guesses behind it; a TreeSession."""

    def __init__(self, model: MedusaModel):
        self._model = model
        self._target = TargetStates(model.shared)
        self._from: int | None = None  # the heads were last asked behind so many tokens
        self._rows: torch.Tensor | None = None  # (K, V)
        self.tokens: list[int] = []

    @property
    def length(self) -> int:
        return len(self.tokens)

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Logits (n, V); behind tokens of the text those of the first head.

        Rows of zeros, where the target has no states of the text yet.

        Raises:
            ValueError: more is guessed than there are heads.
        """
        first = self.length
        self.tokens += tokens
        known = self._target.known(self.tokens)
        if self._from != known and known < self.length:
            self._from = known
            unknown = torch.zeros(self._model.head.steps, self._model.vocabulary_size)
            self._rows = self._guessed(known) if known else unknown
        base = self.length - len(parents or ())
        deep = depths(parents or ())
        heads = [
            at - known if at < base else base + deep[at - base] - known
            for at in range(max(first, known), self.length)
        ]
        if heads and max(heads) >= self._model.head.steps:
            raise ValueError(
                f"Medusa has {self._model.head.steps} heads and was asked for guess "
                f"{max(heads) + 1}: draft fewer tokens in a row"
            )
        rows = self._rows[heads] if heads else torch.empty(0, self._model.vocabulary_size)
        if first < known:  # of a text that was read further by the target: nobody asks twice
            rows = torch.cat([self._behind_text(first, min(known, self.length)), rows])
        return rows if isinstance(self._model.shared.model, Qwen3) else rows.numpy()

    def rollback(self, length: int) -> None:
        del self.tokens[length:]
        self._target.forget(length)
        if self._from is not None and length <= self._from:  # another text may be as long
            self._from = None

    def keep(self, length: int, path: Sequence[int]) -> None:
        self.tokens[length:] = [self.tokens[length + place] for place in path]
        self._target.forget(length)

    def _guessed(self, known: int) -> torch.Tensor:
        """The logits of all heads behind a text of whose tokens so many are known, (K, V)."""
        return self._model.head(self._normed(known - 1, known))[:, 0]

    def _behind_text(self, first: int, last: int) -> torch.Tensor:
        """The first head's logits behind the tokens `first` to `last`, (n, V)."""
        rows = self._model.head(self._normed(max(0, first - 1), last - 1))[0]
        if first == 0:
            rows = torch.cat([rows.new_zeros(1, self._model.vocabulary_size), rows])
        return rows

    def _normed(self, start: int, stop: int) -> torch.Tensor:
        states = self._target.at(self._model.shared.layers, start, stop).float()
        norm = self._model.head.target_norm
        return F.rms_norm(states, norm.shape, norm, self._model.head.eps)


HEADS = DATA / "heads"


class _Vectors(Qwen3):
    """A Qwen3 that is fed what its first block reads."""

    def embed(self, tokens: Tensor) -> Tensor:
        return tokens.to(self.dtype)

    def logits(self, hidden: Tensor) -> Tensor:
        return super().logits(hidden.to(self.dtype))  # the session keeps them in float32


class _OnnxVectors(OnnxQwen3):
    def embed(self, tokens: Tensor) -> np.ndarray:
        return tokens.numpy()


class EagleModel:
    """A LanguageModel for `Sampled` and the tree drafters.

    Args:
        shared: the target; the same object is given to `generate`.  It keeps the states that
            the head reads.
        head: trained for this target; see `heads.load_head`.

    Raises:
        ValueError: `shared` does not tap the layers that the head reads.
    """

    def __init__(self, shared: SharedTarget, head: EagleHead):
        missing = [tap for tap in head.shape.aux_layers if tap not in shared.aux_layers]
        if missing:
            raise ValueError(
                f"the head reads the states after layer {missing[0]}, and the target keeps those "
                f"after {shared.aux_layers or 'none'}: take SharedTarget(target, "
                f"aux_layers={head.shape.aux_layers})"
            )
        self.shared, self.head = shared, head
        self.vocabulary_size, self.context = shared.vocabulary_size, shared.context
        self.block = _block(shared.model, head)
        with torch.no_grad():
            embedding, state = head.join.weight.chunk(2, dim=1)
            self._embedded = F.linear(head.embedding_norm(head.embed_tokens), embedding)
            self._state = state.contiguous()
        self._chosen = None  # the draft vocabulary
        if head.shape.draft_vocabulary is not None:
            self._chosen = head.draft_tokens.long()

    def start(self, prompt: Sequence[int]) -> "EagleSession":
        session = EagleSession(self)
        session.process(prompt)
        return session

    def read(self, tokens: Sequence[int], states: Tensor) -> Tensor:
        """What the block reads: tokens (n,) and the states before them (n, d) -> (n, d)."""
        normed = F.rms_norm(
            states.float(), states.shape[-1:], self.head.state_norm.weight, self.head.eps
        )
        return F.linear(normed, self._state).add_(self._embedded[torch.tensor(tokens)])

    def first_states(self, aux_states: Sequence[Tensor]) -> Tensor:
        """The target's states (n, d), one a tap -> the states that the head begins with."""
        if len(aux_states) == 1:
            return aux_states[0]
        return self.head.first_state([state.float() for state in aux_states])

    def logits(self, states: Tensor) -> Tensor:
        """(n, d) -> (n, V); what is not in the draft vocabulary is impossible."""
        rows = self.block.logits(states)
        if self._chosen is None:
            return rows
        wide = rows.new_full((len(rows), self.vocabulary_size), -torch.inf)
        wide[:, self._chosen] = rows
        return wide


class EagleSession:
    """One text, as far as the target knows it, and guesses behind it; a TreeSession."""

    def __init__(self, model: EagleModel):
        self._model = model
        self._block = model.block.start([])  # slot i reads token i + 1 and the state of token i
        self._outputs = torch.empty(model.context, model.shared.config.hidden_size)  # by slot
        self._target = TargetStates(model.shared)
        self._true = 0  # slots that were read with states of the target
        self.tokens: list[int] = []

    @property
    def length(self) -> int:
        return len(self.tokens)

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Logits (n, V) of what follows each token; nothing is known behind a text's first, nor
        where the target has read nothing: rows of zeros."""
        states = self.process(tokens, parents)
        rows = states.new_zeros(len(tokens) - len(states), self._model.vocabulary_size)
        if len(states):
            rows = torch.cat([rows, self._model.logits(states)])
        return rows if isinstance(self._model.block, Qwen3) else rows.numpy()

    @torch.inference_mode()
    def process(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Tensor:
        """The head's own states behind the tokens (n, d); of a text's first there is none.

        Nor is there any where the target has no states of the text yet.
        """
        first = max(0, self.length - 1)
        self.tokens += tokens
        if self.length < 2:
            return self._outputs[:0]
        if not (known := self._target.known(self.tokens)):
            return self._outputs[:0]
        if known > self._true:
            self._block.rollback(self._true)  # what was read with an own output is read again
        while self._block.length < self.length - 1:
            self._read_on(known, tuple(parents or ()))
        self._true = max(self._true, min(known, self.length - 1))
        return self._outputs[first : self.length - 1]

    def rollback(self, length: int) -> None:
        del self.tokens[length:]
        self._block.rollback(max(0, length - 1))
        self._true = min(self._true, self._block.length)
        self._target.forget(length)

    def keep(self, length: int, path: Sequence[int]) -> None:
        self.tokens[length:] = [self.tokens[length + place] for place in path]
        self._block.keep(length - 1, path)
        slots = torch.tensor(path, dtype=torch.long) + length - 1
        self._outputs[length - 1 : self._block.length] = self._outputs[slots]
        self._true = min(self._true, length - 1)
        self._target.forget(length)

    def true_states(self, start: int, stop: int) -> Tensor:
        """What the head makes of the target's states of the tokens `start` to `stop`, (n, d)."""
        aux_layers = self._model.head.shape.aux_layers
        return self._model.first_states([self._target.at(tap, start, stop) for tap in aux_layers])

    def _read_on(self, known: int, parents: tuple[int, ...]) -> None:
        """Read all next tokens whose state before them is there."""
        done = self._block.length
        before = self._before(parents)
        ready = done
        while ready < self.length - 1 and (ready < known or before(ready) < done):
            ready += 1
        true = min(ready, known)
        states = []
        if done < true:
            states.append(self.true_states(done, true))
        own = [before(slot) for slot in range(max(done, true), ready)]
        if own:
            states.append(self._outputs[own])
        x = self._model.read(self.tokens[done + 1 : ready + 1], torch.cat(states))
        tree = len(parents) - (self.length - 1 - ready)  # nodes of it that are then read
        self._outputs[done:ready] = self._block.process(x, parents[:tree] if tree > 0 else None)

    def _before(self, parents: tuple[int, ...]):
        """slot -> the slot of the token before its own."""
        base = self.length - len(parents) - 1  # slot of the tree's first node

        def before(slot: int) -> int:
            if slot < base:
                return slot - 1
            return base + parents[slot - base] if parents[slot - base] >= 0 else base - 1

        return before


class ParallelModel(EagleModel):
    """A LanguageModel for `Sampled` and the tree drafters; of a `BlockHead`, the rest as there."""

    def start(self, prompt: Sequence[int]) -> "ParallelSession":
        session = ParallelSession(self)
        session.tokens += prompt
        return session


class ParallelSession(MedusaSession):
    """One text, and guesses behind it, all of one pass of the block; a TreeSession."""

    def __init__(self, model: ParallelModel):
        super().__init__(model)
        self._block = model.block.start([])  # slot i reads token i + 1 and the state of token i
        self._outputs = torch.empty(model.context, model.shared.config.hidden_size)  # by slot

    def rollback(self, length: int) -> None:
        super().rollback(length)
        self._block.rollback(min(self._block.length, max(0, length - 1)))

    def keep(self, length: int, path: Sequence[int]) -> None:
        super().keep(length, path)
        self._from = None
        self._block.rollback(min(self._block.length, length - 1))

    def _guessed(self, known: int) -> Tensor:
        return self._model.logits(self._read(known, self._model.head.mask_embeddings))

    def _behind_text(self, first: int, last: int) -> Tensor:
        self._read(last - 1)
        rows = self._model.logits(self._outputs[max(0, first - 1) : last - 1])
        return rows if first else torch.cat([rows.new_zeros(1, rows.shape[1]), rows])

    def _read(self, stop: int, masks: Tensor | None = None) -> Tensor | None:
        """Read the slots up to `stop`, and masks behind the last -> states of that and of them."""
        done = self._block.length
        if done >= stop:
            return None
        aux_layers = [self._target.at(tap, done, stop) for tap in self._model.head.shape.aux_layers]
        x = self._model.read(self.tokens[done + 1 : stop + 1], self._model.first_states(aux_layers))
        if masks is not None:
            x = torch.cat([x, x[-1] + masks])
        states = self._block.process(x)
        self._forget_masks(stop)
        self._outputs[done:stop] = states[: stop - done]
        return states[stop - done - 1 :]

    def _forget_masks(self, stop: int) -> None:
        """They are no text: each slot from `stop` on is read again with a token and a state."""
        self._block.rollback(stop)


def _block(target: AnyQwen3, head: EagleHead) -> AnyQwen3:
    """The head's block as a model of one layer, in the target's dtype and of its kind."""
    config = copy(target.config)
    config.num_hidden_layers, config.layer_types = 1, ["full_attention"]
    config.intermediate_size = head.shape.intermediate
    if head.shape.draft_vocabulary is None:
        norm, lm_head = head.target_norm, head.target_head
    else:
        norm, lm_head = head.norm.weight, head.lm_head.weight
    weights = {
        "model.embed_tokens.weight": head.embed_tokens,
        "model.norm.weight": norm,
        "lm_head.weight": lm_head,
        **{f"model.layers.0.{name}": w for name, w in head.block.state_dict().items()},
    }
    weights = {name: weight.detach().to(target.dtype) for name, weight in weights.items()}
    block = _Vectors(config, weights, target.context)
    if isinstance(target, OnnxQwen3):
        return _OnnxVectors(block, head=False)  # few of its states become logits
    return block


def trained_head(target: AnyQwen3, name: str, folder: Path = HEADS) -> EagleModel | MedusaModel:
    """The head `name` of `folder` at work on `target`, which its `shared` then is.

    Raises:
        FileNotFoundError: there is no such head.
        ValueError: it was trained for another target.
    """
    head = load_head(folder / name, target)
    aux_layers = (target.layers,) if isinstance(head, Medusa) else head.shape.aux_layers
    return at_work(SharedTarget(target, aux_layers), head)


def at_work(shared: SharedTarget, head: Medusa | EagleHead) -> EagleModel | MedusaModel:
    """`head` as a language model that drafts for `shared`, which keeps the states that it reads."""
    if isinstance(head, Medusa):
        return MedusaModel(shared, head)
    return (ParallelModel if isinstance(head, BlockHead) else EagleModel)(shared, head)
