"""Right and wrong attempts at a decoder, beyond those in the exercises themselves."""

import numpy as np

from course_utils.decoding.sampling import probabilities, sample
from course_utils.edits import slip
from course_utils.lessons.exact_proof.checks import (
    check_commit,
    check_draft_tokens,
    check_own_decoder,
    check_verify,
)
from course_utils.lessons.exact_proof.own_decoder import commit, draft_tokens, speculate, verify


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


def yields_arrays(*args):
    for new in speculate(*args):
        yield np.array(new)


RIGHT_ANSWERS = [
    (check_draft_tokens, feeds_each_once),
    (check_verify, cuts_from_the_front),
    (check_commit, rolls_back_if_longer),
    (check_own_decoder, yields_arrays),
]


def stacks_q(session, text, gamma, sampling, uniform):
    guesses, q = draft_tokens(session, text, gamma, sampling, uniform)
    return guesses, np.stack([*q])  # raises if there is nothing to stack


def grows_text(text, guesses, accepted, token, sessions):
    text += [*guesses[:accepted], token]
    for session in sessions:
        session.rollback(len(text) - 1)
    return text


def verify_with(change):
    """Return a `verify` that passes change(p, q, guesses, uniforms) to the rule."""

    def part(*args):
        *args, rule = args
        return verify(*args, lambda p, q, x, u: rule(*change(p, q, x, u)))

    return part


def with_prompt(change):
    """Return a decoder that replaces its prompt by change(prompt)."""
    return lambda target, draft, prompt, *rest: speculate(target, draft, change(prompt), *rest)


WRONG_ANSWERS = [
    (check_draft_tokens, lambda *args: 5, "Return two things"),
    (check_draft_tokens, lambda *args: (draft_tokens(*args)[0], [1, 2]), "np.array(q)"),
    (check_draft_tokens, stacks_q, "With gamma = 0 your code raised ValueError"),
    (check_draft_tokens, slip(draft_tokens, ("[session.length :]", "[-1:]")), "at position 3"),
    (check_verify, verify_with(lambda p, q, x, u: (p[1:], q, x, u)), "2 guesses need 3 rows"),
    (check_verify, verify_with(lambda p, q, x, u: (np.log(p), q, x, u)), "Are they logits?"),
    (check_verify, verify_with(lambda p, q, x, u: (p, q, x, u[:-1])), "a list of 3 uniforms"),
    (
        check_verify,
        verify_with(lambda p, q, x, u: (p, q, x, np.random.random(len(u)))),
        "draws its own random numbers",
    ),
    (check_verify, verify_with(lambda p, q, x, u: (p, q, x, [v + 0 for v in u])), "You calculate"),
    (check_verify, lambda *args: (9, 0), "You accept 9 of 2 guesses"),
    (check_commit, grows_text, "You change an argument"),
    (check_commit, lambda *args: np.array(commit(*args)), "Return a list of the new tokens"),
    (check_commit, slip(commit, ("in sessions:", "in ():")), "is not rolled back"),
    (check_commit, slip(commit, ("accepted))", "accepted - 1))")), "reads tokens again"),
    (check_own_decoder, with_prompt(lambda prompt: [0]), "reads token 0 at position 0"),
    (check_own_decoder, slip(speculate, ("text += new", "pass")), "do you append to the text"),
    (check_own_decoder, lambda *args: [*speculate(*args)], "Yield the new tokens"),
    (
        check_own_decoder,
        lambda *args: (token for new in speculate(*args) for token in new),
        "Yield a list of the round's new tokens",
    ),
    (check_own_decoder, slip(speculate, ("list(prompt)", "prompt")), "Work on a copy"),
    (check_own_decoder, slip(speculate, ("if stops:", "if False:")), "follow a stop token"),
    (check_own_decoder, slip(speculate, ("- len(text) - 1)", "- len(text))")), "room for"),
    (check_own_decoder, lambda *args: 1 / 0, "ZeroDivisionError"),
]
