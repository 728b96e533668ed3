"""How long a text may be: what was asked for, and what the model can hold."""

from transformers import PretrainedConfig

DEFAULT_CONTEXT = 4096

# These turn all positions anew once a text outgrows the length trained on: what
# was cached before no longer fits what comes after.
_CHANGE_WITH_LENGTH = ("dynamic", "longrope")


def fitting_context(asked: int | None, config: PretrainedConfig) -> int:
    """The most tokens a text can have: `asked` (None: 4096), or fewer if the model holds fewer.

    Raises:
        ValueError: `asked`, or the config's own limit, is no length.
    """
    asked = DEFAULT_CONTEXT if asked is None else asked
    if not _is_length(asked):
        raise ValueError(f"context is {asked!r}; give a whole number of tokens, at least 1")
    limits = [getattr(config, "max_position_embeddings", None)]
    for rotary in _rotary(config):
        if rotary.get("rope_type") in _CHANGE_WITH_LENGTH:
            limits.append(rotary.get("original_max_position_embeddings"))
    wrong = [limit for limit in limits if limit is not None and not _is_length(limit)]
    if wrong:
        raise ValueError(
            f"the config allows texts of {wrong[0]!r} tokens: max_position_embeddings "
            "must be a whole number, at least 1"
        )
    return min([asked, *(limit for limit in limits if limit is not None)])


def _is_length(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _rotary(config: PretrainedConfig) -> list[dict]:
    """The rotary parameters; some models have a set for each type of layer."""
    parameters = getattr(config, "rope_parameters", None) or {}
    return [parameters, *(value for value in parameters.values() if isinstance(value, dict))]
