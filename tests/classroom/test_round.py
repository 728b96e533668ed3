"""The data of the scene *round* are correct for any run."""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.classroom.stepper import run_data, stepper
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import GREEDY
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
    assert (data["uniforms"], data["greedy"]) == (True, False)
    assert run_data(tables(sampling=GREEDY), str)["greedy"]
    for r, one in zip(rounds, data["rounds"], strict=True):
        assert len(one["guesses"]) == len(r.drafted)
        assert one["certain"] == (not r.drafted)
        for place, guess in enumerate(one["guesses"]):
            x = r.drafted[place]
            p, q, u = r.p[place, x], r.q[place, x], r.uniforms[place]
            assert [guess[name] for name in "pqu"] == pytest.approx([p, q, u], rel=1e-5)
            assert guess["ratio"] == pytest.approx(p / q, rel=1e-5)
            assert guess["bar"] == pytest.approx(min(1, p / q), rel=1e-5)
            fate = "lost" if place > r.accepted else "accepted" if u < p / q else "rejected"
            assert guess["fate"] == fate


def test_the_text_is_stored_once_and_each_round_has_its_place(run):
    rounds, decode = run
    data = run_data(rounds, decode)
    assert "".join(data["pieces"]) == decode([token for r in rounds for token in r.emitted])
    at = 0
    for r, one in zip(rounds, data["rounds"], strict=True):
        assert one["start"] == at
        assert one["context"] == r.context == 1 + at
        assert data["pieces"][at : at + len(r.emitted)] == one["emitted"]
        assert tuple(one["kinds"]) == r.kinds
        at += len(r.emitted)


def test_the_last_token_is_drawn_from_the_residual_or_the_row_after_the_draft():
    rounds = tables(gamma=2, max_new_tokens=40)
    assert {r.kinds[-1] for r in rounds} >= {"correction", "bonus"}
    for r, one in zip(rounds, run_data(rounds, str)["rounds"], strict=True):
        corrected = r.kinds[-1] == "correction"
        distribution = residual(r.p[r.accepted], r.q[r.accepted]) if corrected else r.p[-1]
        drawn = one["drawn"]
        for text, value in drawn["top"]:
            assert value == round(distribution[int(text.strip("[]"))], 3)
        assert drawn["top"][drawn["marked"]][0] == str([r.emitted[-1]])
        assert sorted(drawn["top"], key=lambda entry: -entry[1]) == drawn["top"]


def test_the_draft_cache_matches_the_sessions_length():
    lengths = []

    class Watching(Sampled):
        def propose(self, tokens, gamma, noise):
            draft = super().propose(tokens, gamma, noise)
            lengths.append(sessions[0].length)
            return draft

    sessions, model = [], CharacterModel(accuracy=0.7)
    start = model.start
    model.start = lambda prompt: sessions.append(start(prompt)) or sessions[0]
    how = {"gamma": 3, "max_new_tokens": 18, "seed": 1, "rows": True}
    rounds = [r for r in generate(CharacterModel(), [0], Watching(model), **how) if r.drafted]
    caches = [one["caches"]["draft"] for one in run_data(rounds, str)["rounds"]]
    before, drafted, after = map(list, zip(*caches, strict=True))
    assert drafted == lengths
    # tokens of the text stay, and the last guess was not read
    assert after == [min(r.context + r.accepted, n) for r, n in zip(rounds, lengths, strict=True)]
    assert before == [0, *after[:-1]]


def test_tokens_after_a_stop_token_are_lost():
    model = TableModel.random(6, 1, seed=1)
    how = {"stop_tokens": [2], "max_new_tokens": 30, "rows": True}
    rounds = list(generate(model, [0], Sampled(model), **how))
    assert rounds[-1].verdict.accepted > len(rounds[-1].emitted) == rounds[-1].accepted
    one = run_data(rounds, str)["rounds"][-1]
    accepted = len(one["emitted"])
    assert [guess["fate"] for guess in one["guesses"]] == (
        ["accepted"] * accepted + ["lost"] * (len(one["guesses"]) - accepted)
    )
    assert one["drawn"] is None


def test_a_token_the_draft_could_not_have_drawn_has_no_ratio():
    r = tables(gamma=2, max_new_tokens=8)[0]
    r.q[0, r.drafted[0]] = 0
    with np.errstate(divide="ignore"):
        assert stepper([r], str).data["rounds"][0]["guesses"][0]["ratio"] is None


def test_no_rounds_and_trees_are_refused():
    with pytest.raises(ValueError, match="there is no round to show"):
        stepper([], str)
    with pytest.raises(ValueError, match="these drafts are trees"):
        stepper([replace(tables(gamma=2)[0], parents=(-1, -1))], str)
