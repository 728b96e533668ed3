"""Draft heads at work: language models that read the hidden states of their target.

The session of a head is fed tokens, as every session is, so whatever drafts with a model drafts
with a head: `Sampled` chains, trees.

`MedusaModel`: all heads guess from the target's last state of the text, each its own position,
whatever was guessed before: the heads propose a product of distributions, not the joint one
(REFERENCES.md: medusa2024).

`EagleModel`: behind a token stands the state of the one before it: the target's where the
target has processed it, else the head's own output.  When the target has verified more, what
was read with an own output is read again with the target's (REFERENCES.md: li2025eagle3).

`ParallelModel`: all guesses come from one pass of the block, over the last state of the text and
masks.  As with Medusa, the row behind a guess does not depend on it.
"""

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.decoding.contracts import Rows
from course_utils.decoding.trees import depths
from course_utils.models.names import DATA
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa, load_head
from course_utils.models.qwen3.onnx import AnyQwen3, OnnxQwen3
from course_utils.models.qwen3.onnx_graph import float_matmul
from course_utils.models.qwen3.quantised import int8_matmul
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedSession, SharedTarget

HEADS = DATA / "heads"


class TargetStates:
    """The states that a session of `shared` has of one text, which grows and is rolled back."""

    def __init__(self, shared: SharedTarget):
        self._shared = shared
        self._session: SharedSession | None = None
        self._agreed = 0  # so many tokens are known to be the session's

    def known(self, tokens: Sequence[int]) -> int:
        """Return how many of `tokens`, from the first on, have states that can be read.

        None has where the prompt is one token, which waits: the target has read nothing yet.

        Raises:
            ValueError: no session of the target is at work on this text.
        """
        session, agreed = self._session, self._agreed
        if session is None or not agreed or not session.holds(tokens, agreed, session.length):
            sessions = [s for s in self._shared.in_use() if s.holds(tokens, 0, s.length)]
            if not sessions:
                raise ValueError(
                    "no session of the target is at work on this text, and a head has no states "
                    "of its own: give the same SharedTarget(target, aux_layers) to generate, in "
                    "the target's place, and to the head"
                )
            # subtle: a session that has read nothing begins every text, so it comes last
            session = max(sessions, key=lambda session: session.length > 0)
        self._session, self._agreed = session, session.length
        return session.length

    def at(self, layer: int, start: int, stop: int) -> Tensor:
        """States after `layer` of the tokens `start` to `stop`, (n, hidden); ask `known` first."""
        assert self._session is not None
        states: Tensor = self._session.states[layer]
        return states[start:stop]

    def first_state(self, head: EagleHead, start: int, stop: int) -> Tensor:
        """What `head` begins with at these tokens, (n, hidden)."""
        layers = head.shape.aux_layers
        return head.first_state([self.at(layer, start, stop).float() for layer in layers])

    def rollback(self, length: int) -> None:
        self._agreed = min(self._agreed, length)


class MedusaModel:
    """A LanguageModel for `Sampled` and the tree drafters.

    Args:
        shared: the target; the same object is given to `generate`.  It keeps the states after
            its last layer.

    Raises:
        ValueError: `shared` does not tap its last layer.
    """

    def __init__(self, shared: SharedTarget, head: Medusa):
        _check_layers(shared, (shared.layers,))
        self.shared, self.head = shared, head
        self.vocabulary_size, self.context = shared.vocabulary_size, shared.context

    def start(self, prompt: Sequence[int]) -> "MedusaSession":
        session = MedusaSession(self)
        session.tokens += prompt
        return session


