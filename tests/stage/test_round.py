"""The story of a run: its steps in order, and no sentence that says what is not yet shown."""

from copy import deepcopy

import pytest

from course_utils.classroom.scene import as_json
from course_utils.classroom.stepper import run_data
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel
from tests.stage.node import called

PLAN = "parts/round/plan.mjs"
SWAPPED = {"accepted": "rejected", "rejected": "accepted", "lost": "accepted"}


def run(rule=TOKEN_WISE):
    target, draft = TableModel.random(4, 1, seed=1), TableModel.random(4, 1, seed=2)
    how = {"rule": rule, "gamma": 3, "max_new_tokens": 40, "rows": True}
    rounds = list(generate(target, [0], Sampled(draft), **how))
    return as_json(run_data(rounds, lambda tokens: "".join(map(str, tokens))))


def steps_of(data):
    (steps,) = called(PLAN, "plan", [[data]])
    return steps


@pytest.mark.parametrize("rule", [TOKEN_WISE, BLOCK], ids=lambda rule: rule.name)
def test_no_sentence_says_what_is_not_yet_shown(rule):
    data = run(rule)
    other = deepcopy(data)
    for shown in other["rounds"]:
        shown["emitted"] = ["?"]
        shown["kinds"] = ["bonus"]
        for guess in shown["guesses"]:
            guess["fate"] = SWAPPED[guess["fate"]]
            guess["u"] = 1 - guess["u"]
    early = [step for step in steps_of(data) if step["kind"] not in ("last", "end")]
    assert {"test", "verdict"} & {step["kind"] for step in early}
    cases = [[run_of, step, True] for step in early for run_of in (data, other)]
    said = called(PLAN, "sentence", cases)
    assert said[::2] == said[1::2]
    assert len(set(said)) > 4


def test_each_examined_guess_has_its_step_and_its_verdict():
    data = run()
    steps = steps_of(data)
    for number, shown in enumerate(data["rounds"]):
        kinds = [step["kind"] for step in steps if step["round"] == number]
        tests = [step for step in steps if step["round"] == number and step["kind"] == "test"]
        examined = [guess for guess in shown["guesses"] if guess["fate"] != "lost"]
        start = ["begin", "draft", "pass", "bars"] if shown["guesses"] else ["begin", "pass"]
        assert kinds == [*start, *["test"] * len(examined), "last", "end"]
        for step, guess in zip(tests, examined, strict=True):
            (said,) = called(PLAN, "sentence", [[data, step]])
            assert f"is {guess['fate']}" in said
            assert guess["text"] in said


def test_a_greedy_run_is_compared_token_by_token_and_no_uniform_falls():
    target, draft = TableModel.random(4, 1, seed=1), TableModel.random(4, 1, seed=2)
    drafter = Sampled(draft)
    rounds = list(
        generate(target, [0], drafter, rows=True, sampling=GREEDY, gamma=3, max_new_tokens=20)
    )
    data = as_json(run_data(rounds, lambda tokens: "".join(map(str, tokens))))
    steps = steps_of(data)
    assert not {"bars", "test", "verdict"} & {step["kind"] for step in steps}
    said = called(PLAN, "sentence", [[data, step] for step in steps])
    assert not any(sign in " ".join(said) for sign in ("u =", "p/q", "q =", "uniform", "residual"))
    compared = [(s, step) for s, step in zip(said, steps, strict=True) if step["kind"] == "same"]
    assert len(compared) == sum(g["fate"] != "lost" for r in data["rounds"] for g in r["guesses"])
    for words, step in compared:
        guess = data["rounds"][step["round"]]["guesses"][step["guess"]]
        assert f"is {guess['fate']}" in words
        wanted = data["rounds"][step["round"]]["rows"][step["guess"]]["top"][0][0]
        assert f"says “\u2068{wanted}" in words
        assert (wanted == guess["text"]) == ("too" in words)
    assert {"accepted", "rejected"} <= {g["fate"] for r in data["rounds"] for g in r["guesses"]}


def test_another_rule_gets_one_verdict_and_no_bars():
    kinds = {step["kind"] for step in steps_of(run(BLOCK))}
    assert "verdict" in kinds
    assert not kinds & {"bars", "test"}
