"""How vLLM is told to speculate: settings that serve the course's own pair.

Keys are those of vLLM's `SpeculativeConfig` (docs.vllm.ai, features/speculative_decoding;
REFERENCES.md: vllm).  The draft's length is the course's gamma everywhere, so that the
counts of an engine can be laid beside ours.
"""

import json
from dataclasses import dataclass, replace

GAMMA = 4
MODEL = "course-target"  # what the server calls the target


@dataclass(frozen=True)
class Configuration:
    """One way to start the server."""

    name: str
    speculative: dict | None  # vLLM's speculative_config; None is plain decoding
    means: str  # in the course's words

    def drafting(self, k: int) -> "Configuration":
        """The same with drafts of k tokens."""
        if self.speculative is None:
            return self
        return replace(self, speculative=self.speculative | {"num_speculative_tokens": k})

    def arguments(self, port: int, host: str = "127.0.0.1") -> list[str]:
        """Of `vllm serve`, without the engine's own name: paths are relative to the repository.

        float32 without compiled graphs, because there greedy texts can be compared to
        the last token; production servers use neither.
        """
        speculative = []
        if self.speculative is not None:
            speculative = ["--speculative-config", json.dumps(self.speculative)]
            speculative += ["--per-request-spec-decode-metrics", "detailed"]
        return [
            "data/target", "--served-model-name", MODEL, "--host", host, "--port", str(port),
            "--dtype", "float32", "--max-model-len", "1024", "--enforce-eager",
            "--enable-per-request-metrics", *speculative,
        ]  # fmt: skip


CONFIGURATIONS = {
    c.name: c
    for c in (
        Configuration("none", None, "plain decoding"),
        Configuration(
            "ngram",
            {
                "method": "ngram",
                "num_speculative_tokens": GAMMA,
                "prompt_lookup_min": 1,
                "prompt_lookup_max": 3,
            },
            "the last n tokens looked up in the text so far, n from 3 down to 1",
        ),
        Configuration(
            "draft_model",
            {
                "method": "draft_model",
                "model": "data/draft",
                "num_speculative_tokens": GAMMA,
                "draft_sample_method": "probabilistic",
            },
            "a draft model that draws its guesses at the request's temperature",
        ),
        Configuration(
            "draft_model_greedy",
            {"method": "draft_model", "model": "data/draft", "num_speculative_tokens": GAMMA},
            "the same with vLLM's default: the draft's likeliest token at any temperature",
        ),
        Configuration(
            "suffix",
            {"method": "suffix", "num_speculative_tokens": GAMMA},
            "the longest suffix seen before, in this text or in others the server wrote",
        ),
    )
}
