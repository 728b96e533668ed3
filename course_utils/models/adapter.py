"""Any causal language model of transformers as a LanguageModel, if it can be rolled back.

It is slower than `Qwen3`, because its cache grows by concatenation, but it runs Gemma and others,
and models that accelerate has spread over devices.

A model's config does not say whether its tokens can be taken back, so a trial checks it on a few of
them: see `contract`.

A running state summarises the whole text in a few matrices, so it cannot be cropped.  Instead it is
copied before each pass; a rollback restores a copy and reads the accepted tokens again.
"""

import inspect
from collections import deque
from collections.abc import Sequence
from copy import deepcopy
from math import sqrt
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from course_utils.models.contract import TRIAL_TOKENS, session_fault, trial_text
from course_utils.models.device import fitting_context, not_finite, timed_on
from course_utils.shortage import failing_as

CACHE_NAMES = "cache", "past_key_values", "cache_params"  # its argument; the newest name first
SNAPSHOTS = 16  # a draft model reads its guesses one by one and rolls back several

# Faults that appear only in texts too long for a trial; see tests/decoding/test_families.py.
_UNSOUND = {
    "moshi": "does not apply its sliding window when it reads several tokens",
    "big_bird": "uses block attention or full attention, depending on its first text's length",
    "rwkv": "stores its running state in a format that cannot be copied here",
    "xlstm": "stores its running state in a format that cannot be copied here",
}


class TransformersModel:
    """A loaded model of transformers as a LanguageModel; `context` lowers the config's limit.

    Raises:
        UnsupportedModel: the model's sessions would break the contract of `Session`.
    """

    def __init__(self, model: Any, context: int | None = None):
        self.model = model.eval()
        arguments = inspect.signature(type(model).forward).parameters
        self._keeps_rows = "logits_to_keep" in arguments
        self._cache = next((name for name in CACHE_NAMES if name in arguments), CACHE_NAMES[1])
        self.config = model.config.get_text_config(decoder=True)
        self.vocabulary_size = self.config.vocab_size
        self.context = TRIAL_TOKENS
        name = type(model).__name__
        with failing_as(UnsupportedModel, f"{name} does not run on plain text"):
            reason = _UNSOUND.get(self.config.model_type) or _trial(self)
        if reason:
            raise UnsupportedModel(f"{name} {reason}")
        self.context = fitting_context(context, self.config)
        timed_on(self.device, *(weight.device for weight in model.parameters()))

    @property
    def device(self) -> torch.device:
        """The input device: with `device_map`, that of the embedding, even if it is offloaded."""
        embedding = self.model.get_input_embeddings()
        if embedding.weight.is_meta:
            return torch.device(embedding._hf_hook.execution_device)
        return embedding.weight.device

    @property
    def dtype(self) -> torch.dtype:
        return self.model.dtype

    @property
    def weight_bytes(self) -> int:
        """The bytes that a pass reads: all weights, except an embedding that is not the head."""
        inside, head = self.model.get_input_embeddings(), self.model.get_output_embeddings()
        untied = head is not None and head.weight is not inside.weight
        return sum(w.nbytes for w in self.model.parameters()) - untied * inside.weight.nbytes

    def start(self, prompt: Sequence[int]) -> "TransformersSession":
        session = TransformersSession(self)
        if prompt:
            session.forward(prompt, rows=1)
        return session

    def forward(self, tokens: Sequence[int], cache: DynamicCache, rows: int) -> Tensor:
        """Put `tokens` into `cache`; return the logits of the last `rows` of them, float32."""
        ids = torch.tensor([tokens], dtype=torch.long, device=self.device)
        options = {"logits_to_keep": rows} if self._keeps_rows else {}
        output = self.model(ids, **{self._cache: cache}, use_cache=True, **options)
        return output.logits[0, -rows:].float()


