"""The sentences and states of scenes: nothing is given away before its step."""

from copy import deepcopy

import pytest

from course_utils.classroom.rounds import stepper
from course_utils.classroom.scene import as_json
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel
from tests.stage.node import called

ROUND = "parts/round/plan.mjs"
SWAPPED = {"accepted": "rejected", "rejected": "accepted", "lost": "accepted"}


def run(rule=TOKEN_WISE, sampling=None, kind=Sampled):
    target, draft = TableModel.random(4, 1, seed=1), TableModel.random(4, 1, seed=2)
    how = {"rule": rule, "sampling": sampling or Sampling(), "gamma": 3, "max_new_tokens": 40}
    rounds = list(generate(target, [0], kind(draft), rows=True, **how))
    data = as_json(stepper(rounds, lambda tokens: "".join(map(str, tokens))).data)
    (data,) = called("parts/round/data.mjs", "complete", [[data]])
    return data, called(ROUND, "plan", [[data]])[0]


@pytest.mark.parametrize("rule", [TOKEN_WISE, BLOCK], ids=lambda rule: rule.name)
def test_no_sentence_of_a_round_gives_a_later_step_away(rule):
    data, steps = run(rule)
    other = deepcopy(data)
    for one in other["rounds"]:
        one |= {"emitted": ["?"], "kinds": ["bonus"]}
        for guess in one["guesses"]:
            guess |= {"fate": SWAPPED[guess["fate"]], "u": 1 - guess["u"]}
    early = [step for step in steps if step["kind"] not in ("last", "end")]
    sentences = called(
        ROUND, "sentence", [[one, step, True] for step in early for one in (data, other)]
    )
    assert sentences[::2] == sentences[1::2]
    assert {"test", "verdict"} & {step["kind"] for step in early}


def test_each_examined_guess_has_its_step_and_its_verdict():
    for data, steps in (run(), run(sampling=GREEDY)):
        tests = [step for step in steps if step["kind"] in ("test", "same")]
        guesses = [g for r in data["rounds"] for g in r["guesses"] if g["fate"] != "lost"]
        sentences = called(ROUND, "sentence", [[data, step] for step in tests])
        for words, guess in zip(sentences, guesses, strict=True):
            assert f"is {guess['fate']}" in words
            assert guess["text"] in words
        assert data["greedy"] == (not any("u =" in words for words in sentences))


def test_the_cache_of_the_draft_is_as_long_as_its_session():
    lengths = []

    class Watched(Sampled):
        def propose(self, tokens, gamma, noise):
            before = 0
            if self._session:
                self._cached.missing(self._session, tokens)  # rolls back
                before = self._session.length
            draft = super().propose(tokens, gamma, noise)
            lengths.append([before, self._session.length])
            return draft

    data, _ = run(kind=Watched)
    cached = [one["caches"]["draft"] for one in data["rounds"]]
    assert [one[:2] for one in cached if one] == lengths


def test_a_run_at_any_moment_of_a_race():
    turn = {"times": [8, 5, 1], "written": [["a", "bonus"]], "drafted": [["b", "lost"]] * 4}
    moments = [0, 1.9, 2, 4, 7.9, 8, 13, 14]
    states = called("formulas/race.mjs", "track", [[{"turns": [turn]}, at] for at in moments])
    assert [one["guesses"] for one in states] == [0, 0, 1, 2, 3, 4, 4, 0]
    assert [one["phase"] for one in states] == [0, 0, 0, 0, 0, 1, 2, None]
    assert [sum(one["spent"]) for one in states] == pytest.approx(moments)
