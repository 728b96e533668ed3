"""The data of the scene *round*: any run, told truly, in few bytes."""

import json

import numpy as np
import pytest

from course_utils.classroom.stepper import (
    run_data,
    stepper,
)
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import residual
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.characters import CharacterModel
from course_utils.models.toys.tables import TableModel


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


def test_in_words_nothing_is_given_away(run):
    told = stepper(*run)._repr_mimebundle_()[0]["text/plain"]
    assert f"{len(run[0])} rounds" in told
    assert not any(word in told for word in ("accepted", "rejected"))