class TransformersSession:
    """One text and its DynamicCache."""

    def __init__(self, adapter: TransformersModel):
        self._adapter = adapter
        self._forget()

    def _forget(self) -> None:
        self._tokens: list[int] = []
        cache: Any = DynamicCache(config=self._adapter.model.config)
        self.cache = cache
        # copies of the layers of a model with a running state, each with its number of tokens
        self._snapshots: deque[tuple[int, list[Any]]] = deque(maxlen=SNAPSHOTS)
        if not self._adapter.model._is_stateful:
            # a layer with a window drops the tokens before it, unless a rollback is announced
            self.cache.activate_past_recording()
        self._shortest = 0  # for a shorter length, the text must be read again

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> Tensor:
        """Return the logits (len(tokens), vocabulary), float32."""
        return self.forward(tokens, rows=len(tokens))

    @torch.inference_mode()
    def forward(self, tokens: Sequence[int], rows: int) -> Tensor:
        """Process `tokens`; return the logits of the last `rows` of them.

        Raises:
            ValueError: the tokens do not fit the context.
        """
        if self.length + len(tokens) > self._adapter.context:
            raise ValueError(
                f"{self.length + len(tokens)} tokens do not fit the context "
                f"of {self._adapter.context}"
            )
        if self._adapter.model._is_stateful:
            self._snapshots.append((self.length, [_snapshot(x) for x in self.cache.layers]))
        logits = self._adapter.forward(tokens, self.cache, rows)
        self._tokens += tokens
        return logits

    def rollback(self, length: int) -> None:
        """Drop all but the first `length` tokens.  Read again what follows the last copy of a
        running state, or a text shorter than that of an earlier rollback."""
        if length >= self.length:
            return
        text = self._tokens[:length]
        if self._adapter.model._is_stateful:
            self._restore(length)
        else:
            self._crop(length)
        if not self._tokens:
            self._forget()
        if missing := text[self.length :]:
            self.forward(missing, rows=1)

    def _restore(self, length: int) -> None:
        """Restore the latest copy of at most `length` tokens, if there is one."""
        fitting = [copy for copy in self._snapshots if copy[0] <= length]
        self._snapshots.clear()
        tokens, self.cache.layers = fitting[-1] if fitting else (0, self.cache.layers)
        del self._tokens[tokens:]

    def _crop(self, length: int) -> None:
        """Crop to `length` tokens, or to none if the cache cannot be cropped."""
        if length < max(self._shortest, 1):
            self._tokens.clear()
            return
        self.cache.crop(length - self.length)  # transformers 5 takes only negative numbers
        del self._tokens[length:]
        if any(map(self.cache.is_recording_past, range(len(self.cache)))):
            self._shortest = length  # cropping cut the layers down to their windows


def _snapshot(layer: object) -> object:
    """Copy a layer's state, which is overwritten in place; keys and values can be shared."""
    tensors = [getattr(layer, name, None) for name in ("keys", "values")]
    return deepcopy(layer, {id(tensor): tensor for tensor in tensors if tensor is not None})


class UnsupportedModel(ValueError):
    """The model's text would change under speculative decoding; the message says why."""


def _trial(model: TransformersModel) -> str | None:
    """Return what goes wrong when a text is fed in pieces instead of at once, or None."""
    size, text = model.vocabulary_size, trial_text(model)
    padding = getattr(model.config, "pad_token_id", None)
    if isinstance(padding, int) and 0 <= padding < size:
        text[2] = padding  # some models count it
    session = model.start([])
    if not session.extend(text).isfinite().all():
        return not_finite(model.dtype)
    if not all(session.cache.is_linear) and session.cache.get_seq_length() != len(text):
        return "does not store exactly the tokens it has read in its cache"
    if not (model.model._is_stateful or session.cache.is_croppable):
        return "has layers with a running state, from which rejected tokens cannot be removed"
    return session_fault(model, text, sqrt(torch.finfo(model.dtype).eps))
