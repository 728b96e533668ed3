"""When speculation helped and when it hurt: what others reported, a line each.

None of it was measured here; each figure was found in its source, read as a stored copy or an
excerpt of one.  Where a later source contradicts an earlier one, both have a line.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """One comparison of somebody else's; higher is better unless `unit` is of time."""

    setting: str
    batch: str
    draft: str
    plain: float
    drafted: float
    unit: str
    remark: str
    source: str

    @property
    def speedup(self) -> float:
        ratio = self.drafted / self.plain
        return 1 / ratio if self.unit.startswith("s ") else ratio


_SGLANG = "REFERENCES.md#sglang-29244"
_SFLLM = "REFERENCES.md#sfllm"
_GPUSTACK = "REFERENCES.md#gpustack-lab"
_ANGELSLIM = "REFERENCES.md#angelslim-163"
_STACK = "another engine and 8-bit weights, too: not the draft's doing alone"
_H100_NVL = "Qwen3-4B, H100 NVL, sfllm"
_MOE = "Qwen3-30B-A3B, 4 H100, SGLang, MT-bench"

REPORTS = (
    Report(
        "Llama-3.1-8B, H100, SGLang, MT-bench", "1", "EAGLE-2, a tree", 158.34, 244.10, "tokens/s",
        "", "REFERENCES.md#sglang-speculative",
    ),
    Report(
        "Llama-3.1-8B, H100, SGLang, MT-bench", "1", "EAGLE-3, a tree", 158.34, 373.25, "tokens/s",
        "", "REFERENCES.md#sglang-speculative",
    ),
    Report(
        "Qwen3-8B, A800, SGLang", "1", "DFlash", 88, 162, "tokens/s",
        "2.8 tokens per round", _SGLANG,
    ),
    Report(
        "Qwen3-30B-A3B (a mixture of experts), A800, SGLang", "1", "DFlash", 146, 93, "tokens/s",
        "2.0 tokens per round: a pass over more tokens reads more experts", _SGLANG,
    ),
    *(
        Report(
            f"{_MOE}, 4 steps, 16 nodes", batch, "EAGLE-3, a tree", plain, drafted, "tokens/s",
            f"{tokens} tokens per round", _ANGELSLIM,
        )
        for batch, plain, drafted, tokens in (
            ("1", 218.89, 185.64, 2.54), ("8", 677.14, 673.14, 2.58),
            ("32", 1128.30, 927.11, 2.56), ("64", 1237.84, 1307.95, 2.55),
        )
    ),
    *(
        Report(
            "Qwen3-8B, H100: vLLM as it comes, against SGLang with FP8", batch,
            "EAGLE-3, a tree of 16", plain, drafted, "s per request", _STACK, _GPUSTACK,
        )
        for batch, plain, drafted in (
            ("1", 1.66, 0.62), ("2", 1.68, 0.71), ("4", 1.68, 0.77), ("8", 1.78, 1.10),
        )
    ),
    Report(
        _H100_NVL, "24", "EAGLE-3", 4530.08, 2997.32, "tokens/s",
        "2.93 tokens per round (median); two days later the same author reports a gain: next line",
        _SFLLM,
    ),
    Report(
        f"{_H100_NVL}, two days later", "24", "EAGLE-3", 4468.89, 5077.28, "tokens/s",
        "2.50 tokens per round, fewer than before: the loss was the engine's, not the batch's",
        _SFLLM,
    ),
    Report(
        f"{_H100_NVL}, two days later", "24", "DFlash2", 4468.89, 7223.21, "tokens/s",
        "3.09 tokens per round", _SFLLM,
    ),
    Report(
        "DeepSeek-V4-Flash, 4 B200, vLLM, T = 1: greedy draft, against one that is sampled", "1",
        "MTP, K = 2", 113.40, 168.71, "tokens/s",
        "both speculate; accepted / drafted 10 % and 49 %", "REFERENCES.md#vllm-41044",
    ),
    Report(
        "Qwen3.8-27B-FP8, H20, vLLM, 64,000 tokens of prompt: MTP with K = 3, against", "10",
        "DFlash2, K = 7", 278.0, 255.5, "tokens/s",
        "both speculate, medians; 2.5 to 2.7 tokens per round", "REFERENCES.md#vllm-recipes-839",
    ),
    Report(
        "Qwen3.8-27B-FP8, H20, vLLM, 64,000 tokens of prompt: MTP with K = 3, against", "10",
        "DFlash2, K = 5", 278.0, 304.1, "tokens/s",
        "both speculate, medians; 2.6 to 2.7 tokens per round: fewer drafted, as many accepted",
        "REFERENCES.md#vllm-recipes-839",
    ),
    Report(
        "Qwen3.5-122B, vLLM, 8 requests: K = 2 always, against K = 0 from a batch of 5", "8",
        "MTP", 232, 157, "tokens/s",
        "both speculate; 24 to 157 with the table of lengths, the best case stands here: a switch "
        "can cost more than what it saves", "REFERENCES.md#vllm-49548",
    ),
)  # fmt: skip


def rows() -> list[dict]:
    """A line for each report."""
    return [
        {
            "setting": report.setting, "batch": report.batch, "draft": report.draft,
            "without": report.plain, "with": report.drafted, "unit": report.unit,
            "speedup": report.speedup, "remark": report.remark, "source": report.source,
        }
        for report in REPORTS
    ]  # fmt: skip
