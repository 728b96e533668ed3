"""Attempts at one's own decoder that no exercise holds: of another form, and told what is wrong."""

import numpy as np
import pytest

from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.classroom.mine import keep
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
    token_wise,
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


def grows_text(text, guesses, accepted, token, sessions):
    text += [*guesses[:accepted], token]
    for session in sessions:
        session.rollback(len(text) - 1)
    return text


def rows_that_come_back(which):
    """`verify` that takes `which(rows, n)` of all rows that come back."""

    def part(session, text, guesses, q, sampling, uniform, rule):
        rows = probabilities(session.extend([*text, *guesses][session.length :]), sampling)
        return rule(which(rows, len(guesses)), q, guesses, [uniform() for _ in [*guesses, 0]])

    return part


def feeds_one(session, text, gamma, sampling, uniform):
    """Consistent in itself: it reads its last guess, so that it never lacks two tokens."""
    guesses, q = [], []
    row = session.extend(text[-1:])[-1:] if gamma else None
    for _ in range(gamma):
        q.append(probabilities(row, sampling)[0])
        guesses.append(sample(q[-1], uniform()))
        row = session.extend(guesses[-1:])[-1:]
    return guesses, np.array(q)


def begun(start, which=lambda rows, n: rows[-n - 1 :], lacks=lambda text, session: text):
    """A whole decoder whose target begins with `start(prompt)`."""

    def program(target, draft, prompt, gamma, sampling, most, stops, uniform, rule=token_wise):
        text, end = [*prompt], len(prompt) + most
        both = target.start(start(text)), draft.start(start(text))
        while len(text) < end:
            n = min(gamma, end - len(text) - 1)
            guesses, q = draft_tokens(both[1], lacks(text, both[1]), n, sampling, uniform)
            seen = lacks(text, both[0])
            decided = rows_that_come_back(which)(both[0], seen, guesses, q, sampling, uniform, rule)
            new = commit(text, guesses, *decided, both)
            ends = [i + 1 for i, x in enumerate(new) if x in stops]
            yield new[: ends[0] if ends else None]
            if ends:
                return
            text += new

    return program


def one_token(text, session):
    """As if the session lacked only the text's last token."""
    return [0] * session.length + text[-1:]


def reading(of):
    return lambda target, draft, prompt, *rest: speculate(target, draft, of([*prompt]), *rest)


def windowed(target, draft, prompt, gamma, sampling, most, *rest):
    """Six tokens of the text, from the first round to the last."""
    text = [*prompt]
    while len(text) < len(prompt) + most:
        left = len(prompt) + most - len(text)
        new = next(speculate(target, draft, text[-6:], gamma, sampling, left, *rest))
        yield new
        text += new
        if new[-1] in rest[0]:
            return


# What a student's decoder makes of its prompt, and a word of what is said of it.
MISREADERS = {
    "the first rows": (begun(lambda text: [], lambda rows, n: rows[: n + 1]), "you take the first"),
    "nothing but the last token": (begun(lambda text: [], lacks=one_token), "Your sessions begin"),
    "nothing": (reading(lambda prompt: [0]), "You never look at `prompt`"),
    "its last token": (reading(lambda prompt: prompt[-1:]), "only the last tokens"),
    "its last three": (reading(lambda prompt: prompt[-3:]), "only the last tokens"),
    "its first": (reading(lambda prompt: prompt[:1]), "only the first tokens"),
    "its first three": (reading(lambda prompt: prompt[:3]), "only the first tokens"),
    "all but the first": (reading(lambda prompt: prompt[1:]), "never reads the prompt's first"),
    "sorted": (reading(sorted), "sorted"),
    "backwards": (reading(lambda prompt: prompt[::-1]), "backwards"),
    "as a set": (reading(lambda prompt: sorted({*prompt})), "each token of the prompt once"),
    "without repetitions": (
        reading(lambda prompt: [*dict.fromkeys(prompt)]),
        "each token of the prompt once",
    ),
    "its last two exchanged": (
        reading(lambda prompt: prompt[:-2] + prompt[:-3:-1]),
        "another order",
    ),
    "padded": (reading(lambda prompt: [0, 0, *prompt]), "something before the prompt"),
    "a window": (windowed, "cut the text to a window"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MISREADERS)
def test_a_decoder_that_does_not_read_its_prompt_is_named_and_not_kept(name, capsys):
    program, words = MISREADERS[name]
    told = check_own_decoder(program)
    assert told.status == WRONG
    assert words in told.message
    keep(program, check_own_decoder)
    assert "Nothing is kept yet" in capsys.readouterr().out


def looks_at_all(target, draft, prompt, gamma, sampling, most, stops, *rest):
    """Takes a stop token of the prompt for one of the text."""
    text = [*prompt]
    for new in speculate(target, draft, prompt, gamma, sampling, most, stops, *rest):
        text += new
        ends = [i + 1 for i, x in enumerate(text) if x in stops]
        yield new[: max(0, ends[0] - len(text) + len(new))] if ends else new
        if ends:
            return


def with_one_session(target, draft, prompt, *rest):
    class Same:
        def start(self, tokens):
            return session

    session = target.start(prompt[:-1])
    return speculate(Same(), Same(), prompt, *rest)


def yields_nothing(*given):
    yield from [new for new in speculate(*given) if not new]


TOLD = [
    (check_own_decoder, looks_at_all, "Where the prompt holds a stop token"),
    (check_own_decoder, with_one_session, "one session does all the reading"),
    (check_own_decoder, yields_nothing, "No round comes out"),
    (check_commit, grows_text, "You change a list"),
    (check_verify, rows_that_come_back(lambda rows, n: rows), "every row that comes back"),
    (check_verify, rows_that_come_back(lambda rows, n: rows[: n + 1]), "take the first rows"),
    (check_draft_tokens, feeds_one, "token 0 at place 3"),
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


def test_a_decoder_that_yields_nothing_is_drawn_and_no_error_is_put_down_to_it():
    shown = str(decoder_figures.at_work(yields_nothing).__dict__)
    assert "the text ends after 0 of 5 tokens" in shown
    assert "Error" not in shown


def test_a_picture_keeps_the_part_that_is_written():
    picture = decoder_figures.at_work(draft_tokens=only_chances, verify=lambda *given: None)
    assert "whole rows" in str(picture.__dict__)
    picture = decoder_figures.at_work(draft_tokens=None, verify=lambda *given: np.random.random())
    assert "Return two things" in str(picture.__dict__)
