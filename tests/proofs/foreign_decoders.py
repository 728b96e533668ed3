"""Decoders as public repositories and tutorials have them, in the signature of `programs`.

Each keeps the one thing that its docstring quotes; the loop around it is the course's model
solution.  `certify --decoder tests/proofs/foreign_decoders.py:NAME` certifies any of them.
"""

import numpy as np

from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.lessons.exact_proof.own_decoder import (
    speculate,
    speculate_with,
    token_wise,
)


def missing_bonus(*given):
    """No bonus: a round adds gamma tokens at most, so a draft accepted as a whole adds only itself.

    As eBay/spec_dec @96e1d12 (arXiv 2510.22876), which drops the last row of logits; there
    with greedy matching, here with the token-wise rule.  Article 000 has no bonus, either.
    """

    def commit(text, guesses, accepted, token, sessions):
        new = [*guesses[:accepted], token][: max(1, len(guesses))]
        for session in sessions:  # without a bonus the last guess is fed again, for its row
            session.rollback(min(session.length, len(text) + len(new) - 1))
        return new

    yield from speculate_with(commit=commit)(*given)


def likeliest_bonus(*given):
    """The bonus is the target's likeliest token (REFERENCES.md: article-003)."""

    def rule(p, q, guesses, uniforms):
        accepted, token = token_wise(p, q, guesses, uniforms)
        return accepted, token if accepted < len(guesses) else int(p[-1].argmax())

    yield from speculate(*given, rule)


def likeliest_everywhere(*given):
    """Correction and bonus are the target's likeliest token (REFERENCES.md: article-004)."""

    def rule(p, q, guesses, uniforms):
        accepted, _ = token_wise(p, q, guesses, uniforms)
        return accepted, int(p[accepted].argmax())

    yield from speculate(*given, rule)


def at_another_temperature(*given):
    """The draft is drawn at temperature 0.7, and its q is taken at 1 (REFERENCES.md: article-000).

    Here: at 0.7 of the temperature of its q.
    """

    def drafts(session, text, gamma, sampling, uniform):
        colder = Sampling(0.7 * sampling.temperature, sampling.top_k, sampling.top_p)
        guesses, q = [], []
        for _ in range(gamma):
            logits = session.extend([*text, *guesses][session.length :])[-1:]
            q.append(probabilities(logits, sampling)[0])
            guesses.append(sample(probabilities(logits, colder)[0], uniform()))
        return guesses, np.array(q)

    yield from speculate_with(draft_tokens=drafts)(*given)


def _greedy(stated):
    """`draft_tokens` that guesses the likeliest token of a row, and states another q."""

    def drafts(session, text, gamma, sampling, uniform):
        guesses, q = [], []
        for _ in range(gamma):
            logits = session.extend([*text, *guesses][session.length :])[-1:]
            row = probabilities(logits, sampling)[0]
            guesses.append(int(row.argmax()))
            q.append(stated(row))
        return guesses, np.array(q)

    return drafts


def greedy_draft_soft_q(*given):
    """The likeliest token is guessed, judged as if drawn from q (REFERENCES.md: article-003)."""
    yield from speculate_with(draft_tokens=_greedy(lambda row: row))(*given)


def greedy_draft(*given):
    """The likeliest token is guessed, and its q says so: one-hot.  Lossless.

    As vLLM's default, `draft_sample_method` "greedy" (vLLM PR #41044).
    """
    one_hot = _greedy(lambda row: np.eye(len(row))[row.argmax()])
    yield from speculate_with(draft_tokens=one_hot)(*given)


def accepts_if_likelier(*given):
    """A guess is accepted if p >= q (REFERENCES.md: article-001)."""

    def rule(p, q, guesses, uniforms):
        for i, x in enumerate(guesses):
            if p[i, x] < q[i, x]:
                return i, sample(residual(p[i], q[i]), uniforms[-1])
        return len(guesses), sample(p[-1], uniforms[-1])

    yield from speculate(*given, rule)


def placeholders(*given):
    """Guesses that were not ready are placeholders, accepted where p's likeliest token equals them.

    The token after them is drawn from p.  As tanishqkumar/ssd @6ed3022 (arXiv 2603.03251) on
    a cache miss above temperature 0 without `jit_speculate`; here every round is a miss, and
    a placeholder is any token of the vocabulary.
    """

    def drafts(session, text, gamma, sampling, uniform):
        size = given[1].vocabulary_size
        any_token = np.full(size, 1 / size)
        guesses = [sample(any_token, uniform()) for _ in range(gamma)]
        return guesses, np.tile(any_token, (gamma, 1))

    def rule(p, q, guesses, uniforms):
        accepted = 0
        while accepted < len(guesses) and guesses[accepted] == p[accepted].argmax():
            accepted += 1
        return accepted, sample(p[accepted], uniforms[-1])

    yield from speculate_with(draft_tokens=drafts)(*given, rule)


def stops_at_the_prompt(target, draft, prompt, gamma, sampling, most, stop_tokens, uniform):
    """A stop token is looked for in the prompt, too, so a chat that has one ends at once.

    As the stop test `(generated_ids == eos).any(dim=1)` of eBay/spec_dec @96e1d12.
    """
    given = target, draft, prompt, gamma, sampling, most, stop_tokens, uniform
    for emitted in speculate(*given):
        yield emitted
        if any(token in stop_tokens for token in prompt):
            return


def model_solution(*given):
    """The lesson's own."""
    yield from speculate(*given)
