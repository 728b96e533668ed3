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


@pytest.mark.parametrize("source", sorted(set(SOURCES)))
def test_a_source_is_listed(source):
    page, anchor = source.split("#")
    assert page == "REFERENCES.md"
    assert anchor in ANCHORS


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.situation)
def test_a_line_has_a_choice_a_reason_and_evidence(decision):
    assert decision.choice
    assert decision.why.endswith(".")
    assert decision.evidence
    assert all(evidence.says.endswith(".") for evidence in decision.evidence)
    assert set(decision.settings or {}) <= KEYS


def test_no_situation_is_told_twice():
    assert len({decision.situation for decision in DECISIONS}) == len(DECISIONS)


@pytest.mark.parametrize("decision", [d for d in DECISIONS if d.lesson], ids=lambda d: d.lesson)
def test_a_lesson_that_is_named_is_there(decision):
    if decision.lesson == "12_production_engines":
        assert (ROOT / "course_utils/lessons/production_engines").is_dir()
    else:
        assert (ROOT / "notebooks" / f"{decision.lesson}.ipynb").exists()


def test_every_batch_size_has_one_draft_length():
    key = "num_speculative_tokens_per_batch_size"
    tables = [d.settings[key] for d in DECISIONS if key in (d.settings or {})]
    assert tables
    for table in tables:
        firsts, lasts, lengths = zip(*table, strict=True)
        assert firsts == (1, *(last + 1 for last in lasts[:-1]))
        assert list(lengths) == sorted(lengths, reverse=True)


def test_most_of_the_evidence_was_read_for_this_table():
    found = [evidence.checked for decision in DECISIONS for evidence in decision.evidence]
    assert sum(found) > 0.7 * len(found)
