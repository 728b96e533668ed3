"""How long a text may be: what was asked for, and what the model can hold."""

from transformers import PretrainedConfig

DEFAULT_CONTEXT = 4096  # tokens
_LIMITS = ("max_position_embeddings", "max_seq_len", "max_target_positions")


def fitting_context(asked: int | None, config: PretrainedConfig) -> int:
    """Return the most tokens a text can have: `asked` (None: 4096), but no more than the model.

    "longrope" (REFERENCES.md: ding2024) turns all positions anew from some length on: what was
    cached before does not fit what comes after, so a text ends there, too.

    Raises:
        ValueError: `asked` is no length.
    """
    asked = DEFAULT_CONTEXT if asked is None else asked
    if type(asked) is not int or asked < 1:
        raise ValueError(f"context is {asked!r}; give a whole number of tokens, at least 1")
    limits = [getattr(config, name, None) for name in _LIMITS]
    rotary = getattr(config, "rope_parameters", None) or {}
    for parameters in (rotary, *rotary.values()):  # some models have a set for each type of layer
        if isinstance(parameters, dict) and parameters.get("rope_type") == "longrope":
            limits.append(parameters.get("original_max_position_embeddings"))
    return min([asked, *(limit for limit in limits if limit is not None)])
