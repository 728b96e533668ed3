"""The largest length of a text, from a model's config."""

from transformers import PretrainedConfig

DEFAULT_CONTEXT = 4096  # tokens
_LIMITS = ("max_position_embeddings", "max_seq_len", "max_target_positions")


def fitting_context(context: int | None, config: PretrainedConfig) -> int:
    """Return the largest length of a text: `context` (None: 4096), or the model's own if lower.

    From some length on "longrope" (REFERENCES.md: ding2024) rotates all positions differently, so
    that the cached keys no longer fit; the limit is that length, too.

    Raises:
        ValueError: `context` is not a whole number of at least 1.
    """
    context = DEFAULT_CONTEXT if context is None else context
    if type(context) is not int or context < 1:
        raise ValueError(f"context is {context!r}; give a whole number of tokens, at least 1")
    limits = [getattr(config, name, None) for name in _LIMITS]
    rotary = getattr(config, "rope_parameters", None) or {}
    for parameters in (rotary, *rotary.values()):  # some models have a set per type of layer
        if isinstance(parameters, dict) and parameters.get("rope_type") == "longrope":
            limits.append(parameters.get("original_max_position_embeddings"))
    return min([context, *(limit for limit in limits if limit is not None)])
