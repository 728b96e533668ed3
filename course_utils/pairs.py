"""Loading a target and its draft: the trained pair, Qwen3, or any two of yours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from transformers import PreTrainedTokenizerBase

from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.models.adapter import TransformersModel, UnsupportedModel, trial_tokens
from course_utils.models.context import DEFAULT_CONTEXT, asked_context
from course_utils.models.device import check_device_map, existing_device, to_dtype, too_large
from course_utils.models.loading.folder import (
    Advice,
    BadWeights,
    Source,
    check_files,
    read_advice,
    read_need,
    read_source,
    read_stop_tokens,
    read_weights,
)
from course_utils.models.loading.foreign import failing_as, hub_tried_once
from course_utils.models.loading.memory import (
    check_memory,
    free_memory,
    giving_back,
    shortage,
    total_need,
)
from course_utils.models.loading.vocabularies import first_difference, fitted
from course_utils.models.names import AUTO, ONNX, PAIRS, READABLE
from course_utils.models.qwen3.forms import FORMS, check_form, form_for
from course_utils.models.qwen3.readable import Qwen3, left_out

if TYPE_CHECKING:
    from course_utils.writing import Writing

Messages = str | Sequence[Mapping[str, str]]  # what the user says, or {"role", "content"} each
THINKING = "enable_thinking"  # what Qwen3's template calls it, and others since
# Bytes in float32: of a larger model a pass costs what reading it costs, of a smaller one what
# its kernels cost.  Processors keep less than this at hand.
LARGE = 500_000_000


class VocabularyMismatch(ValueError):
    """An id means one token to the target and another to the draft."""


@dataclass(frozen=True)
class Pair:
    """A target, perhaps a draft, and the target's tokenizer, which both use."""

    target: LanguageModel
    draft: LanguageModel | None
    tokenizer: PreTrainedTokenizerBase
    stop_tokens: tuple[int, ...]
    advice: Advice = Advice()  # of the target's makers, for a chat

    @property
    def chat_sampling(self) -> Sampling:
        return self.advice.sampling

    def encode(self, text: str) -> list[int]:
        """The tokens of `text`, and what its tokenizer puts before them; no end token after it."""
        encoding = self.tokenizer(text, return_special_tokens_mask=True)
        tokens, added = encoding["input_ids"], encoding["special_tokens_mask"]
        while text and added and added[-1]:
            tokens, added = tokens[:-1], added[:-1]
        return tokens

    def encode_chat(
        self, messages: Messages, *, system: str | None = None, thinking: bool | None = None
    ) -> list[int]:
        """The tokens of a conversation up to where the answer begins, by the target's template.

        Args:
            messages: what the user says, or all that was said so far, the oldest first:
                [{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}, ...].
            system: the system's message, before the others.
            thinking: does the model think before it answers?  None: as its template has it.

        Raises:
            ValueError: the target's tokenizer has no chat template, or one that does not read
                `enable_thinking`, or one that refuses these messages.
        """
        return chat_tokens(self.tokenizer, messages, system, thinking)

    def write(
        self, text: Messages, *, chat: bool = False, system: str | None = None,
        thinking: bool | None = None, drafter: str | Drafter = "model", rule: str | None = None,
        gamma: int | str = 4, temperature: float | None = None, top_k: int | None = None,
        top_p: float | None = None, min_p: float | None = None, max_new_tokens: int = 128,
        stop: str | Sequence[str] = (), seed: int = 0, trace: str | Path | None = None,
    ) -> "Writing":  # fmt: skip
        """Continue `text`, or answer it, speculatively; iterate over the pieces as they come.

        >>> writing = pair.write("Why is the sky blue?", chat=True, temperature=0.7)
        >>> for piece in writing: print(piece, end="")
        >>> writing.metrics.tokens_per_round

        Args:
            chat: `text` goes through the target's chat template, as `encode_chat` has it with
                `system` and `thinking`; settings that are not given are those that its makers
                advise (`advice`).
            drafter: a name of `DRAFTERS`, "MODULE:NAME" or "FILE.py:NAME" for a class of yours
                that is called with (draft model), or a drafter itself.
            rule: of verification, by name; None: the one for what the drafter drafts.
            gamma: guesses in a round at most; "auto" measures for about a second which number pays
                most here, "adaptive" chooses before each round.  A tree has its own number.
            temperature: 0 is greedy; without a chat 1 if it is not given, as top_k 0, top_p 1 and
                min_p 0, which filter nothing.
            stop: strings before the first of which the text ends.
            trace: a new file to record the rounds in, for the command `audit`.

        Raises:
            ValueError, OSError: one of these cannot be followed; the message says what to do.
        """
        from course_utils.writing import Writing

        return Writing(
            self, text, chat=chat, system=system, thinking=thinking, drafter=drafter, rule=rule,
            gamma=gamma, temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p,
            max_new_tokens=max_new_tokens, stop=stop, seed=seed, trace=trace,
        )  # fmt: skip

    def decode(self, tokens: list[int]) -> str:
        """The text of `tokens`; no spaces are cleaned up, so that more tokens take nothing back."""
        return self.tokenizer.decode(tokens, clean_up_tokenization_spaces=False)


