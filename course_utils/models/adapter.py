"""Any causal language model of transformers as a LanguageModel.

Slower than `Qwen3`, because its cache grows by concatenation, but it runs
Llama, Gemma and the rest, and models that accelerate spread over devices.
"""

from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel


class TransformersModel:
    """Wraps a loaded model; `context` caps the config's own limit."""

    def __init__(self, model: PreTrainedModel, context: int | None = None):
        self.model = model.eval()
        config = model.config.get_text_config()
        self.vocabulary_size = config.vocab_size
        limit = getattr(config, "max_position_embeddings", None) or 4096
        self.context = min(context or 4096, limit)

    @property
    def device(self) -> torch.device:
        """Where tokens go in: with `device_map`, the device of the embedding."""
        return self.model.get_input_embeddings().weight.device

    @property
    def dtype(self) -> torch.dtype:
        return self.model.dtype

    def start(self, prompt: Sequence[int]) -> "TransformersSession":
        session = TransformersSession(self)
        if prompt:
            session.forward(prompt, rows=1)
        return session


class TransformersSession:
    """One text and its DynamicCache."""

    def __init__(self, adapter: TransformersModel):
        self._adapter = adapter
        self._cache = DynamicCache(config=adapter.model.config)

    @property
    def length(self) -> int:
        return self._cache.get_seq_length()

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
        ids = torch.tensor([tokens], dtype=torch.long, device=self._adapter.device)
        output = self._adapter.model(
            ids, past_key_values=self._cache, use_cache=True, logits_to_keep=rows
        )
        return output.logits[0].float()

    def rollback(self, length: int) -> None:
        excess = self.length - length
        if excess > 0:
            self._cache.crop(-excess)  # transformers 5 takes negative numbers only
