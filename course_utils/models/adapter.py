"""Any causal language model of transformers as a LanguageModel, if it can be rolled back.

Slower than `Qwen3`, because its cache grows by concatenation, but it runs
Llama, Gemma and the rest, and models that accelerate spread over devices.
"""

import inspect
from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel

from course_utils.models.context import fitting_context
from course_utils.models.device import timed_on
from course_utils.models.trial import TRIAL_LENGTH, try_out


class TransformersModel:
    """Wraps a loaded model; `context` caps the config's own limit.

    Raises:
        UnsupportedModel: the model does not keep the promises of a Session.
    """

    def __init__(self, model: PreTrainedModel, context: int | None = None):
        self.model = model.eval()
        self._keeps_rows = "logits_to_keep" in inspect.signature(type(model).forward).parameters
        self.config = model.config.get_text_config(decoder=True)
        self.vocabulary_size = self.config.vocab_size
        self.context = TRIAL_LENGTH
        try_out(self)
        self.context = fitting_context(context, self.config)
        timed_on(self.device, *(weight.device for weight in model.parameters()))

    @property
    def device(self) -> torch.device:
        """Where tokens go in: with `device_map`, where the embedding is, or works if offloaded."""
        embedding = self.model.get_input_embeddings()
        if embedding.weight.is_meta:
            return torch.device(embedding._hf_hook.execution_device)
        return embedding.weight.device

    @property
    def dtype(self) -> torch.dtype:
        return self.model.dtype

    def start(self, prompt: Sequence[int]) -> "TransformersSession":
        session = TransformersSession(self)
        if prompt:
            session.forward(prompt, rows=1)
        return session

    def forward(self, tokens: Sequence[int], cache: DynamicCache, rows: int) -> Tensor:
        """Put `tokens` into `cache`; logits of the last `rows` of them, float32."""
        ids = torch.tensor([tokens], dtype=torch.long, device=self.device)
        kept = {"logits_to_keep": rows} if self._keeps_rows else {}
        output = self.model(ids, past_key_values=cache, use_cache=True, **kept)
        return output.logits[0, -rows:].float()


class TransformersSession:
    """One text and its DynamicCache."""

    def __init__(self, adapter: TransformersModel):
        self._adapter = adapter
        self._forget()

    def _forget(self) -> None:
        self._tokens: list[int] = []
        self.cache = DynamicCache(config=self._adapter.model.config)
        # a layer with a window forgets what lies before it, unless told that a rollback may come
        self.cache.activate_past_recording()
        self._shortest = 0  # lengths below this need the text read again

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int]) -> Tensor:
        """Logits (len(tokens), vocabulary), float32."""
        return self.forward(tokens, rows=len(tokens))

    @torch.inference_mode()
    def forward(self, tokens: Sequence[int], rows: int) -> Tensor:
        """Process `tokens`; logits of the last `rows` of them only.

        Raises:
            ValueError: the tokens do not fit the context.
        """
        if self.length + len(tokens) > self._adapter.context:
            raise ValueError(
                f"{self.length + len(tokens)} tokens do not fit the context "
                f"of {self._adapter.context}"
            )
        logits = self._adapter.forward(tokens, self.cache, rows)
        self._tokens += tokens
        return logits

    def rollback(self, length: int) -> None:
        """Drop what follows; only a text shorter than an earlier rollback's is read again."""
        if length >= self.length:
            return
        if length < max(self._shortest, 1):
            kept = self._tokens[:length]
            self._forget()
            if kept:
                self.forward(kept, rows=1)
            return
        self.cache.crop(length - self.length)  # transformers 5 takes negative numbers only
        del self._tokens[length:]
        if any(map(self.cache.is_recording_past, range(len(self.cache)))):
            self._shortest = length  # cropping cut the layers down to their windows
