"""How long a text may be: what was asked for, and what the model can hold."""

from transformers import PretrainedConfig

DEFAULT_CONTEXT = 4096

_LIMITS = ("max_position_embeddings", "max_seq_len", "max_target_positions")

# These turn all positions anew once a text outgrows the length trained on: what
# was cached before no longer fits what comes after.
_CHANGE_WITH_LENGTH = ("dynamic", "longrope")


def fitting_context(asked: int | None, config: PretrainedConfig) -> int:
    """The most tokens a text can have: `asked` (None: 4096), or fewer if the model holds fewer.

    Raises:
        ValueError: `asked`, or what the config says, is no length.
    """
    return min([asked_context(asked), *longest_texts(config)])


def asked_context(asked: int | None) -> int:
    """What was asked for, if that is a length.

    Raises:
        ValueError: it is not.
    """
    if asked is None:
        return DEFAULT_CONTEXT
    if not _is_length(asked):
        raise ValueError(f"context is {asked!r}; give a whole number of tokens, at least 1")
    return asked


def longest_texts(config: PretrainedConfig) -> list[int]:
    """The lengths that the config itself allows; the text ends at the least of them.

    Raises:
        ValueError: one of them is no length.
    """
    limits = [(name, getattr(config, name, None)) for name in _LIMITS]
    for rotary in rotary_parameters(config):
        if rotary.get("rope_type") in _CHANGE_WITH_LENGTH:
            name = "original_max_position_embeddings"
            limits.append((name, rotary.get(name)))
    for name, limit in limits:
        if limit is not None and not _is_length(limit):
            raise ValueError(f"{name} is {limit!r}: it must be a whole number, at least 1")
    return [limit for _, limit in limits if limit is not None]


def _is_length(value: object) -> bool:
    return type(value) is int and value >= 1


def rotary_parameters(config: PretrainedConfig) -> list[dict]:
    """The parameters of rotary positions; some models have a set for each type of layer."""
    parameters = getattr(config, "rope_parameters", None) or {}
    return [parameters, *(value for value in parameters.values() if isinstance(value, dict))]
