"""Any causal language model of transformers as a LanguageModel, if it can be rolled back.

Slower than `Qwen3`, because its cache grows by concatenation, but it runs
Llama, Gemma and the rest, and models that accelerate spread over devices.

Speculative decoding feeds several tokens at once and takes some of them back.  Whether a model of
transformers stands that is not written in its config, so it is tried: four passes over a few
tokens, which must say what the text alone says, however that was fed.
"""

import inspect
from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel

from course_utils.models.context import fitting_context
from course_utils.models.device import timed_on, too_narrow
from course_utils.models.loading.foreign import cause
from course_utils.models.snapshots import Snapshots

TRIAL_LENGTH = 9
_KEPT = 4  # tokens that stay when the trial rolls back

# What shows only in texts too long for a trial; found by tests/decoding/test_families.py.
_UNSOUND = {
    "moshi": "does not mask what its sliding window leaves out when it reads several tokens"
}
_UNSOUND |= dict.fromkeys(("rwkv", "xlstm"), "keeps its running state in a form of its own")


class TransformersModel:
    """Wraps a loaded model; `context` caps the config's own limit.

    Raises:
        UnsupportedModel: the model does not keep the promises of a Session.
    """

    def __init__(self, model: PreTrainedModel, context: int | None = None):
        self.model = model.eval()
        arguments = inspect.signature(type(model).forward).parameters
        self._keeps_rows = "logits_to_keep" in arguments
        self._cache = "cache_params" if "cache_params" in arguments else "past_key_values"
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

    @property
    def weight_bytes(self) -> int:
        """What a pass reads: all weights, but of an embedding that is no head a few rows only."""
        inside, head = self.model.get_input_embeddings(), self.model.get_output_embeddings()
        untied = head is not None and head.weight is not inside.weight
        return sum(w.nbytes for w in self.model.parameters()) - untied * inside.weight.nbytes

    def start(self, prompt: Sequence[int]) -> "TransformersSession":
        session = TransformersSession(self)
        if prompt:
            session.forward(prompt, rows=1)
        return session

    def forward(self, tokens: Sequence[int], cache: DynamicCache, rows: int) -> Tensor:
        """Put `tokens` into `cache`; logits of the last `rows` of them, float32."""
        ids = torch.tensor([tokens], dtype=torch.long, device=self.device)
        kept = {"logits_to_keep": rows} if self._keeps_rows else {}
        output = self.model(ids, **{self._cache: cache}, use_cache=True, **kept)
        return output.logits[0, -rows:].float()


class TransformersSession:
    """One text and its DynamicCache."""

    def __init__(self, adapter: TransformersModel):
        self._adapter = adapter
        self._forget()

    def _forget(self) -> None:
        self._tokens: list[int] = []
        self.cache = DynamicCache(config=self._adapter.model.config)
        self._snapshots = Snapshots(self.cache) if self._adapter.model._is_stateful else None
        if not self._snapshots:
            # a layer with a window forgets what lies before it, unless a rollback is announced
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
        if self._snapshots:
            self._snapshots.take(self.length)
        logits = self._adapter.forward(tokens, self.cache, rows)
        self._tokens += tokens
        return logits

    def rollback(self, length: int) -> None:
        """Drop what follows; only a text shorter than an earlier rollback's is read again, and
        with a running state what was read since its last copy."""
        if length >= self.length:
            return
        kept = self._tokens[:length]
        if self._snapshots:
            del self._tokens[self._snapshots.restore(length) :]
        else:
            self._crop(length)
        if not self._tokens:
            self._forget()
        if missing := kept[self.length :]:
            self.forward(missing, rows=1)

    def _crop(self, length: int) -> None:
        """Leave `length` tokens, or none where the cache cannot."""
        if length < max(self._shortest, 1):
            self._tokens.clear()
            return
        self.cache.crop(length - self.length)  # transformers 5 takes negative numbers only
        del self._tokens[length:]
        if any(map(self.cache.is_recording_past, range(len(self.cache)))):
            self._shortest = length  # cropping cut the layers down to their windows


class UnsupportedModel(ValueError):
    """A model that cannot decode speculatively and still say the same; the message says why."""


def trial_tokens(vocabulary_size: int) -> list[int]:
    """A few tokens from all over the vocabulary."""
    return [(7 * i + 3) * vocabulary_size // 67 for i in range(TRIAL_LENGTH)]


def try_out(model) -> None:
    """Do nothing if `model`, a `TransformersModel`, is sound.

    Raises:
        UnsupportedModel: it is not.
        torch.OutOfMemoryError: the trial did not fit its device.
    """
    try:
        reason = _known_reason(model.model) or _found_reason(model)
    except torch.OutOfMemoryError:
        raise
    except Exception as error:  # each family has its own way to fail
        reason = f"does not run on a plain text ({cause(error)})"
    if reason:
        raise UnsupportedModel(f"{type(model.model).__name__} {reason}")


def _known_reason(model) -> str | None:
    config = model.config.get_text_config(decoder=True)
    if config.model_type == "big_bird" and config.attention_type != "original_full":
        return "attends in blocks or in full, as its first text is long or short (attention_type)"
    return _UNSOUND.get(config.model_type)


def _found_reason(model) -> str | None:
    text = _text(model)
    session = model.start([])
    at_once = session.extend(text)
    if tuple(at_once.shape) != (len(text), model.vocabulary_size):
        return (
            f"gives {at_once.shape[-1]} logits a token, and its config says that the "
            f"vocabulary has {model.vocabulary_size}"
        )
    if not at_once.isfinite().all():
        damaged = "gives logits that are not finite: its weights or its config are damaged"
        return damaged + too_narrow(model.dtype)
    if not all(session.cache.is_linear) and session.cache.get_seq_length() != len(text):
        return "does not keep exactly what it has read in the cache it is given"
    if not (model.model._is_stateful or session.cache.is_croppable):
        return "has layers with a running state, which rejected tokens cannot be taken out of again"
    return _fed_in_pieces(model, text, at_once)


def _fed_in_pieces(model, text: list[int], at_once: Tensor) -> str | None:
    """Feed the same text with wrong guesses in the middle: each row must be what it was."""
    tolerance = sqrt(torch.finfo(model.dtype).eps)
    pieces = model.start(text[:1])
    before = pieces.extend([*text[1:_KEPT], *text[:2]])[: _KEPT - 1]
    if not _same(before, at_once[1:_KEPT], tolerance):
        if model.model._is_stateful:
            return "begins anew, its state or its positions, where a text is fed in pieces"
        return "looks ahead: what it says after a token depends on later ones, as in an encoder"
    pieces.rollback(_KEPT)
    if not _same(pieces.extend(text[_KEPT:]), at_once[_KEPT:], tolerance):
        return "says something else when a text is fed in pieces and rejected tokens are taken back"
    return None


def _text(model) -> list[int]:
    """Tokens all over the vocabulary, and the padding token: some models count it."""
    text = trial_tokens(model.vocabulary_size)
    config = model.model.config.get_text_config(decoder=True)
    padding = getattr(config, "pad_token_id", None)
    if isinstance(padding, int) and 0 <= padding < model.vocabulary_size:
        text[2] = padding
    return text


def _same(a: Tensor, b: Tensor, tolerance: float) -> bool:
    """Equal but for rounding; a softmax does not see a constant added to a row."""
    a, b = a - a.mean(-1, keepdim=True), b - b.mean(-1, keepdim=True)
    return bool((a - b).norm() <= tolerance * b.norm())
