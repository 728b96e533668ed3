"""Draft heads as language models, which read the hidden states of their target.

A head's session takes tokens like any other session, so every drafter that works with a model
works with a head: `Sampled` chains, trees.

`Medusa`: each head guesses one position from the target's last state of the text, without
knowing the other guesses: the heads propose a product of distributions, not a joint one
(REFERENCES.md: medusa2024).

`EagleHead`: the head reads a token with the state of the token before it: the target's state if
the target has processed that token, else the head's own output.  After verification, tokens read
with an own output are read again with the target's state (REFERENCES.md: li2025eagle3).

`BlockHead`: one pass of the block, over the last state of the text and masks, makes all
guesses.  As with Medusa, the row after a guess does not depend on the guess.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.decoding.contracts import Rows
from course_utils.decoding.trees import depths
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.onnx_graph import float_matmul
from course_utils.models.qwen3.quantised import int8_matmul
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget


class HeadSession:
    """One text and guesses after it, read by the head of `model`, whose target may start later."""

    def __init__(self, model: "HeadModel", prompt: Sequence[int]):
        self._model: Any = model
        self._states: dict[int, Tensor] = {}  # the target's of this text, by layer
        self.tokens = list(prompt)

    @property
    def length(self) -> int:
        return len(self.tokens)

    def rollback(self, length: int) -> None:
        del self.tokens[length:]

    def keep(self, length: int, path: Sequence[int]) -> None:
        self.tokens[length:] = [self.tokens[length + place] for place in path]

    def _read_by_target(self, tree: int) -> int:
        """Return how many of the first tokens have states, the last `tree` tokens left out.

        It is 0 for a prompt of one token, which the target has not read yet.

        Raises:
            ValueError: no session of the target is decoding this text.
        """
        session = self._model.shared.find(self.tokens[: self.length - tree])
        if session is None:
            raise ValueError(
                "no session of the target is decoding this text, and a head needs its states: "
                "pass the same SharedTarget(target, aux_layers) to generate, as the target, "
                "and to the head"
            )
        self._states = session.states
        return session.length

    def _first_state(self, start: int, stop: int) -> Tensor:
        """Return the first states of an `EagleHead` at tokens read by the target, (n, hidden)."""
        head = self._model.head
        layers = head.shape.aux_layers
        return head.first_state([self._states[layer][start:stop].float() for layer in layers])


class HeadModel:
    """A LanguageModel for `Sampled` and the tree drafters.

    Args:
        shared: the target, the same object that `generate` gets.  It stores the states that
            the head reads.

    Raises:
        ValueError: `shared` does not tap the layers that the head reads.
    """

    verifies_trees = True

    def __init__(self, shared: SharedTarget, head: Medusa | EagleHead):
        layers = read_layers(shared, head)
        if missing := {*layers} - {*shared.aux_layers}:
            raise ValueError(
                f"the head reads the states after layer {min(missing)}, but the target stores "
                f"those after {shared.aux_layers or 'none'}: take SharedTarget(target, "
                f"aux_layers={layers})"
            )
        self.shared, self.head = shared, cast(Any, head)
        self.vocabulary_size, self.context = shared.vocabulary_size, shared.context
        self.max_guesses: int = getattr(head, "steps", self.context)
        if isinstance(head, EagleHead):
            self.block = block_model(shared.model, head)  # in the form of the target

    def start(self, prompt: Sequence[int]) -> "MedusaSession | EagleSession":
        if isinstance(self.head, Medusa):
            return MedusaSession(self, prompt)
        return (BlockSession if isinstance(self.head, BlockHead) else EagleSession)(self, prompt)

    def read(self, tokens: Sequence[int], states: Tensor) -> Tensor:
        """Turn tokens (n,) and the states before them (n, d) into the block's input (n, d)."""
        return self.head.joined(torch.tensor(tokens, device=states.device), states)

    def logits(self, states: Tensor) -> Tensor:
        """(n, d) -> (n, V); tokens outside the draft vocabulary get -inf."""
        rows = self.block.logits(states.to(self.block.dtype))
        if self.head.shape.draft_vocabulary is None:
            return rows
        wide = rows.new_full((len(rows), self.vocabulary_size), -torch.inf)
        wide[:, self.head.draft_tokens.long()] = rows
        return wide

    def rows(self, logits: Tensor) -> Rows:
        """Return them as the target's sessions do: an array unless it is readable."""
        return logits if isinstance(self.shared.model, Qwen3) else logits.numpy()


