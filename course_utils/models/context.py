"""How long a text may be: what was asked for, and what the model can hold."""

DEFAULT_CONTEXT = 4096

_LIMITS = ("max_position_embeddings", "max_seq_len", "max_target_positions")


def fitting_context(asked: int | None, config) -> int:
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


def longest_texts(config) -> list[int]:
    """The lengths that a config of transformers allows; the text ends at the least of them.

    One is where "longrope" (REFERENCES.md: ding2024) turns all positions anew: what was
    cached before does not fit what comes after, and a draft that crosses the
    line is judged by other logits than its tokens one by one.

    Raises:
        ValueError: one of them is no length.
    """
    limits = [(name, getattr(config, name, None)) for name in _LIMITS]
    for rotary in rotary_parameters(config):
        if rotary.get("rope_type") == "longrope":
            name = "original_max_position_embeddings"
            limits.append((name, rotary.get(name)))
    for name, limit in limits:
        if limit is not None and not _is_length(limit):
            raise ValueError(f"{name} is {limit!r}: it must be a whole number, at least 1")
    return [limit for _, limit in limits if limit is not None]


def _is_length(value: object) -> bool:
    return type(value) is int and value >= 1


def rotary_parameters(config) -> list[dict]:
    """The parameters of rotary positions; some models have a set for each type of layer."""
    parameters = getattr(config, "rope_parameters", None) or {}
    return [parameters, *(value for value in parameters.values() if isinstance(value, dict))]
