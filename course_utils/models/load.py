"""Load a target and its draft: which files they are, what fits here, and in which form."""

import ctypes
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.models.causes import is_head
from course_utils.models.device import (
    CPU,
    DEFAULT_CONTEXT,
    device_memory,
    existing_device,
    gigabytes,
    memory_of,
    not_finite,
    to_dtype,
)
from course_utils.models.folder import (
    BadWeights,
    Need,
    Source,
    hub_tried_once,
    memory_needed,
    read_chat_sampling,
    read_source,
    read_stop_tokens,
    read_weights,
)
from course_utils.models.names import AUTO, FOUR_BIT, ONNX, READABLE, model_names
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.qwen3.readable import Qwen3, left_out
from course_utils.shortage import MemoryShortage, failing_as, naming_shortage

Messages = str | Sequence[Mapping[str, str]]  # the user's message, or {"role", "content"} each
THINKING = "enable_thinking"  # the name in Qwen3's template, and in later ones of others
MARGIN = 150_000_000  # bytes of logits, threads and gaps between blocks; 60 to 130 million measured
# Bytes in float32: above it, reading the weights dominates a pass; below it, starting the kernels
# does.  SmolLM2, 538 MB, wrote 30 tokens a second on one thread of an EPYC in float32
# on ONNX Runtime, 21 in bfloat16 (`generate --target smollm2 --drafter none --dtype ...`).
LARGE = 600_000_000


class VocabularyMismatch(ValueError):
    """Target and draft do not have the same tokens."""