class MedusaSession(HeadSession):
    """One text, and guesses after it; a TreeSession."""

    def __init__(self, model: HeadModel, prompt: Sequence[int]):
        super().__init__(model, prompt)
        self._known: int | None = None  # tokens known when the heads were last run
        self._rows = torch.empty(0)  # (K, V): their logits then

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Return logits (n, V): of the first head after the text, of later heads after guesses.

        Rows are 0 for tokens that more text follows, and where the target has no states yet.

        Raises:
            ValueError: there are more guesses than heads.
        """
        first, steps = self.length, self._model.head.steps
        self.tokens += tokens
        known = self._read_by_target(len(parents or ()))
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
                f"the head makes {steps} guesses, but guess {max(heads) + 1} was requested: draft "
                "fewer tokens per round"
            )
        rows = unknown.new_zeros(len(tokens) - len(heads), self._model.vocabulary_size)
        rows = torch.cat([rows, self._rows[heads]]) if heads else rows
        return self._model.rows(rows)

    def rollback(self, length: int) -> None:
        super().rollback(length)
        if self._known is not None and length <= self._known:  # another text may be as long
            self._known = None

    def _guess(self, known: int) -> Tensor:
        """Return the logits of all heads, (K, V), after the first `known` tokens of the text."""
        head, states = self._model.head, self._states[self._model.shared.layers]
        state, norm = states[known - 1 : known], head.target_norm
        return head(F.rms_norm(state.float(), norm.shape, norm, head.eps))[:, 0]


class EagleSession(HeadSession):
    """One text, as far as the target knows it, and guesses after it; a TreeSession."""

    def __init__(self, model: HeadModel, prompt: Sequence[int]):
        super().__init__(model, prompt)
        self._block = model.block.start([])  # slot i reads token i + 1 and the state of token i
        shape = model.context, model.head.shape.hidden
        self._outputs = torch.empty(shape, device=model.shared.device)  # by slot
        self._true = 0  # slots read with states of the target

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Return the logits (n, V) after each token; rows of zeros after a text's first token,
        and where the target has read nothing."""
        first = max(0, self.length - 1)
        self.tokens += tokens
        known = self._read_by_target(len(parents or ())) if self.length > 1 else 0
        if known > self._true:
            self._block.rollback(self._true)  # slots read with an own output are read again
        while known and self._block.length < self.length - 1:
            self._read_on(known, tuple(parents or ()))
        self._true = max(self._true, min(known, self.length - 1))
        states = self._outputs[first : self.length - 1 if known else first]
        rows = states.new_zeros(len(tokens) - len(states), self._model.vocabulary_size)
        return self._model.rows(torch.cat([rows, self._model.logits(states)]) if known else rows)

    def rollback(self, length: int) -> None:
        super().rollback(length)
        self._block.rollback(max(0, length - 1))
        self._true = min(self._true, self._block.length)

    def keep(self, length: int, path: Sequence[int]) -> None:
        super().keep(length, path)
        self._block.keep(length - 1, path)
        slots = torch.tensor(path, dtype=torch.long) + length - 1
        self._outputs[length - 1 : self._block.length] = self._outputs[slots]
        self._true = min(self._true, length - 1)

    def _read_on(self, known: int, parents: tuple[int, ...]) -> None:
        """Read all following tokens for which the state before them exists."""
        base = self.length - len(parents) - 1  # the slot of the tree's first node

        def before(slot: int) -> int:
            """Return the slot of the token before this slot's."""
            return base + parents[slot - base] if slot >= base else slot - 1

        done = ready = self._block.length
        while ready < self.length - 1 and (ready < known or before(ready) < done):
            ready += 1
        true = min(ready, known)
        states = []
        if done < true:
            states.append(self._first_state(done, true))
        if own := [before(slot) for slot in range(max(done, true), ready)]:
            states.append(self._outputs[own])
        x = self._model.read(self.tokens[done + 1 : ready + 1], torch.cat(states))
        tree = len(parents) - (self.length - 1 - ready)  # nodes of the tree that are then read
        self._outputs[done:ready] = self._block.process(x, parents[:tree] if tree > 0 else None)


class BlockSession(MedusaSession):
    """One text, and guesses after it, all from one pass of the block; a TreeSession."""

    def __init__(self, model: HeadModel, prompt: Sequence[int]):
        super().__init__(model, prompt)
        self._block = model.block.start([])  # slot i reads token i + 1 and the state of token i

    def rollback(self, length: int) -> None:
        super().rollback(length)
        self._block.rollback(max(0, length - 1))

    def keep(self, length: int, path: Sequence[int]) -> None:
        super().keep(length, path)
        self._known = None
        self._block.rollback(length - 1)

    def _guess(self, known: int) -> Tensor:
        """Read the slots up to `known`, and masks after them."""
        done, model = self._block.length, self._model
        state = self._first_state(done, known)
        x = model.read(self.tokens[done + 1 : known + 1], state)
        hidden = self._block.process(torch.cat([x, x[-1] + model.head.mask_embeddings]))
        self._block.rollback(known)  # masks are not text: their slots are read again
        return model.logits(hidden[known - done - 1 :])


def read_layers(target: Any, head: Medusa | EagleHead) -> tuple[int, ...]:
    """Return the layers after which `head` reads the states; Medusa's: the last one."""
    return (target.layers,) if isinstance(head, Medusa) else head.shape.aux_layers


def block_model(target: Any, head: EagleHead) -> Any:
    """Return the head's block as a model of one layer, in the target's dtype and form."""
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
