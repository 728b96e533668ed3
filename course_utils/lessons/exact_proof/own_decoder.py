"""The decoder that a student builds, in the parts of its four checkpoints.

Each part runs until the student's own has passed, and the mistakes of `decoder_checks` are edits
of them.  The course itself decodes with `decoding.loop`.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from course_utils.classroom.trial import as_answer
from course_utils.decoding import rules
from course_utils.decoding.contracts import LanguageModel, Rows, Session
from course_utils.decoding.sampling import Sampling, probabilities, sample

token_wise = as_answer(rules.token_wise)  # (accepted, token), as the exercise of lesson 03


def draft_tokens(
    session: Session, text: Sequence[int], gamma: int, sampling: Sampling, uniform: Callable
) -> tuple[list[int], Rows]:
    """Return gamma guesses after `text`, and the rows (gamma, vocabulary) they were drawn from."""
    guesses, q = [], []
    for _ in range(gamma):
        logits = session.extend([*text, *guesses][session.length :])
        q.append(probabilities(logits[-1:], sampling)[0])
        guesses.append(sample(q[-1], uniform()))
    return guesses, np.array(q)


def verify(
    session: Session, text: Sequence[int], guesses: Sequence[int], q: Rows,
    sampling: Sampling, uniform: Callable, rule: Callable,
) -> tuple[int, int]:  # fmt: skip
    """Return (accepted, token), after one pass of the target, by the rule."""
    logits = session.extend([*text, *guesses][session.length :])
    p = probabilities(logits[-len(guesses) - 1 :], sampling)
    uniforms = [uniform() for _ in range(len(guesses) + 1)]
    return rule(p, q, guesses, uniforms)


def commit(
    text: Sequence[int], guesses: Sequence[int], accepted: int, token: int,
    sessions: Sequence[Session],
) -> list[int]:  # fmt: skip
    """Return the new tokens of a round, and make both sessions forget the rejected guesses."""
    for session in sessions:
        session.rollback(min(session.length, len(text) + accepted))
    return [*guesses[:accepted], token]


def speculate(
    target: LanguageModel, draft: LanguageModel, prompt: Sequence[int], gamma: int,
    sampling: Sampling, max_new_tokens: int, stop_tokens: Sequence[int], uniform: Callable,
    rule: Callable = token_wise, *, draft_tokens: Callable = draft_tokens,
    verify: Callable = verify, commit: Callable = commit, behind: int = 1,
) -> Iterator[list[int]]:  # fmt: skip
    """Yield the new tokens of each round, decoded by these parts.

    Both sessions start without the last `behind` tokens of the prompt. With more than one, a part
    that expects to feed a single token fails at once.
    """
    text, end = list(prompt), len(prompt) + max_new_tokens
    sessions = [model.start(text[:-behind]) for model in (target, draft)]
    while len(text) < end:
        n = min(gamma, end - len(text) - 1)
        guesses, q = draft_tokens(sessions[1], text, n, sampling, uniform)
        accepted, token = verify(sessions[0], text, guesses, q, sampling, uniform, rule)
        new = commit(text, guesses, accepted, token, sessions)
        stops = [i for i, x in enumerate(new) if x in stop_tokens]
        if stops:
            yield new[: stops[0] + 1]
            return
        yield new
        text += new
