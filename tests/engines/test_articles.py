"""The articles' lines are held to the record of the real run, and their tables to plain markup."""

import re
from dataclasses import replace

import pytest

from course_utils.engines import articles, shown
from course_utils.engines.articles import Claim
from course_utils.engines.configurations import CONFIGURATIONS
from course_utils.engines.facts import facts
from course_utils.engines.probed import (
    LARGEST,
    RECORD,
    Record,
    read_checks,
    read_record,
    write_record,
)
from course_utils.engines.shown import Explained, Setting, setting, sources

CLAIMS, CHECKS = facts("articles", Claim), read_checks()
SOURCES = sources()
ERROR = re.compile(r"\b[A-Z]\w+Error\b")


@pytest.fixture(scope="module")
def record():
    return read_record()


def test_the_record_is_of_these_checks(record):
    assert [(r.name, r.way, r.given) for r in record.results] == [
        (c.name, c.way, c.given) for c in CHECKS
    ]
    assert record.engine["vllm"] == SOURCES["vllm"].version
    assert all(bool(result.error) != result.accepted for result in record.results)
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert {one.check for one in facts("explained", Explained)} <= {check.name for check in CHECKS}


def test_the_record_is_small_and_names_no_folder_of_a_machine():
    text = RECORD.read_text("utf-8")
    assert len(text.encode()) <= LARGEST
    assert not re.search(r"/(tmp|home|root|usr|opt|work)\b", text)


def test_what_the_prose_says_of_the_engine_is_what_the_engine_said(record):
    """Of each check what became of it; an error that is named is the one that was raised."""
    for one in CLAIMS:
        assert [(name, record[name].result) for name, _ in one.checks] == list(one.checks)
        lines = " ".join(record[name].error for name, _ in one.checks)
        assert [error for error in ERROR.findall(one.happens) if error not in lines] == []


# what articles.toml and explained.toml say in words
IN_WORDS = {
    "002: ngram": {"prompt_lookup_min": 4},
    "ngram 3..1": {"prompt_lookup_min": 1},
    "suffix": {"num_speculative_tokens": 24},
    "no method is named": {"method": "draft_model"},
    "the pair": {"draft_sample_method": "greedy"},
    "a sampled draft": {"draft_sample_method": "probabilistic"},
    "block verification": {"model_runner": "V1"},
    "draft, pipeline parallel 2": {"pipeline_parallel": 2, "draft_pipeline_parallel": 1},
    "tensor 2 x pipeline 2": {"processes": 4, "draft_tensor_parallel": 2},
    "eagle3 without its method": {"method": "eagle3"},
}


def test_the_numbers_of_the_prose_are_in_the_record(record):
    for name, told in IN_WORDS.items():
        assert told.items() <= record[name].became.items(), name
    assert "152064" in record["one family, two sizes"].error
    assert record["draft on one of 2"].accepted
    assert not record["draft on one of 2, started"].accepted
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
            assert kind in SOURCES or source.startswith(("REFERENCES.md: ", "lesson ")), source


def test_each_engine_has_a_line_for_each_word_once():
    settings = facts("other_engines", Setting)
    words = {s.ours for s in settings}
    assert sorted((s.engine, s.ours) for s in settings) == sorted(
        (engine, word) for engine in SOURCES for word in words
    )
    assert setting("tgi", "γ").path == "launcher/src/main.rs"
    with pytest.raises(KeyError, match="engines vllm, sglang"):
        setting("vllm", "colour")


def test_tables_escape_what_they_show(record):
    bad = replace(CLAIMS[0], claimed="<script>`<b>`</script>", works="a & b")
    html = shown.claims_table([bad]).html
    assert "<script>" not in html
    assert "<code>&lt;b&gt;</code>" in html
    assert "a &amp; b" in html
    said = [r.model_copy(update={"result": "refused", "error": "<img>"}) for r in record.results]
    forged = Record(date=record.date, engine=record.engine, results=said)
    assert "<img" not in shown.explained_table(forged).html


def test_tables_say_what_the_engine_said(record):
    text = shown.explained_table(record).text
    assert "the engine says: accepted: processes 2, pipeline 2, draft's pipeline 1\n" in text
    assert "refused: ValidationError" in text
    assert shown.answered(record, "001: the import").startswith("refused: ModuleNotFoundError")
    assert shown.answered(record, "a text model's positions") == "accepted"
    assert "–" in shown.engines_table(["tgi"]).text
    assert "`" not in shown.claims_table(CLAIMS).text
    assert max(map(len, shown.claims_table(CLAIMS).text.splitlines())) <= shown.WIDTH


def test_a_record_is_written_and_read_again(record, tmp_path):
    path = tmp_path / "new" / "commands.json"
    write_record(record, path)
    assert read_record(path) == record
    long = record.results[0].model_copy(update={"error": "x" * LARGEST})
    with pytest.raises(ValueError, match="try fewer checks"):
        write_record(record.model_copy(update={"results": (long,)}), path)
    assert read_record(path) == record


@pytest.mark.parametrize("text", ["", "[]", '{"date": "2026-11-22", "engine": {}, "results": []}'])
def test_what_is_no_record(tmp_path, text):
    path = tmp_path / "commands.json"
    with pytest.raises(FileNotFoundError, match="--check"):
        read_record(path)
    path.write_text(text)
    with pytest.raises(ValueError, match=r"commands\.json is not a record"):
        read_record(path)


def test_the_claims_of_one_article():
    assert {one.article for one in articles.of("002")} == {"002"}
    assert sum(len(articles.of(number)) for number in ("001", "002", "004")) == len(CLAIMS)
    with pytest.raises(KeyError, match="there are those of 001, 002, 004"):
        articles.of("000")
