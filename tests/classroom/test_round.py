"""The data of the scene *round*: any run, told truly, in few bytes."""

import json

import numpy as np
import pytest

from course_utils.classroom.scene import MIME
from course_utils.classroom.stepper import (
    LEAST,
    LIKELIEST,
    likeliest,
    run_data,
    stepper,
)
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, residual
from course_utils.drafters.candidates import Candidates, with_replacement
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.characters import CharacterModel
from course_utils.models.toys.tables import TableModel
from course_utils.pairs import load_pair


@pytest.fixture
def run():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    how = {"gamma": 3, "max_new_tokens": 18, "seed": 1, "rows": True}
    rounds = list(generate(target, [0], Sampled(draft), **how))
    return rounds, target.alphabet.decode


def tables(count=4, **settings):
    """A run of two models that disagree."""
    target, draft = TableModel.random(count, 1, seed=1), TableModel.random(count, 1, seed=2)
    return list(generate(target, [0], Sampled(draft), rows=True, **settings))


def test_each_guess_has_its_p_q_uniform_bar_and_fate(run):
    rounds, decode = run
    data = run_data(rounds, decode)
    assert data["uniforms"]
    for r, shown in zip(rounds, data["rounds"], strict=True):
        assert len(shown["guesses"]) == len(r.drafted)
        assert shown["certain"] == (not r.drafted)
        for place, guess in enumerate(shown["guesses"]):
            x = r.drafted[place]
            p, q, u = r.p[place, x], r.q[place, x], r.uniforms[place]
            assert [guess[name] for name in "pqu"] == pytest.approx([p, q, u], rel=1e-5)
            assert guess["ratio"] == pytest.approx(p / q, rel=1e-5)
            assert guess["bar"] == pytest.approx(min(1, p / q), rel=1e-5)
            fate = "lost" if place > r.accepted else "accepted" if u < p / q else "rejected"
            assert guess["fate"] == fate
            assert (guess["u"] < guess["ratio"]) == (u < p / q)


def test_the_text_stands_there_once_and_each_round_knows_its_place(run):
    rounds, decode = run
    data = run_data(rounds, decode)
    assert "".join(data["pieces"]) == decode([token for r in rounds for token in r.emitted])
    at = 0
    for r, shown in zip(rounds, data["rounds"], strict=True):
        assert shown["start"] == at
        assert shown["context"] == r.context == 1 + at
        assert data["pieces"][at : at + len(r.emitted)] == shown["emitted"]
        assert tuple(shown["kinds"]) == r.kinds
        at += len(r.emitted)


def test_residual_and_caches_can_be_left_for_later(run):
    whole, short = (run_data(*run, details=details)["rounds"] for details in (True, False))
    assert {"drawn", "caches"} <= set(whole[0])
    assert not {"drawn", "caches"} & set(short[0])
    assert [shown["guesses"] for shown in whole] == [shown["guesses"] for shown in short]


def test_the_rows_are_the_targets_own_one_more_than_guesses():
    rounds = tables(gamma=3, max_new_tokens=30)
    for r, shown in zip(rounds, run_data(rounds, str)["rounds"], strict=True):
        rows = shown["rows"]
        assert len(rows) == len(r.drafted) + 1
        for place, row in enumerate(rows):
            for text, value in row["top"]:
                assert value == round(r.p[place, int(text.strip("[]"))], 3)
            if place < len(r.drafted):
                assert row["top"][row["marked"]][0] == str([r.drafted[place]])
        assert rows[-1]["marked"] is None


def test_of_a_row_the_likeliest_stay_and_the_token_that_matters():
    row = np.array([0.3, 0.001, 0.25, 0.2, 0.1, 0.08, 0.069])
    found = likeliest(row, str, 0)
    assert [text for text, _ in found["top"]] == ["[0]", "[2]", "[3]", "[4]", "[5]"]
    assert found["marked"] == 0
    assert likeliest(row, str, 1)["top"][-1] == ["[1]", 0.001]
    assert likeliest(row, str, 1)["marked"] == LIKELIEST - 1
    assert likeliest(np.array([1.0, 0.0]), str, None)["top"] == [["[0]", 1.0]]
    assert all(value >= LEAST for _, value in likeliest(row, str, None)["top"])


def test_the_last_token_is_drawn_from_the_residual_or_from_the_row_behind_the_draft():
    rounds = tables(gamma=2, max_new_tokens=40)
    assert {r.kinds[-1] for r in rounds} >= {"correction", "bonus"}
    for r, shown in zip(rounds, run_data(rounds, str)["rounds"], strict=True):
        corrected = r.kinds[-1] == "correction"
        distribution = residual(r.p[r.accepted], r.q[r.accepted]) if corrected else r.p[-1]
        drawn = shown["drawn"]
        for text, value in drawn["top"]:
            assert value == round(distribution[int(text.strip("[]"))], 3)
        assert drawn["top"][drawn["marked"]][0] == str([r.emitted[-1]])


