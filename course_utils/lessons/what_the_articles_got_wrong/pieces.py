"""A printed text and its tokens in Qwen's vocabulary.

`data/articles/qwen_pieces.tiktoken` has the entries of Qwen's vocabulary that occur in the
text, each with its rank.  Byte-pair encoding joins bytes of the text, so no other entry matters.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from tokenizers import Regex, pre_tokenizers

from course_utils.models.names import DATA

FILE = DATA / "articles" / "qwen_pieces.tiktoken"
REPORTED_TOKENS = 50  # in each of the two runs
# REFERENCES.md: article-000: the continuation that both of its runs print.
CONTINUATION = (
    "多维度融合与深度渗透。从技术层面看，大语言模型将与计算机视觉、机器人技术进一步结合，"
    '形成"感知-理解-行动"的闭环能力，例如在工业场景中实现无人化质检与动态调度；从应用层面，'
    "AI 将更深入教育、医疗等民生领域，通过个性化学习路径规划、疾病早期筛查等服务提升社会效率；"
    "同时，AI 伦理与安全技术也将同步发展，例如联邦学习、可解释 AI 的普及将平衡技术创新与数据"
    "隐私保护，推动人工智能向负责任的方向演进。"
)


def ranks_in(file: Path = FILE) -> dict[bytes, int]:
    """Read a file in tiktoken's format, one entry per line: base64, a space, the rank."""
    pairs = (line.split() for line in file.read_text("ascii").splitlines())
    return {b64decode(entry): int(rank) for entry, rank in pairs}


def pieces(text: str, ranks: Mapping[bytes, int]) -> list[bytes]:
    """Return the text's tokens by byte-pair encoding, split by Qwen's (and the pair's) pattern."""
    pattern = json.loads((DATA / "target" / "tokenizer.json").read_text("utf-8"))
    split = pattern["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"]
    words = pre_tokenizers.Split(Regex(split), "isolated").pre_tokenize_str(text)
    return [piece for word, _ in words for piece in joined(word.encode(), ranks)]


def joined(word: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    """Start from single bytes and repeatedly join the neighbours with the lowest rank."""
    parts = [word[i : i + 1] for i in range(len(word))]
    while pairs := [
        (ranks[a + b], i) for i, (a, b) in enumerate(pairwise(parts)) if a + b in ranks
    ]:
        _, i = min(pairs)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return parts