class MedusaSession:
    """One text, and guesses behind it; a TreeSession."""

    def __init__(self, model: "MedusaModel | ParallelModel"):
        self._model: Any = model
        self._target = TargetStates(model.shared)
        self._known: int | None = None  # so many tokens were known when the heads were last asked
        self._rows = torch.empty(0)  # (K, V): what they said
        self.tokens: list[int] = []

    @property
    def length(self) -> int:
        return len(self.tokens)

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Logits (n, V), of the first head behind the text and of a later one behind a guess.

        Rows of zeros behind what the target has processed, for more text follows there, and
        where it has no states of the text yet.

        Raises:
            ValueError: more is guessed than there are heads.
        """
        first, steps = self.length, self._model.head.steps
        self.tokens += tokens
        known = self._target.known(self.tokens)
        unknown = torch.zeros(steps, self._model.vocabulary_size, device=self._model.shared.device)
        if self._known != known and known < self.length:
            self._known, self._rows = known, self._guess(known) if known else unknown
        base, deep = self.length - len(parents or ()), depths(parents or ())
        heads = [
            (at if at < base else base + deep[at - base]) - known
            for at in range(max(first, known), self.length)
        ]
        if heads and max(heads) >= steps:
            raise ValueError(
                f"the head has {steps} guesses and was asked for guess {max(heads) + 1}: draft "
                "fewer tokens in a row"
            )
        rows = unknown.new_zeros(len(tokens) - len(heads), self._model.vocabulary_size)
        rows = torch.cat([rows, self._rows[heads]]) if heads else rows
        return rows if isinstance(self._model.shared.model, Qwen3) else rows.numpy()

    def rollback(self, length: int) -> None:
        del self.tokens[length:]
        self._target.rollback(length)
        if self._known is not None and length <= self._known:  # another text may be as long
            self._known = None

    def keep(self, length: int, path: Sequence[int]) -> None:
        self.tokens[length:] = [self.tokens[length + place] for place in path]
        self._target.rollback(length)

    def _guess(self, known: int) -> Tensor:
        """The logits of all heads behind a text of whose tokens so many are known, (K, V)."""
        state, head = self._target.at(self._model.shared.layers, known - 1, known), self._model.head
        norm = head.target_norm
        return head(F.rms_norm(state.float(), norm.shape, norm, head.eps))[:, 0]


class EagleModel:
    """A LanguageModel for `Sampled` and the tree drafters.

    Args:
        shared: the target; the same object is given to `generate`.  It keeps the states that
            the head reads.

    Raises:
        ValueError: `shared` does not tap the layers that the head reads.
    """

    def __init__(self, shared: SharedTarget, head: EagleHead):
        _check_layers(shared, head.shape.aux_layers)
        self.shared, self.head = shared, head
        self.vocabulary_size, self.context = shared.vocabulary_size, shared.context
        self.block = block_model(shared.model, head)  # in the form of the target

    def start(self, prompt: Sequence[int]) -> "EagleSession":
        """Read the prompt, or leave it to the first `extend` where the target starts later."""
        session = EagleSession(self)
        session.tokens += prompt
        if any(text.holds(prompt, 0, text.length) for text in self.shared.in_use()):
            session.process([])
        return session

    def read(self, tokens: Sequence[int], states: Tensor) -> Tensor:
        """What the block reads: tokens (n,) and the states before them (n, d) -> (n, d)."""
        return self.head.joined(torch.tensor(tokens, device=states.device), states)

    def logits(self, states: Tensor) -> Tensor:
        """(n, d) -> (n, V); what is not in the draft vocabulary is impossible."""
        rows = self.block.logits(states.to(self.block.dtype))
        if self.head.shape.draft_vocabulary is None:
            return rows
        wide = rows.new_full((len(rows), self.vocabulary_size), -torch.inf)
        wide[:, self.head.draft_tokens.long()] = rows
        return wide


class EagleSession:
    """One text, as far as the target knows it, and guesses behind it; a TreeSession."""

    def __init__(self, model: EagleModel):
        self._model = model
        self._block = model.block.start([])  # slot i reads token i + 1 and the state of token i
        shape = model.context, model.head.shape.hidden
        self._outputs = torch.empty(shape, device=model.shared.device)  # by slot
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
        known = self._target.known(self.tokens) if self.length > 1 else 0
        if not known:
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
        self._target.rollback(length)

    def keep(self, length: int, path: Sequence[int]) -> None:
        self.tokens[length:] = [self.tokens[length + place] for place in path]
        self._block.keep(length - 1, path)
        slots = torch.tensor(path, dtype=torch.long) + length - 1
        self._outputs[length - 1 : self._block.length] = self._outputs[slots]
        self._true = min(self._true, length - 1)
        self._target.rollback(length)

    def _read_on(self, known: int, parents: tuple[int, ...]) -> None:
        """Read all next tokens whose state before them is there."""
        base = self.length - len(parents) - 1  # the slot of the tree's first node

        def before(slot: int) -> int:
            """The slot of the token before the slot's own."""
            return base + parents[slot - base] if slot >= base else slot - 1

        done = ready = self._block.length
        while ready < self.length - 1 and (ready < known or before(ready) < done):
            ready += 1
        true = min(ready, known)
        states = []
        if done < true:
            states.append(self._target.first_state(self._model.head, done, true))
        if own := [before(slot) for slot in range(max(done, true), ready)]:
            states.append(self._outputs[own])
        x = self._model.read(self.tokens[done + 1 : ready + 1], torch.cat(states))
        tree = len(parents) - (self.length - 1 - ready)  # nodes of it that are then read
        self._outputs[done:ready] = self._block.process(x, parents[:tree] if tree > 0 else None)


