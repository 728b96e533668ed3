"""Each line of advice has evidence, and each piece of evidence can be found."""

import re
from pathlib import Path

import pytest

from course_utils.engines.accelerators import ACCELERATORS
from course_utils.engines.decisions import Decision
from course_utils.engines.facts import facts
from course_utils.engines.published import TABLES

DECISIONS = facts("decisions", Decision)
ROOT = Path(__file__).parents[2]
ANCHORS = set(re.findall(r'<a id="(.+?)"></a>', (ROOT / "REFERENCES.md").read_text("utf-8")))
SOURCES = [
    *(evidence.source for decision in DECISIONS for evidence in decision.evidence),
    *(known.source for known in (*TABLES, *ACCELERATORS.values())),
]
KEYS = {  # of vLLM 0.33's speculative_config
    "method", "model", "num_speculative_tokens", "num_speculative_tokens_per_batch_size",
    "prompt_lookup_max", "draft_sample_method", "rejection_sample_method",
}  # fmt: skip


def test_every_source_is_listed():
    assert {source.partition("#")[0] for source in SOURCES} == {"REFERENCES.md"}
    assert {source.partition("#")[2] for source in SOURCES} <= ANCHORS


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.situation)
def test_a_line_has_a_choice_a_reason_and_evidence(decision):
    assert decision.choice
    assert decision.why.endswith(".")
    assert decision.evidence
    assert all(evidence.says.endswith(".") for evidence in decision.evidence)
    assert set(decision.settings or {}) <= KEYS
    assert [one.situation for one in DECISIONS].count(decision.situation) == 1
    assert not decision.lesson or (ROOT / "notebooks" / f"{decision.lesson}.ipynb").exists()


def test_every_batch_size_has_one_draft_length():
    key = "num_speculative_tokens_per_batch_size"
    tables = [d.settings[key] for d in DECISIONS if key in (d.settings or {})]
    assert tables
    for table in tables:
        firsts, lasts, lengths = zip(*table, strict=True)
        assert firsts == (1, *(last + 1 for last in lasts[:-1]))
        assert list(lengths) == sorted(lengths, reverse=True)
