"""The articles' lines about engines are whole, and their tables are plain markup."""

from dataclasses import replace

import pytest

from course_utils.engines import articles, shown
from course_utils.engines.articles import Claim
from course_utils.engines.facts import facts

CLAIMS = facts("articles", Claim)
ENGINES = ("vllm", "sglang", "llama.cpp", "tgi")


def test_every_claim_is_whole():
    assert {one.article for one in CLAIMS} == {"001", "002", "004"}
    for one in CLAIMS:
        assert one.claimed
        assert one.happens
        assert one.works
        assert one.evidence, one.name
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


def test_the_claims_of_one_article():
    assert {one.article for one in articles.of("002")} == {"002"}
    assert sum(len(articles.of(number)) for number in ("001", "002", "004")) == len(CLAIMS)
    with pytest.raises(KeyError, match="there are those of 001, 002, 004"):
        articles.of("000")
