"""The articles' lines are held to the record of the real run, and their tables to plain markup."""

import re
from dataclasses import replace

import pytest

from course_utils.engines import articles, shown
from course_utils.engines.articles import Claim
from course_utils.engines.configurations import CONFIGURATIONS
from course_utils.engines.facts import facts
from course_utils.engines.probed import (
    RECORD,
    Record,
    read_checks,
    write_record,
)

CLAIMS, CHECKS = facts("articles", Claim), read_checks()
ENGINES = ("vllm", "sglang", "llama.cpp", "tgi")
ERROR = re.compile(r"\b[A-Z]\w+Error\b")


@pytest.fixture(scope="module")
def record():
    return Record.model_validate_json(RECORD.read_text("utf-8"))


def test_the_record_is_of_these_checks(record):
    assert [(r.name, r.way, r.given) for r in record.results] == [
        (c.name, c.way, c.given) for c in CHECKS
    ]
    assert all(bool(result.error) != result.accepted for result in record.results)
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_the_record_names_no_folder_of_a_machine():
    text = RECORD.read_text("utf-8")
    assert not re.search(r"/(tmp|home|root|usr|opt|work)\b", text)


def test_what_the_prose_says_of_the_engine_is_what_the_engine_said(record):
    """Of each check what became of it; an error that is named is the one that was raised."""
    for one in CLAIMS:
        assert [(name, record[name].result) for name, _ in one.checks] == list(one.checks)
        lines = " ".join(record[name].error for name, _ in one.checks)
        assert [error for error in ERROR.findall(one.happens) if error not in lines] == []


# what articles.toml says in words
IN_WORDS = {
    "002: ngram": {"prompt_lookup_min": 4},
    "ngram 3..1": {"prompt_lookup_min": 1},
    "suffix": {"num_speculative_tokens": 24},
    "no method is named": {"method": "draft_model"},
    "the pair": {"draft_sample_method": "greedy"},
}


def test_the_numbers_of_the_prose_are_in_the_record(record):
    for name, told in IN_WORDS.items():
        assert told.items() <= record[name].became.items(), name
    assert "152064" in record["one family, two sizes"].error
    assert any("same MTP layer" in line for line in record["mtp"].warnings)
    keys, values = (record["keys"].became[part] for part in ("keys", "values"))
    assert set(values["rejection_sample_method"]) == {"standard", "block", "synthetic"}
    assert "mtp" in values["method"]
    assert "MTP" not in values["method"]
    assert not [key for key in keys if "threshold" in key]
    for one in CONFIGURATIONS.values():
        assert set(one.speculative or {}) <= set(keys), one.name


def test_every_claim_is_whole():
    assert {one.article for one in CLAIMS} == {"001", "002", "004"}
    for one in CLAIMS:
        assert one.claimed
        assert one.happens
        assert one.works
        assert one.checks or one.evidence, one.name
        assert one.happens.count("`") % 2 == one.works.count("`") % 2 == 0
        for source in one.evidence:
            kind = source.split(":")[0]
            assert kind in ENGINES or source.startswith(("REFERENCES.md: ", "lesson ")), source


def test_tables_escape_what_they_show():
    bad = replace(CLAIMS[0], claimed="<script>`<b>`</script>", works="a & b")
    html = shown.claims_table([bad]).html
    assert "<script>" not in html
    assert "<code>&lt;b&gt;</code>" in html
    assert "a &amp; b" in html


def test_where_there_is_no_browser_a_table_is_lines_that_fit():
    text = shown.claims_table(CLAIMS).text
    assert "`" not in text
    assert max(map(len, text.splitlines())) <= shown.WIDTH


def test_a_record_is_written_as_it_lies_here(record, tmp_path):
    write_record(record, tmp_path / "new" / "commands.json")
    assert (tmp_path / "new" / "commands.json").read_bytes() == RECORD.read_bytes()


def test_the_claims_of_one_article():
    assert {one.article for one in articles.of("002")} == {"002"}
    assert sum(len(articles.of(number)) for number in ("001", "002", "004")) == len(CLAIMS)
    with pytest.raises(KeyError, match="there are those of 001, 002, 004"):
        articles.of("000")