class ParallelModel(EagleModel):
    """A LanguageModel for `Sampled` and the tree drafters; of a `BlockHead`, the rest as there."""

    head: BlockHead

    def start(self, prompt: Sequence[int]) -> "ParallelSession":  # type: ignore[override]
        session = ParallelSession(self)
        session.tokens += prompt
        return session


class ParallelSession(MedusaSession):
    """One text, and guesses behind it, all of one pass of the block; a TreeSession."""

    def __init__(self, model: ParallelModel):
        super().__init__(model)
        self._block = model.block.start([])  # slot i reads token i + 1 and the state of token i

    def rollback(self, length: int) -> None:
        super().rollback(length)
        self._block.rollback(max(0, length - 1))

    def keep(self, length: int, path: Sequence[int]) -> None:
        super().keep(length, path)
        self._known = None
        self._block.rollback(length - 1)

    def _guess(self, known: int) -> Tensor:
        """Read the slots up to `known`, and masks behind the last."""
        done, model = self._block.length, self._model
        state = self._target.first_state(model.head, done, known)
        x = model.read(self.tokens[done + 1 : known + 1], state)
        hidden = self._block.process(torch.cat([x, x[-1] + model.head.mask_embeddings]))
        self._block.rollback(known)  # masks are no text: their slots are read again
        return model.logits(hidden[known - done - 1 :])


def _check_layers(shared: SharedTarget, layers: Sequence[int]) -> None:
    """Raises ValueError: `shared` does not keep the states after all of these layers."""
    if missing := {*layers} - {*shared.aux_layers}:
        raise ValueError(
            f"the head reads the states after layer {min(missing)}, and the target keeps those "
            f"after {shared.aux_layers or 'none'}: take SharedTarget(target, aux_layers={layers})"
        )


def block_model(target: Any, head: EagleHead) -> Any:
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
    block = Qwen3(config, weights, target.context)
    if not isinstance(target, OnnxQwen3):
        return block
    return OnnxQwen3(block, int8_matmul if head.shape.int8 else float_matmul)


def trained_head(target: AnyQwen3, folder: Path) -> EagleModel | MedusaModel:
    """Put the head in `folder` to work on `target`, which its `shared` then is.

    Raises:
        FileNotFoundError: there is no such head.
        ValueError: it was trained for another target.
    """
    head = load_head(folder, target)
    aux_layers = (target.layers,) if isinstance(head, Medusa) else head.shape.aux_layers
    return at_work(SharedTarget(target, aux_layers), head)


def at_work(shared: SharedTarget, head: Medusa | EagleHead) -> EagleModel | MedusaModel:
    """`head` as a language model that drafts for `shared`, which keeps the states that it reads."""
    if isinstance(head, Medusa):
        return MedusaModel(shared, head)
    return (ParallelModel if isinstance(head, BlockHead) else EagleModel)(shared, head)