def test_the_draft_cache_is_what_the_draft_model_really_held():
    before, after = [], []

    class Watched(CharacterModel):
        def start(self, prompt):
            self.session = super().start(prompt)
            return self.session

    class Watching(Sampled):
        def propose(self, tokens, gamma, noise):
            draft = super().propose(tokens, gamma, noise)
            after.append(model.session.length)
            return draft

    model = Watched(accuracy=0.7)
    rounds = []
    how = {"gamma": 3, "max_new_tokens": 18, "seed": 1, "rows": True}
    for r in generate(CharacterModel(), [0], Watching(model), **how):
        rounds.append(r)
        # Sampled rolls back when it is asked again, to what text and session share
        text = [0, *(token for one in rounds for token in one.emitted)]
        read = [0, *(token for one in rounds[:-1] for token in one.emitted), *r.drafted][:-1]
        shared = [a == b for a, b in zip(text, read, strict=False)]
        before.append(shared.index(False) if False in shared else len(shared))
    told = [shown["caches"]["draft"] for shown in run_data(rounds, str)["rounds"]]
    told = [cache for r, cache in zip(rounds, told, strict=True) if r.drafted]
    kept = before[: len(told)]
    assert told == [*zip([0, *kept[:-1]], after, kept, strict=True)]


def test_the_target_cache_is_the_runs(run):
    rounds, decode = run
    for r, shown in zip(rounds, run_data(rounds, decode)["rounds"], strict=True):
        assert shown["caches"]["target"] == (r.cache_before, r.cache_after)


def test_another_rule_gets_no_bars_and_no_residual():
    data = run_data(tables(rule=BLOCK, gamma=3, max_new_tokens=60), str)
    assert not data["uniforms"]
    for shown in data["rounds"]:
        assert shown["drawn"] is None
        assert all(guess["bar"] is guess["ratio"] is None for guess in shown["guesses"])
        assert all(0 <= guess["u"] < 1 for guess in shown["guesses"])


def test_a_lookup_draft_is_certain_and_has_no_cache():
    model = TableModel([[0.0, 1.0], [0.0, 1.0]])
    run = generate(model, [1, 1, 1], PromptLookup(), gamma=2, max_new_tokens=4, rows=True)
    rounds = list(run)
    first = run_data(rounds, str)["rounds"][0]
    assert first["caches"]["draft"] is None
    assert first["certain"]
    assert {guess["q"] for guess in first["guesses"]} == {1.0}


def test_a_tree_of_candidates_shows_each_guess_beside_the_row_of_its_parent():
    target, draft = TableModel.random(4, 1, seed=1), TableModel.random(4, 1, seed=2)
    drafter = Candidates(draft, draw=with_replacement)
    how = {"rule": RECURSIVE_REJECTION, "gamma": 3, "max_new_tokens": 12, "rows": True}
    rounds = list(generate(target, [0], drafter, **how))
    data = run_data(rounds, str)
    for r, shown in zip(rounds, data["rounds"], strict=True):
        fates = [guess["fate"] for guess in shown["guesses"]]
        assert fates.count("accepted") == r.verdict.accepted
        assert shown["caches"]["draft"] is None
        if r.drafted:
            assert tuple(shown["parents"]) == r.parents
            assert len(shown["rows"]) == len(r.drafted)
            for x, parent, row in zip(r.drafted, r.parents, shown["rows"], strict=True):
                text, value = row["top"][row["marked"]]
                assert (text, value) == (str([x]), round(r.p[parent + 1, x], 3))


def test_where_a_stop_token_ends_the_draft_the_rest_is_lost():
    model = TableModel.random(6, 1, seed=1)
    how = {"stop_tokens": [2], "max_new_tokens": 30, "rows": True}
    rounds = list(generate(model, [0], Sampled(model), **how))
    assert rounds[-1].verdict.accepted > len(rounds[-1].emitted) == rounds[-1].accepted
    shown = run_data(rounds, str)["rounds"][-1]
    accepted = len(shown["emitted"])
    assert [guess["fate"] for guess in shown["guesses"]] == (
        ["accepted"] * accepted + ["lost"] * (len(shown["guesses"]) - accepted)
    )
    assert shown["drawn"] is None


def test_a_token_the_draft_could_not_have_drawn_has_no_ratio():
    rounds = tables(gamma=2, max_new_tokens=8)
    q = rounds[0].q.copy()
    q[0, rounds[0].drafted[0]] = 0
    broken = [type(rounds[0])(**{**vars(rounds[0]), "q": q})]
    with np.errstate(divide="ignore"):
        assert run_data(broken, str)["rounds"][0]["guesses"][0]["ratio"] is None
        json.dumps(stepper(broken, str).data, allow_nan=False)


def test_sixty_tokens_of_the_pair_are_at_most_40_kilobytes():
    pair = load_pair("tiny", dtype="float32")
    settings = {"gamma": 4, "max_new_tokens": 60, "rows": True}
    prompt = pair.encode("class Stack:\n    def __init__(self):\n")
    rounds = generate(pair.target, prompt, Sampled(pair.draft), **settings)
    stored = stepper(list(rounds), pair.decode)._repr_mimebundle_()[0][MIME]
    assert len(json.dumps(stored).encode()) <= 40_000


def test_the_prompt_is_told_as_text_or_not_at_all(run):
    assert stepper(*run, prompt="⟨").data["prompt"] == "⟨"
    assert stepper(*run).data["prompt"] is None


def test_no_rounds_are_refused():
    with pytest.raises(ValueError, match="rounds of a run"):
        stepper([], str)


def test_in_words_nothing_is_given_away(run):
    told = stepper(*run)._repr_mimebundle_()[0]["text/plain"]
    assert f"{len(run[0])} rounds" in told
    assert not any(word in told for word in ("accepted", "rejected"))