@giving_back()
def load_pair(
    target: str,
    draft: str | None = None,
    *,
    dtype: str | torch.dtype = "auto",
    device: str = "auto",
    device_map: str | dict | None = None,
    context: int = DEFAULT_CONTEXT,
    form: str = AUTO,
) -> Pair:
    """Load "tiny" (the trained pair), "qwen3", or any target and draft.

    Args:
        target: a folder, a hub id, or the name of a pair, which brings its draft.
        draft: a folder or a hub id; None loads no draft but a named pair's own.
        dtype: one of `device.DTYPES`.  "auto" takes bfloat16 where the processor has it, float16
            on a GPU that has only that; on a CPU not if the models are so small that other things
            than the bytes of a pass decide (`LARGE`); else float32.
        device: "auto" is a CUDA device if there is one, else the CPU.
        device_map: given to transformers as it is; "auto" lets accelerate
            spread each model over devices, in the adapter instead of `Qwen3`.
        context: the most tokens a session holds, prompt included.
        form: of each `Qwen3`, one of `FORMS`.  "auto" is ONNX Runtime on a CPU in float32, where
            its copy of the weights fits the memory, and else the readable form.  Other models are
            what they are without it.

    Raises:
        ModelNotFound, BadConfig, BadWeights, VocabularyMismatch, UnsupportedModel,
            MemoryShortage: each says what was wrong and what to do.
        ValueError: `dtype`, `device`, `device_map`, `context` or `form` is not one that can be had
            here.
    """
    target, usual_draft = PAIRS.get(target, (target, None))
    names = [name for name in (target, usual_draft if draft is None else draft) if name is not None]
    place = existing_device(device)
    check_device_map(device_map)
    wide = asked_context(context)
    numbers = to_dtype(dtype, place)
    check_form(form, torch.float32 if dtype == "auto" else numbers, place)
    with hub_tried_once(names):
        sources: list[Source] = []
        for name in names:
            sources.append(read_source(name, *sources))
        _check_vocabulary(*sources)
        stop_tokens, advice = read_stop_tokens(sources[0]), read_advice(sources[0].name)
        if dtype == "auto" and place.type == "cpu" and (form == ONNX or _are_small(sources)):
            numbers = torch.float32
        asked = _Asked(numbers, place, device_map, wide, form)
        asked = replace(asked, form=_fitting_form(sources, asked))
        loaded = [_model(source, asked) for source in sources]
    draft_model = fitted(loaded[1], loaded[0].vocabulary_size) if len(loaded) > 1 else None
    return Pair(loaded[0], draft_model, sources[0].tokenizer, stop_tokens, advice)


@dataclass(frozen=True)
class _Asked:
    """How and where both models are wanted, after every argument was looked at."""

    dtype: torch.dtype
    device: torch.device
    device_map: str | dict | None
    context: int  # tokens
    form: str


def _are_small(sources: Sequence[Source]) -> bool:
    return all(read_need(source, torch.float32, 1).weights < LARGE for source in sources)


