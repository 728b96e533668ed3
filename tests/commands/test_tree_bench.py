"""The table of `bench --trees`: which ways are in it, and the rates that shape its trees."""

import json
from dataclasses import asdict
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.commands import bench
from course_utils.commands.bench import DRAFT, TreeExtent, by_rank, grid, stars
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.tree_ranks import rank_counts
from course_utils.drafters.candidates import without_replacement
from course_utils.measuring.pages import trees_page
from course_utils.models.tables import TableModel
from tests.every_tree import accepted_by_rank
from workshop.bench.trees import PLAIN, Budget, gamma_of

SMALL = TreeExtent(1, 6, (2, 4), (3,))
P, Q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.1, 0.2, 0.3, 0.4])


def without_context(row):
    return TableModel(np.tile(row, (4, 1)))


def test_a_way_for_each_chain_and_each_tree_and_none_beyond_what_a_head_was_trained_for(tables):
    models = {DRAFT: tables[1], "medusa": tables[1]}
    rates = dict.fromkeys(models, (0.6, 0.3))
    made = grid(models, {"medusa": 2}, rates, SMALL, Sampling())
    assert set(made) == {
        PLAIN,
        "draft model, chain of 2",
        "draft model, chain of 4",
        "draft model, tree of 3",
        "draft model, expanded tree of 3",
        "medusa, chain of 2",
        "medusa, tree of 3",
    }
    assert all(make() is not None for name, make in made.items() if name != PLAIN)
    assert gamma_of("draft model, expanded tree of 3") == 3


def test_rates_by_rank_are_those_that_enumeration_gives(monkeypatch):
    """Four standard errors of 3,000 rounds, for three ranks: a false alarm in 5,000 runs."""
    monkeypatch.setattr(bench, "RANKS", 3)
    target, draft = without_context(P), without_context(Q)
    texts = [[i % 4] for i in range(150)]
    rounds = stars(target, draft, texts, Sampling(), 40)
    exact = accepted_by_rank(P, Q, 3, without_replacement)
    reached = rank_counts(rounds, 1)[0][1]
    assert reached > 3000
    for found, expected in zip(by_rank(rounds), exact, strict=True):
        assert abs(found - expected) < 4 * np.sqrt(expected * (1 - expected) / reached)
    assert by_rank([]) == [0.0] * 3


def test_the_command_writes_rows_with_c_and_the_rates(monkeypatch, capsys, tmp_path, tables):
    target, draft = tables
    pair = SimpleNamespace(target=target, draft=draft, encode=lambda text: [len(text) % 4])
    head = SimpleNamespace(model=draft, steps=2)
    monkeypatch.setattr(bench, "load_pair", lambda *_, **__: pair)
    monkeypatch.setattr(bench, "guessers", lambda pair: (target, {"mtp": head}))
    monkeypatch.setattr(bench, "FEW_TREES", SMALL)
    how = ["--trees", "--quick", "--temperatures", "0", "1", "--dtypes", "float32"]
    assert bench.main([*how, "--threads", "1", "--out", str(tmp_path / "trees.json")]) == 0
    report = json.loads((tmp_path / "trees.json").read_text())
    assert [found["temperature"] for found in report["settings"]] == [0.0, 1.0]
    assert report["missing"] == []
    rows = report["settings"][1]["rows"]
    assert len(rows) == 6
    assert set(rows[0]) == {*Budget.__dataclass_fields__, "c"}
    assert all(row["c"] * row["nodes"] == pytest.approx(row["draft"]) for row in rows if row["c"])
    page = capsys.readouterr().out
    assert "T=0 float32" in page
    assert "accepted by rank, of 8 candidates" in page


def test_a_page_that_was_interrupted_says_what_is_missing():
    budget = Budget("mtp, chain of 2", 2.0, 1.5, 0.4, 1.0, 0.1, 1.2, 1.1, 1.5)
    setting = {"temperature": 1.0, "dtype": "float32"}
    setting |= {"by_rank": {"mtp": [0.5]}, "parents": {"mtp": 9}}
    report = {
        "machine": {"processor": "a processor", "threads": 1, "torch": "2"},
        "prompts": 2, "new_tokens": 6, "seconds": 60.0, "missing": ["T=1 bfloat16"],
        "settings": [setting | {"rows": [asdict(budget) | {"c": budget.c}]}],
    }  # fmt: skip
    page = trees_page(report)
    assert "mtp, chain of 2   2.00  1.50  0.20" in page
    assert "  mtp: 0.500 (9)" in page
    assert "not measured: T=1 bfloat16" in page


def test_at_temperature_0_rates_are_those_of_the_likeliest(tables):
    target, _ = tables
    assert by_rank(stars(target, target, [[1], [2]], GREEDY, 12))[:2] == [1.0, 0.0]
