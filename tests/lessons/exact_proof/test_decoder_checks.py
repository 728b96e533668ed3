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


RIGHT_ANSWERS = [
    (check_draft_tokens, feeds_each_once),
]


def stacks_q(session, text, gamma, sampling, uniform):
    guesses, q = draft_tokens(session, text, gamma, sampling, uniform)
    return guesses, np.stack([*q])  # raises if there is nothing to stack


def verify_with(change):
    """Return a `verify` that passes change(p, q, guesses, uniforms) to the rule."""

    def part(*args):
        *args, rule = args
        return verify(*args, lambda p, q, x, u: rule(*change(p, q, x, u)))

    return part


WRONG_ANSWERS = [
    (check_draft_tokens, stacks_q, "With gamma = 0 your code raised ValueError"),
    (check_draft_tokens, slip(draft_tokens, ("[session.length :]", "[-1:]")), "at position 3"),
    (check_verify, verify_with(lambda p, q, x, u: (p[1:], q, x, u)), "2 guesses need 3 rows"),
    (check_verify, verify_with(lambda p, q, x, u: (np.log(p), q, x, u)), "Are they logits?"),
    (
        check_verify,
        verify_with(lambda p, q, x, u: (p, q, x, np.random.random(len(u)))),
        "draws its own random numbers",
    ),
    (check_commit, slip(commit, ("in sessions:", "in ():")), "is not rolled back"),
    (check_commit, slip(commit, ("accepted))", "accepted - 1))")), "reads tokens again"),
    (check_own_decoder, slip(speculate, ("text += new", "pass")), "do you append to the text"),
    (check_own_decoder, slip(speculate, ("list(prompt)", "prompt")), "Work on a copy"),
    (check_own_decoder, slip(speculate, ("if stops:", "if False:")), "follow a stop token"),
    (check_own_decoder, slip(speculate, ("- len(text) - 1)", "- len(text))")), "room for"),
]
