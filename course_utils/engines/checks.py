"""What is tried on an installed vLLM: the articles' lines, what they become today, and the rest.

A check is put to the engine's own parser or configuration classes by `probe`, never to a copy of
them.  "model:NAME" is a folder: one of `shapes`, or the trained pair as "target" and "draft".
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """A line for the engine: its `way` is one of `probe.WAYS`, `given` what goes in."""

    name: str
    way: str
    given: object


def _engine(
    name: str, model: str, speculative: dict[str, object] | None, **others: object
) -> Check:
    if speculative is not None:  # a key that is None is a key that is not given
        speculative = {key: value for key, value in speculative.items() if value is not None}
    given = {"model": f"model:{model}", "speculative_config": speculative, **others}
    return Check(name, "configuration", given)


def _pair(name: str, **speculative: object) -> Check:
    """The trained pair, five drafted tokens per round, and what `speculative` adds."""
    given = {"method": "draft_model", "model": "model:draft", "num_speculative_tokens": 5}
    return _engine(name, "target", given | speculative)


def _lookup(name: str, **speculative: object) -> Check:
    given = {"method": "ngram", "num_speculative_tokens": 5}
    return _engine(name, "target", given | speculative)


_EAGLE3 = {"method": "eagle3", "model": "model:Qwen3-8B_eagle3", "num_speculative_tokens": 3}
_SMALL = {"method": "draft_model", "model": "model:Qwen3-0.6B", "num_speculative_tokens": 5}

_FLAGS = ("--spec-method", "draft_model", "--spec-model", "model:draft", "--spec-tokens", "5")

# article 001 and what its lines have become
FIRST = (
    Check("001: the import", "import", "vllm.model_executor.models.draft_model"),
    Check(
        "001: draft_model=",
        "keywords",
        {"model": "model:Llama-2-70b", "draft_model": "model:Llama-2-7b"},
    ),
    Check(
        "001: num_speculative_tokens=",
        "keywords",
        {"model": "model:Llama-2-70b", "num_speculative_tokens": 8},
    ),
    _engine(
        "001 today",
        "Llama-2-70b",
        {"method": "draft_model", "model": "model:Llama-2-7b", "num_speculative_tokens": 8},
    ),
    Check("serve --draft-model-id", "serve", ["model:target", "--draft-model-id", "model:draft"]),
    Check("serve --speculative-decoding", "serve", ["model:target", "--speculative-decoding"]),
    Check(
        "serve --num-speculative-tokens",
        "serve",
        ["model:target", "--num-speculative-tokens", "8"],
    ),
    Check(
        "serve --speculative-model",
        "serve",
        ["model:target", "--speculative-model", "model:draft"],
    ),
    Check(
        "serve --speculative-config",
        "serve",
        [
            "model:target",
            "--speculative-config",
            '{"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup_max": 3}',
        ],
    ),
    Check(
        "serve --spec-method",
        "serve",
        ["model:target", *_FLAGS],
    ),
    _pair("a threshold for the ratio", acceptance_threshold=0.5),
    _pair("posterior_threshold", posterior_threshold=0.09),
    Check(
        "keys",
        "keys",
        "method rejection_sample_method draft_sample_method",
    ),
)

# article 002
SECOND = (
    # a build without torchvision cannot look at such a target and says that first
    _engine(
        "002: two families",
        "Qwen3-VL-235B-A22B",
        {"model": "model:Qwen2.5-VL-3B", "num_speculative_tokens": 5},
        tensor_parallel_size=1,
    ),
    Check("002: the draft's positions", "drafted by", "model:Qwen2.5-VL-3B"),
    Check("a text model's positions", "drafted by", "model:Qwen2.5-3B"),
    _pair("no method is named", method=None),
    _engine(
        "two families, one size",
        "Qwen3-8B",
        {"model": "model:Qwen2.5-3B", "num_speculative_tokens": 5},
    ),
    _engine(
        "one family, two sizes",
        "Qwen3-8B",
        {"model": "model:Qwen2.5-7B", "num_speculative_tokens": 5},
    ),
    _engine("two vocabularies", "target", _SMALL),
    _engine("two vocabularies, on purpose", "target", _SMALL | {"use_heterogeneous_vocab": True}),
    _engine(
        "002: ngram",
        "opt-6.7b",
        {"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup_max": 4},
        tensor_parallel_size=1,
    ),
    _engine("002: suffix", "opt-6.7b", {"method": "suffix", "num_speculative_tokens": 5}),
    _engine("002: MTP", "opt-6.7b", {"method": "MTP", "num_speculative_tokens": 1}),
    _engine("mtp without a head", "opt-6.7b", {"method": "mtp", "num_speculative_tokens": 1}),
)

# keys of the trained pair's own configurations
THIRD = (
    _engine("no speculation", "target", None),
    _lookup("ngram 3..1", prompt_lookup_max=3, prompt_lookup_min=1),
    _lookup("ngram, a maximum alone", prompt_lookup_max=3),
    _lookup("ngram, a minimum alone", prompt_lookup_min=2),
    _lookup("ngram, neither"),
    _lookup("ngram, minimum above maximum", prompt_lookup_max=2, prompt_lookup_min=3),
    _pair("the pair"),
    _pair("no number of tokens", num_speculative_tokens=None),
    _pair("a sampled draft", draft_sample_method="probabilistic"),
    _pair("block verification", rejection_sample_method="block"),
    _pair("synthetic", rejection_sample_method="synthetic", synthetic_acceptance_length=3.0),
    _pair("fly", rejection_sample_method="fly"),
    _engine("suffix", "target", {"method": "suffix"}),
    Check(
        "suffix without its package",
        "without",
        {
            "package": "arctic_inference",
            "model": "model:target",
            "speculative_config": {"method": "suffix", "num_speculative_tokens": 5},
        },
    ),
    _pair("disable_by_batch_size", disable_by_batch_size=32),
    _pair("speculative_disable_by_batch_size", speculative_disable_by_batch_size=32),
    _pair("lengths by batch size", num_speculative_tokens_per_batch_size=[[1, 8, 5], [9, 32, 2]]),
)

# what this lesson explains and cannot run
_NEXT = "Qwen3-Next-80B-A3B"
_ONE = {"draft_tensor_parallel_size": 1}


def _split(name: str, speculative: dict[str, object] | None, tensor: int, pipeline: int = 1):
    sizes = {"tensor_parallel_size": tensor, "pipeline_parallel_size": pipeline}
    return _engine(name, "Qwen3-8B", speculative, **sizes)


FOURTH = (
    _engine("eagle3", "Qwen3-8B", _EAGLE3),
    _engine("eagle3 without its method", "Qwen3-8B", _EAGLE3 | {"method": None}),
    _engine("mtp of Qwen3-8B", "Qwen3-8B", {"method": "mtp", "num_speculative_tokens": 1}),
    _engine("mtp", _NEXT, {"method": "mtp", "num_speculative_tokens": 2}),
    _engine("mtp, no number", _NEXT, {"method": "mtp", "model": f"model:{_NEXT}"}),
    _engine(
        "mtp by its old name", _NEXT, {"method": "qwen3_next_mtp", "num_speculative_tokens": 1}
    ),
    _split("eagle3, tensor parallel 2", _EAGLE3, 2),
    _split("eagle3, draft on one of 2", _EAGLE3 | _ONE, 2),
    _split("draft, tensor parallel 2", _SMALL, 2),
    _split("draft on one of 2", _SMALL | _ONE, 2),
    Check(
        "draft on one of 2, started",
        "started",
        _split("", _SMALL | _ONE, 2).given,
    ),
    _split("draft on 2 of 4", _SMALL | {"draft_tensor_parallel_size": 2}, 4),
    _split("tensor_parallel_size inside", _SMALL | {"tensor_parallel_size": 2}, 2),
    _split("tensor parallel 3", None, 3),
    _split("eagle3, pipeline parallel 2", _EAGLE3, 1, 2),
    _split("draft, pipeline parallel 2", _SMALL, 1, 2),
    _split("tensor 2 x pipeline 2", _EAGLE3, 2, 2),
)

CHECKS = FIRST + SECOND + THIRD + FOURTH