def _fitting_form(sources: Sequence[Source], asked: _Asked) -> str:
    """The form that was asked for; `auto` is the readable one where ONNX Runtime's does not fit.

    Raises:
        BadConfig: no model can be built from a config.
        MemoryShortage: the models do not fit the memory.
        BadWeights: the files do not hold as many numbers as the models need.
    """
    dtype, context, form = asked.dtype, asked.context, READABLE
    needs = [read_need(source, dtype, context) for source in sources]
    if asked.device_map is None:  # else accelerate does its own accounting
        form, free = form_for(asked.form, dtype, asked.device), free_memory(asked.device)
        doubled = [  # ONNX Runtime packs a copy of the weights
            need if left_out(source.config) else replace(need, weights=2 * need.weights)
            for source, need in zip(sources, needs, strict=True)
        ]
        if form != asked.form and total_need(doubled) > free:
            form = READABLE
        names = [source.name for source in sources]
        needed = doubled if form == ONNX else needs
        check_memory(names, needed, free, dtype, context, asked.device)
    for source, need in zip(sources, needs, strict=True):
        check_files(source, need.weights // dtype.itemsize)
    return form


def _model(source: Source, asked: _Asked) -> LanguageModel:
    """`Qwen3` where it can, transformers' own forward pass elsewhere."""
    try:
        model = read_weights(source, asked.dtype, asked.device_map)
        if asked.device_map is not None:
            return TransformersModel(model, asked.context)
        model = model.to(asked.device)
        if left_out(source.config) is not None:
            return TransformersModel(model, asked.context)
        weights = dict(model.state_dict())
        del model  # so that Qwen3 can free each matrix as it fuses it
        qwen3 = Qwen3(source.config, weights, asked.context)
    except UnsupportedModel as error:
        raise UnsupportedModel(f"{source.name} cannot be used: {error}") from error
    except torch.OutOfMemoryError as error:
        raise shortage(f"{source.name} does not fit the memory", asked.device) from error
    tokens = trial_tokens(qwen3.vocabulary_size)[: qwen3.context]
    if not qwen3.start([]).extend(tokens).isfinite().all():
        raise BadWeights(
            f"{source.name} gives logits that are not finite: its config.json or its weights are "
            f"damaged{too_large(asked.dtype)}"
        )
    return FORMS[asked.form](qwen3)


def _check_vocabulary(target: Source, draft: Source | None = None) -> None:
    """Refuse a draft that means other tokens by the ids that both have.

    Raises:
        VocabularyMismatch: it shows the first id that differs, and says what to do.
    """
    if draft is None:
        return
    both = [source.tokenizer for source in (target, draft)]
    at = first_difference(*(tokenizer.get_vocab() for tokenizer in both))
    if at is not None:
        a, b = (tokenizer.convert_ids_to_tokens(at) for tokenizer in both)
        raise VocabularyMismatch(
            f"token {at} is {a!r} in {target.name} and {b!r} in {draft.name}: p and q must be "
            "distributions over one vocabulary. Take a draft of the same family, or none: lookup "
            "and n-grams need no draft model"
        )


def chat_tokens(
    tokenizer: PreTrainedTokenizerBase,
    messages: Messages,
    system: str | None,
    thinking: bool | None,
) -> list[int]:
    """The tokens up to where the answer begins; for the arguments see `Pair.encode_chat`.

    The template that comes with a tokenizer decides how turns are marked, and how a model is told
    to think first or not to; transformers fills it in.

    Raises:
        ValueError: there is no template, it does not read `THINKING`, or it refuses the messages.
    """
    if tokenizer.chat_template is None:
        raise ValueError(
            "the target's tokenizer has no chat template, for this model has not learnt to chat: "
            "give a text to continue, without --chat, or a target that has, as Qwen/Qwen3-0.6B"
        )
    if thinking is not None and THINKING not in tokenizer.get_chat_template():
        raise ValueError(
            f"the target's chat template does not read {THINKING}, so thinking cannot be turned "
            "on or off: leave --thinking and --no-thinking out"
        )
    turns = [{"role": "user", "content": messages}] if isinstance(messages, str) else [*messages]
    if system is not None:
        turns = [{"role": "system", "content": system}, *turns]
    for turn in turns:
        _check(turn)
    said = {} if thinking is None else {THINKING: thinking}
    with failing_as(ValueError, "the target's chat template refuses these messages"):
        return tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, return_dict=False, **said
        )


def _check(turn: object) -> None:
    fields = [turn.get("role"), turn.get("content")] if isinstance(turn, Mapping) else [None]
    if not all(isinstance(field, str) for field in fields):
        raise ValueError(
            f"a message is {turn!r}: give what the user says, or messages in their order, each "
            '{"role": "user", "content": "..."}'
        )
