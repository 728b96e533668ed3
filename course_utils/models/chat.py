"""A conversation as tokens: the template that comes with a tokenizer, as transformers fills it in.

The template decides how turns are marked, and how a model is told to think first or not to.
"""

from collections.abc import Mapping, Sequence

from transformers import PreTrainedTokenizerBase

from course_utils.models.foreign import failing_as

Messages = str | Sequence[Mapping[str, str]]  # what the user says, or {"role", "content"} each
THINKING = "enable_thinking"  # what Qwen3's template calls it, and others since


def chat_tokens(
    tokenizer: PreTrainedTokenizerBase,
    messages: Messages,
    system: str | None,
    thinking: bool | None,
) -> list[int]:
    """The tokens up to where the answer begins; for the arguments see `Pair.encode_chat`.

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
