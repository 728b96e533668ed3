"""What to try first, situation by situation, and what that advice rests on.

A first choice is where measuring begins.  Each line names its evidence, reported by others but
for what a lesson of the course computes; settings are keys of vLLM 0.33's `speculative_config`.
"""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Evidence:
    """What a source says, in a sentence; `checked` if that was read there for this table."""

    source: str
    says: str
    checked: bool = True


@dataclass(frozen=True)
class Decision:
    """One line of the table."""

    situation: str
    choice: str
    why: str
    evidence: tuple[Evidence, ...]
    settings: dict | None = None  # None: nothing to set, or nothing that vLLM has a key for
    lesson: str | None = None  # the notebook in which the course computes it


DECISIONS = (
    Decision(
        "The model brings a head for multi-token prediction",
        "that head, K = 1 to 3",
        "It costs no training and little memory. It may have been trained before the model learnt "
        "to chat, so read the acceptance with your own template.",
        (
            Evidence(
                "REFERENCES.md#vllm-methods",
                "MTP is best where the target model supports it natively: high gain at low load.",
            ),
            Evidence(
                "REFERENCES.md#atom-609",
                "A chat template lowers acceptance: the head was not trained after pretraining.",
            ),
        ),
        {"method": "mtp", "num_speculative_tokens": 2},
        "10_trees_and_heads",
    ),
    Decision(
        "A dense model, few requests at once, and the wait for each token counts",
        "EAGLE-3, a chain of 3; a tree for single requests only",
        "One layer is cheap to draft with. Beyond a few tokens each further one costs more than it "
        "brings; the cost line of one such head, fitted to all its times, puts the best K at 4.",
        (
            Evidence(
                "REFERENCES.md#speculators-guide",
                "If unsure, start with EAGLE-3: its tools are the most mature.",
            ),
            Evidence(
                "REFERENCES.md#mlperf-330",
                "For its interactive workloads: an EAGLE-3 head, 3 steps, no tree.",
            ),
            Evidence("REFERENCES.md#vllm-20780", "The least time per token is at K = 4."),
        ),
        {"method": "eagle3", "model": "the head's name", "num_speculative_tokens": 3},
        "10_trees_and_heads",
    ),
    Decision(
        "Many requests at once, or a server that is busy all day",
        "shorter drafts as the batch grows, and none in the largest",
        "Drafts use arithmetic that lies idle in small batches, with long contexts also in large "
        "ones. `calculator.off_from` says where it ends; measure the switch itself, for it "
        "can cost more than it saves.",
        (
            Evidence(
                "REFERENCES.md#vllm-dynamic",
                "Beyond a critical batch speculation slows decoding; its example ends in K = 0.",
            ),
            Evidence("REFERENCES.md#su2023", "The best draft length falls as the batch grows."),
            Evidence(
                "REFERENCES.md#vllm-49548",
                "With such a table, 8 requests took 40 to 60 s in place of 6.3 s.",
            ),
        ),
        {
            "method": "eagle3",
            "model": "the head's name",
            "num_speculative_tokens": 3,
            "num_speculative_tokens_per_batch_size": [[1, 64, 3], [65, 128, 1], [129, 512, 0]],
        },
        "11_batched_speculation",
    ),
    Decision(
        "Edits, retrieval, agents: texts that repeat what is in the prompt",
        "n-gram lookup or suffix decoding",
        "Drafts cost nothing to speak of, so there is nothing to train and little to lose.",
        (
            Evidence(
                "REFERENCES.md#vllm-methods",
                "n-gram and suffix bring modest speedups without more work at peak traffic.",
            ),
            Evidence("REFERENCES.md#saxena2023pld", "Guess that the text goes on as before."),
            Evidence("REFERENCES.md#oliaro2024", "Suffix trees over earlier outputs, for agents."),
        ),
        {"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 4},
        "02_ngram_drafter",
    ),
    Decision(
        "One domain, steady traffic, and a draft that is accepted too rarely",
        "tune the head or the draft on the target's own outputs",
        "Acceptance is how well q follows p on your texts, and that can be learnt.",
        (
            Evidence(
                "REFERENCES.md#speculators-366",
                "A native head tuned on mathematics: 2.01 to 2.46 accepted per round at K = 3.",
            ),
            Evidence(
                "REFERENCES.md#zhou2024",
                "Texts of the draft or the target make better data than a fixed set.",
                checked=False,
            ),
        ),
        None,
        "08_better_drafts",
    ),
    Decision(
        "Temperature near 1",
        "a sampled draft, and block verification",
        "A greedy guess is accepted with p of that token alone; a sampled one with the overlap of "
        "p and q. Both are lossless, and neither wins everywhere.",
        (
            Evidence(
                "REFERENCES.md#vllm-41044",
                "Accepted / drafted 49 % in place of 10 %, 49 % more tokens per second.",
            ),
            Evidence(
                "REFERENCES.md#sun2024block",
                "Never fewer tokens in expectation than token by token.",
                checked=False,
            ),
        ),
        {
            "method": "mtp",
            "num_speculative_tokens": 2,
            "draft_sample_method": "probabilistic",
            "rejection_sample_method": "block",
        },
        "05_verification_rules",
    ),
    Decision(
        "A mixture of experts",
        "measure before you decide",
        "Each token of a pass chooses its own experts, so a pass over several tokens reads more "
        "weights: v is not 1 even alone.",
        (
            Evidence(
                "REFERENCES.md#sglang-29244",
                "146 to 93 tokens per second at 2.0 tokens per round; a dense 8B gained.",
            ),
            Evidence(
                "REFERENCES.md#angelslim-163",
                "2.5 tokens per round; 15 and 18 % slower for batches of 1 and 32, 6 % faster "
                "for 64.",
            ),
        ),
    ),
    Decision(
        "Long contexts",
        "measure at that length; shorter drafts than elsewhere",
        "Acceptance falls with the context, and a draft model of its own reads a cache as long as "
        "the target's. What lies in favour: a pass is bound by memory again.",
        (
            Evidence(
                "REFERENCES.md#vllm-47602",
                "First-position acceptance 93.5 to 72.1 %; gain turns into loss.",
            ),
            Evidence(
                "REFERENCES.md#vllm-recipes-839",
                "After 64,000 tokens of prompt K = 5 beats K = 7, at as many tokens per round.",
            ),
        ),
        {"method": "mtp", "num_speculative_tokens": 1},
        "12_production_engines",
    ),
    Decision(
        "A small model, or a CPU",
        "lookup first; a draft model only if its pass is far cheaper",
        "Where starting operations takes longer than they do, a draft of as many layers costs "
        "nearly what the target does, and c near 1 leaves nothing to gain.",
        (
            Evidence(
                "REFERENCES.md#speculative-decoding-lab",
                "A draft at c near 1: 0.46 of plain speed, until its passes were recorded once.",
                checked=False,
            ),
        ),
        {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 4},
        "13_qwen3_speculative_decoder",
    ),
    Decision(
        "Draft and target with different tokenizers",
        "avoid it; else the tokens that both know",
        "What only one vocabulary holds can never be accepted, and translating costs time.",
        (
            Evidence(
                "REFERENCES.md#timor2025",
                "Lossless ways exist; one restricts q to the tokens both know.",
                checked=False,
            ),
            Evidence(
                "REFERENCES.md#speculative-decoding-lab",
                "0.54 of plain speed at best, by text, with c near 1.",
                checked=False,
            ),
        ),
        None,
        "08_better_drafts",
    ),
    Decision(
        "Acceptance is low, though the text is right",
        "log p and q of some positions and compare with Σ min(p, q) before you tune anything",
        "A draft that reads wrong tokens leaves the text as it is. A recorded baseline can hold "
        "the same fault; the overlap cannot.",
        (
            Evidence(
                "REFERENCES.md#vllm-36561",
                "1.04 tokens per round proposed as the baseline of a regression test.",
            ),
        ),
        None,
        "12_production_engines",
    ),
)


def rows() -> list[dict[str, str]]:
    """A line for each decision; sources are paths with an anchor, seen from the repository."""
    return [
        {
            "situation": decision.situation,
            "first choice": decision.choice,
            "settings": json.dumps(decision.settings) if decision.settings else "",
            "why": decision.why,
            "evidence": " ".join(evidence.says for evidence in decision.evidence),
            "sources": ", ".join(evidence.source for evidence in decision.evidence),
            "lesson": decision.lesson or "",
        }
        for decision in DECISIONS
    ]
