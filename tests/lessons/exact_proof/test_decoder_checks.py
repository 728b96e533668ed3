"""Attempts at one's own decoder that no exercise holds: of another form, and told what is wrong."""

import numpy as np
import pytest

from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.decoding.sampling import probabilities, sample
from course_utils.lessons.exact_proof import decoder_figures
from course_utils.lessons.exact_proof.checks import (
    check_commit,
    check_draft_tokens,
    check_own_decoder,
    check_verify,
)
from course_utils.lessons.exact_proof.own_decoder import (
    commit,
    draft_tokens,
    speculate,
    verify,
)


def feeds_each_once(session, text, gamma, sampling, uniform):
    to_read, guesses, q = text[session.length :], [], []
    while len(guesses) < gamma:
        q.append(probabilities(session.extend(to_read), sampling)[-1])
        to_read = [sample(q[-1], uniform())]
        guesses += to_read
    return guesses, np.stack(q) if q else []


def cuts_from_the_front(session, text, guesses, q, sampling, uniform, rule):
    new = text[session.length :] + guesses
    rows = probabilities(session.extend(new), sampling)[len(new) - len(guesses) - 1 :]
    return [*rule(rows, q, guesses, tuple(uniform() for _ in rows))]


def rolls_back_if_longer(text, guesses, accepted, token, sessions):
    for session in sessions:
        if session.length > len(text) + accepted:
            session.rollback(len(text) + accepted)
    return (*guesses[:accepted], token)


def yields_arrays(*given):
    for new in speculate(*given):
        yield np.array(new)


@pytest.mark.parametrize(
    ("check", "attempt"),
    [
        (check_draft_tokens, feeds_each_once),
        (check_verify, cuts_from_the_front),
        (check_commit, rolls_back_if_longer),
        (check_own_decoder, yields_arrays),
    ],
)
def test_other_forms_pass(check, attempt):
    assert check(attempt).status == PASSED


def changes_text(session, text, gamma, sampling, uniform):
    guesses, q = draft_tokens(session, text, gamma, sampling, uniform)
    text += guesses
    return guesses, q


def rows_in_a_list(*given):
    guesses, q = draft_tokens(*given)
    return guesses, [*q]


def only_chances(*given):
    guesses, q = draft_tokens(*given)
    return guesses, np.array([q[i, x] for i, x in enumerate(guesses)])


def as_array(*given):
    guesses, q = draft_tokens(*given)
    return np.array(guesses), q


def misspelt(session, text, gamma, sampling, uniform):
    return drft(session, text, gamma)  # noqa: F821


def judged_by(change):
    """`verify` that hands change(p, q, uniforms) to the rule."""

    def part(session, text, guesses, q, sampling, uniform, rule):
        def changed(p, q, guesses, uniforms):
            p, q, uniforms = change(p, q, uniforms)
            return rule(p, q, guesses, uniforms)

        return verify(session, text, guesses, q, sampling, uniform, changed)

    return part


TOLD = [
    (check_draft_tokens, changes_text, "You change a list"),
    (check_draft_tokens, rows_in_a_list, "`np.array(q)`"),
    (check_draft_tokens, only_chances, "whole rows"),
    (check_draft_tokens, as_array, "must be a list, not an array"),
    (check_draft_tokens, lambda *given: draft_tokens(*given)[0], "Your guesses must be a list"),
    (check_draft_tokens, lambda *given: ([], np.array([])), "With gamma = 2"),
    (check_draft_tokens, misspelt, "NameError: name 'drft'"),
    (check_verify, judged_by(lambda p, q, u: (p[1:], q, u)), "has 2 rows. 2 guesses need 3"),
    (check_verify, judged_by(lambda p, q, u: (q, p, u)), "You exchanged p and q"),
    (check_verify, judged_by(lambda p, q, u: (np.log(p), q, u)), "Are yours logits?"),
    (check_verify, judged_by(lambda p, q, u: (p, q[:, 0], u)), "The rule's q"),
    (check_verify, judged_by(lambda p, q, u: (p, q, u[:-1])), "a list of 3 uniforms"),
    (
        check_verify,
        judged_by(lambda p, q, u: (p, q, np.random.random(len(u)))),
        "With the same uniforms it wrote another text",
    ),
    (check_verify, lambda *given: [*given[2], 0], "Return two things"),
    (check_verify, lambda *given: (9, 0), "Of 2 guesses 9 cannot be accepted"),
    (check_commit, lambda *given: np.array(commit(*given)), "not an array"),
    (check_own_decoder, lambda *given: 1 / 0, "ZeroDivisionError"),
]


@pytest.mark.parametrize(("check", "attempt", "words"), TOLD)
def test_what_is_told(check, attempt, words):
    told = check(attempt)
    assert told.status == WRONG
    assert words in told.message


def exits(*given):
    raise SystemExit


@pytest.mark.parametrize(
    "speculate",
    [None, ..., 7, "text", exits, speculate, *(lambda *given, x=x: x for x in ([], [[]], {}, 3))],
)
def test_a_picture_is_drawn_of_whatever_was_written(speculate):
    assert decoder_figures.at_work(speculate)


def test_a_picture_keeps_the_part_that_is_written():
    picture = decoder_figures.at_work(draft_tokens=only_chances, verify=lambda *given: None)
    assert "whole rows" in str(picture.__dict__)
    picture = decoder_figures.at_work(draft_tokens=None, verify=lambda *given: np.random.random())
    assert "Return two things" in str(picture.__dict__)
