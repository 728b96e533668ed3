"""Darts end evenly under p, and rounds are shown as they were."""

import re

import numpy as np
import pytest

from course_utils.decoding import emitted_tokens
from course_utils.lessons.acceptance_rule.darts import throw
from course_utils.lessons.acceptance_rule.rounds import committed, line_by_line
from course_utils.lessons.small_rounds import PROMPT, WORDS, encode, small_rounds, words

P, Q = np.array([0.45, 0.25, 0.15, 0.10, 0.05]), np.array([0.25, 0.10, 0.40, 0.15, 0.10])
RUN = small_rounds()
PAGE = committed(RUN, WORDS, encode(PROMPT))


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
    text = encode(PROMPT)
    for line, r in zip(rounds, RUN, strict=True):
        assert line.split()[2:] == [WORDS[token] for token in [*text, *r.drafted]]
        text += r.emitted
    assert text == encode(PROMPT) + emitted_tokens(RUN)
    assert last.split()[2:] == [WORDS[token] for token in text]


def test_the_run_shown_has_all_that_the_lesson_reads_from_it():
    first, second, third = RUN
    assert first.accepted == 2
    assert (WORDS[first.drafted[2]], WORDS[first.emitted[2]]) == ("sang", "slept")
    assert (second.kinds[-1], WORDS[second.emitted[-1]]) == ("bonus", "at")
    assert (WORDS[third.emitted[-1]], WORDS[third.drafted[-1]]) == (".", "the")
    assert PAGE.html.count("discarded") == 1  # in the legend
    assert PAGE.html.count('title="drafted, not yet examined"') == 3  # and two words


def test_words_stand_in_columns():
    first, second = re.sub("<[^>]*>", "", PAGE.html).splitlines()[:2]
    assert first.index("all") == second.index("all")  # behind sang, and behind slept


def test_words_are_shown_as_they_are():
    assert "<x>" not in committed(RUN, ["<x>"] * len(WORDS), encode(PROMPT)).html


def test_a_record_for_each_drafted_token_says_what_the_rule_did():
    for r in RUN:
        records = line_by_line(r, words)
        assert [x["token"].strip("'") for x in records] == [WORDS[t] for t in r.drafted]
        passed = [x["u"] < x["p/q"] for x in records]
        verdicts = [x["verdict"] for x in records]
        accepted = r.verdict.accepted
        assert verdicts[:accepted] == ["accepted"] * accepted
        assert all(passed[:accepted])
        assert verdicts[accepted:][:1] == ["rejected"] * (not all(passed[: accepted + 1]))
        assert set(verdicts[accepted + 1 :]) <= {"not examined"}
