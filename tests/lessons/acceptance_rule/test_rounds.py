"""Darts end evenly under p, and rounds are shown as they were."""

import numpy as np
import pytest

from course_utils.decoding import emitted_tokens, generate
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.acceptance_rule.darts import throw
from course_utils.lessons.acceptance_rule.little_language import DRAFT, TARGET, WORDS
from course_utils.lessons.acceptance_rule.rounds import committed, line_by_line

P, Q = np.array([0.45, 0.25, 0.15, 0.10, 0.05]), np.array([0.25, 0.10, 0.40, 0.15, 0.10])
RUN = list(generate(TARGET, [0], Sampled(DRAFT), gamma=4, max_new_tokens=12, seed=0))
PAGE = committed(RUN, WORDS, [0])


def test_darts_fill_first_q_and_then_p():
    thrown = throw(P, Q, 4000, seed=1)
    np.testing.assert_array_equal(thrown.accepted, thrown.heights < P[thrown.drafted])
    assert (thrown.heights < Q[thrown.drafted]).all()
    assert (thrown.heights_again < P[thrown.corrections]).all()
    missed = ~thrown.accepted
    assert (thrown.heights_again[missed] >= Q[thrown.corrections[missed]]).all()
    # 5 standard deviations: one seed in half a million
    for tokens, row in (thrown.drafted, Q), (thrown.corrections, P):
        share = np.bincount(tokens, minlength=5) / 4000
        assert (abs(share - row) < 5 * np.sqrt(row * (1 - row) / 4000)).all()
    # even in height, too: the middle of each column of p has half of its darts below it
    below = (thrown.heights_again < P[thrown.corrections] / 2).mean()
    assert below == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(4000))


def test_each_line_begins_with_the_committed_text():
    *rounds, last = PAGE.text.splitlines()
    text = [0]
    for line, r in zip(rounds, RUN, strict=True):
        assert line.split()[2:] == [WORDS[token] for token in [*text, *r.drafted]]
        text += r.emitted
    assert text == [0, *emitted_tokens(RUN)]
    assert last.split()[2:] == [WORDS[token] for token in text]


def test_the_run_shown_has_all_that_the_lesson_reads_from_it():
    first, second, _ = RUN
    assert first.kinds[-1] == "bonus"
    assert WORDS[first.emitted[-1]] == "mat"
    assert second.accepted == 2
    assert (WORDS[second.drafted[2]], WORDS[second.emitted[2]]) == ("roof", "sofa")
    assert len(second.drafted) == 4  # so one token is discarded
    assert PAGE.html.count("discarded") == 1  # in the legend
    assert PAGE.html.count('title="drafted, not yet examined"') == 2  # and the token


def test_words_are_shown_as_they_are():
    assert "<x>" not in committed(RUN, ["<x>"] * len(WORDS), [0]).html


def test_a_record_for_each_drafted_token_says_what_the_rule_did():
    for r in RUN:
        records = line_by_line(r, lambda tokens: WORDS[tokens[0]])
        assert [x["token"].strip("'") for x in records] == [WORDS[t] for t in r.drafted]
        passed = [x["u"] < x["p/q"] for x in records]
        verdicts = [x["verdict"] for x in records]
        assert verdicts[: r.accepted] == ["accepted"] * r.accepted
        assert all(passed[: r.accepted])
        assert verdicts[r.accepted :][:1] == ["rejected"] * (not all(passed[: r.accepted + 1]))
        assert set(verdicts[r.accepted + 1 :]) <= {"not examined"}