@dataclass(frozen=True)
class Models:
    """A target, perhaps a draft, and the target's tokenizer, which both use."""

    target: LanguageModel
    draft: LanguageModel | None
    tokenizer: Any  # a PreTrainedTokenizerBase of transformers
    stop_tokens: tuple[int, ...]
    chat_sampling: Sampling = Sampling()  # the settings that the target's makers recommend

    def encode(self, text: str) -> list[int]:
        """Return the tokens of `text`, with the tokenizer's start token, once, if it has one."""
        encoding = self.tokenizer(text, return_special_tokens_mask=True)
        tokens, added = encoding["input_ids"], encoding["special_tokens_mask"]
        if tokens[:2] == [self.tokenizer.bos_token_id] * 2:  # the text begins with it, too
            tokens, added = tokens[1:], added[1:]
        while text and added and added[-1]:
            tokens, added = tokens[:-1], added[:-1]
        return tokens

    def encode_chat(
        self, messages: Messages, *, system: str | None = None, thinking: bool | None = None
    ) -> list[int]:
        """Return the tokens of a conversation up to the answer, by the target's chat template.

        Args:
            messages: the user's message, or the conversation so far, oldest first:
                [{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}, ...].
            system: the system message, placed before the others.
            thinking: does the model think before it answers?  None: the template's default.

        Raises:
            ValueError: the target's tokenizer has no chat template, or one that does not read
                `enable_thinking`, or one that refuses these messages.
        """
        if self.tokenizer.chat_template is None:
            raise ValueError(
                "the target's tokenizer has no chat template, so the model was not trained to "
                "chat: give a text to continue, without --chat, or take a chat model such as "
                "Qwen/Qwen3-0.6B"
            )
        if thinking is not None and THINKING not in self.tokenizer.get_chat_template():
            raise ValueError(
                f"the target's chat template does not read {THINKING}, so thinking cannot be "
                "turned on or off: leave --thinking and --no-thinking out"
            )
        messages = (
            [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        )
        first = [{"role": "system", "content": system}] if system is not None else []
        options = {} if thinking is None else {THINKING: thinking}
        with failing_as(ValueError, "the target's chat template refuses these messages"):
            return self.tokenizer.apply_chat_template(
                [*first, *messages], add_generation_prompt=True, return_dict=False, **options
            )

    def decode(self, tokens: list[int]) -> str:
        """Return the text of `tokens`, without cleaning up spaces, so that it can be streamed."""
        return self.tokenizer.decode(tokens, clean_up_tokenization_spaces=False)


@naming_shortage()
def load_models(
    target: str,
    draft: str | None = None,
    *,
    dtype: str | torch.dtype = "auto",
    device: str = "auto",
    device_map: str | dict | None = None,
    context: int = DEFAULT_CONTEXT,
    form: str = AUTO,
) -> Models:
    """Load "tiny" (the trained pair), "smollm2", "qwen3", or any target and draft.

    Args:
        target: a folder, a hub id, or the name of a pair, which includes its draft.
        draft: a folder or a hub id; None loads no draft except a named pair's own.
        dtype: one of `device.DTYPES`.  "auto" is bfloat16 if the processor supports it, float16
            on a GPU that supports only that, else float32; on a CPU it is float32 also for small
            models (`LARGE`), whose passes do not depend on the number of bytes.
        device: "auto" is a CUDA device if there is one, else the CPU; the CPU also for small
            models (`LARGE`), for which starting a GPU pass takes longer than computing it here.
        device_map: passed on to transformers; "auto" lets accelerate spread each model over
            devices, in the adapter instead of `Qwen3`.
        context: the largest number of tokens in a session, prompt included.
        form: the form of each `Qwen3`, one of `FORMS`.  "auto" is ONNX Runtime on a CPU in
            float32 if its copy of the weights fits into memory, else the readable form.
            "four-bit" is SmolLM2 as it is stored; it turns any other model into a different
            one: see `quantised`.  Models that are not a `Qwen3` ignore it.

    Raises:
        ModelNotFound, BadConfig, BadWeights, VocabularyMismatch, UnsupportedModel,
            MemoryShortage: each says what was wrong and what to do.
        ValueError: `dtype`, `device`, `context` or `form` is not available here.
    """
    target, draft = model_names(target, draft)
    head = Path(draft) if draft is not None and is_head(Path(draft)) else None
    names = [target] if draft is None or head else [target, draft]
    place = existing_device(device)
    with hub_tried_once(names):
        sources = [read_source(name) for name in names]
        _check_vocabulary(sources)
        stop_tokens, chat_sampling = read_stop_tokens(sources[0]), read_chat_sampling(target)
        needs = [memory_needed(source.config, torch.float32, context) for source in sources]
        small = all(need.weights < LARGE for need in needs)
        if device == "auto" and device_map is None and small:
            place = CPU
        numbers = to_dtype(dtype, place)
        if dtype == "auto" and place.type == "cpu" and (form not in (AUTO, READABLE) or small):
            numbers = torch.float32
        if device_map is None:  # else accelerate places the models, and checks the memory
            form = _fitting_form(sources, form, numbers, place, context, head is not None)
        size = sources[0].config.get_text_config(decoder=True).vocab_size
        loaded = [_load(s, numbers, place, device_map, context, form, size) for s in sources]
    give_back()
    if head is not None:
        from course_utils.models.trained_heads import trained_head

        guesses = trained_head(loaded[0], head)
        return Models(guesses.shared, guesses, sources[0].tokenizer, stop_tokens, chat_sampling)
    guessing = loaded[1] if len(loaded) > 1 else None
    return Models(loaded[0], guessing, sources[0].tokenizer, stop_tokens, chat_sampling)


def form_for(form: str, dtype: torch.dtype, device: torch.device) -> str:
    """Resolve `AUTO`: ONNX Runtime on a CPU in float32, else the readable form.

    Raises:
        ValueError: the form does not exist, or not in `dtype` on `device`.
    """
    if form not in (AUTO, *FORMS):
        raise ValueError(f"form is {form!r}; choose {AUTO}, {', '.join(FORMS)}")
    best = ONNX if device.type == "cpu" and dtype == torch.float32 else READABLE
    if best == READABLE and form not in (AUTO, READABLE):
        raise ValueError(
            f"form {form} runs only in float32 on a CPU, not in "
            f"{str(dtype).removeprefix('torch.')} on {device}: take float32 and cpu, or form "
            f"{READABLE}"
        )
    return best if form == AUTO else form


def _fitting_form(
    sources: Sequence[Source], form: str, dtype: torch.dtype, device: torch.device, context: int,
    has_head: bool,
) -> str:  # fmt: skip
    """Return the form in which all models fit into memory: `AUTO` is readable if ONNX does not.

    Raises:
        ValueError: as `form_for`.
        MemoryShortage: they do not fit.
    """
    chosen, (free, _) = form_for(form, dtype, device), memory_of(device)
    needs = [memory_needed(source.config, dtype, context) for source in sources]
    # copies of the head's matrix: while it is packed, and one more for a draft head
    copies = 0 if form == FOUR_BIT else 2 if has_head else 1
    packed = [
        need if left_out(source.config) else need.on_onnx(copies)
        for source, need in zip(sources, needs, strict=True)
    ]
    if form == AUTO and sum(need.total for need in packed) + MARGIN > free:
        chosen = READABLE
    names = [source.name for source in sources]
    check_memory(names, needs if chosen == READABLE else packed, free, dtype, context, device)
    return chosen


def check_memory(
    names: Sequence[str],
    needs: Sequence[Need],
    free: int,
    dtype: torch.dtype,
    context: int,
    device: torch.device = CPU,
) -> None:
    """Check that everything fits into the `free` bytes of `device`.

    Raises:
        MemoryShortage: it does not; the message says how much is missing.
    """
    total, weights = sum(need.total for need in needs), sum(need.weights for need in needs)
    if total > free:
        raise MemoryShortage(
            f"{' with '.join(names)} needs {gigabytes(total)} ({gigabytes(weights)} of weights in "
            f"{str(dtype).removeprefix('torch.')}, {gigabytes(total - weights)} of caches for "
            f"{context} tokens), but {gigabytes(free)} is free: {gigabytes(total - free)} is "
            'missing. Take smaller models (load_pair("tiny") needs 0.2 GB), the form readable, '
            f"bfloat16, or a shorter context. ({device}: {device_memory(device)})"
        )


def give_back() -> None:
    """Return the memory that loading has freed, nearly as much as the model's, to the system.

    glibc's malloc holds on to freed blocks between two used ones.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


def _load(
    source: Source,
    dtype: torch.dtype,
    device: torch.device,
    device_map: str | dict | None,
    context: int,
    form: str,
    vocabulary_size: int,
) -> Any:
    """Return a `Qwen3` if it supports the model, else transformers' own forward pass.

    Two sizes of a family may pad one tokenizer's ids differently: Qwen2.5 has 151,936 rows up to
    3B and 152,064 from 7B on.  A draft gets as many rows as its target.
    """
    model: Any = read_weights(source, dtype, device_map)
    if model.config.get_text_config(decoder=True).vocab_size != vocabulary_size:
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(0)  # of the further rows, which no text of the tokenizer has
            model.resize_token_embeddings(vocabulary_size, mean_resizing=False)
    if device_map is None:
        model = model.to(device)
    if device_map is not None or left_out(source.config) is not None:
        from course_utils.models.adapter import TransformersModel, UnsupportedModel

        try:
            return TransformersModel(model, context)
        except UnsupportedModel as error:
            raise UnsupportedModel(f"{source.name} cannot be used: {error}") from error
    config, weights = model.config, dict(model.state_dict())
    del model  # so that Qwen3 can free each matrix as it fuses it
    qwen3 = Qwen3(config, weights, context)
    tokens = range(0, qwen3.vocabulary_size, max(1, qwen3.vocabulary_size // 9))  # from all over it
    if not qwen3.start([]).extend(tokens[: qwen3.context]).isfinite().all():
        raise BadWeights(f"{source.name} {not_finite(dtype)}")
    return FORMS[form](qwen3)


def _check_vocabulary(sources: Sequence[Source]) -> None:
    """Check that target and draft have the same tokens.

    Raises:
        VocabularyMismatch: names the first id that differs.
    """
    target, draft = sources[0], sources[-1]
    meanings = {number: token for token, number in draft.tokenizer.get_vocab().items()}
    others = (
        i for token, i in target.tokenizer.get_vocab().items() if meanings.get(i, token) != token
    )
    if (at := min(others, default=None)) is not None:
        a, b = (source.tokenizer.convert_ids_to_tokens(at) for source in (target, draft))
        raise VocabularyMismatch(
            f"token {at} is {a!r} in {target.name} and {b!r} in {draft.name}, but p and q must be "
            "distributions over one vocabulary: take a draft of the same family, or none (the "
            "drafters lookup and ngram need no draft model)"
        )
