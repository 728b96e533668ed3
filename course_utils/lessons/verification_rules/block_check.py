"""The check of block verification: a student's rule, walked along every path of its uniforms.

What is compared is the exact distribution of the verdict, so a rule may use its uniforms
in another order than the course's and is right all the same.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.plain import plain
from course_utils.classroom.rounds import as_answer
from course_utils.decoding.contracts import Rows, Uniforms
from course_utils.decoding.rules import residual, token_wise
from course_utils.decoding.sampling import sample
from course_utils.proofs.enumeration import outcomes

Answer = tuple[int, int]  # (accepted, token)
NO_PAIR = (
    "Return (accepted, token): two whole numbers. `accepted` counts drafted tokens alone, from 0 "
    "to len(drafted), never the correction or the bonus; `token` is a column of p."
)
CALCULATES = (
    "Your rule calculates with a uniform. Only compare it, uniforms[i] < h, and hand the last "
    "one to sample(): then every path can be walked."
)


def verdicts(attempt: Callable, p: Rows, q: Rows, drafted: Sequence[int]) -> object:
    """The exact distribution of (accepted, token): that of `accepted`, and both (gamma + 1, V).

    None or `...` if that is answered; a sentence if it is no pair, or a uniform is calculated with.
    """
    counts = len(drafted) + 1
    both = np.zeros((counts, p.shape[1]))
    try:
        for weight, answer in outcomes(
            lambda noise: attempt(
                p.copy(), q.copy(), drafted, noise.round(0).uniforms("verify", counts)
            )
        ):
            if answer is None or answer is ...:
                return answer
            if not _is_pair(given := plain(answer), both.shape):
                return NO_PAIR
            both[tuple(map(int, given))] += weight
    except TypeError:
        attempt(p, q, drafted, [0.5] * counts)  # its own error, if numbers do not help either
        return CALCULATES
    return both.sum(axis=1).round(9).tolist(), both.round(9).tolist()


def _is_pair(answer: object, limits: tuple[int, int]) -> bool:
    return (
        isinstance(answer, tuple | list)
        and len(answer) == 2
        and all(type(x) in (int, float) for x in answer)
        and all(x in range(limit) for x, limit in zip(answer, limits, strict=True))
    )


def _in_one_sentence(answer: object, *_: object) -> str | None:
    return answer if isinstance(answer, str) else None


def _random(gamma: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """p (gamma + 1, size), q (gamma, size) and a draft of q."""
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(size), gamma + 1), rng.dirichlet(np.ones(size), gamma)
    return p, q, tuple(sample(row, u) for row, u in zip(q, rng.random(gamma), strict=True))


TINY_P, TINY_Q = np.tile([1 / 3, 2 / 3], (3, 1)), np.tile([2 / 3, 1 / 3], (2, 1))
CASES = (
    (TINY_P, TINY_Q, (0, 1)),  # the second token pays back what the first one owes
    (TINY_P, TINY_Q, (1, 0)),  # the first one's credit is capped
    # seeds whose drafts end with r below 1 in front of a correction, so that no mistake passes
    *(_random(gamma, size, seed) for gamma, size, seed in ((2, 3, 9), (3, 4, 4), (1, 2, 2))),
    (TINY_P, TINY_P[:2], (0, 1)),  # p = q: S and 1 - r are both 0
)


def my_block(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    """Block verification, the solution of the lesson's build."""
    gamma = len(drafted)
    accepted, r_accepted, r = 0, 1.0, 1.0
    for i, x in enumerate(drafted):
        r = min(1.0, r * p[i, x] / q[i, x])
        h = r
        if i + 1 < gamma:
            s = np.maximum(r * p[i + 1] - q[i + 1], 0).sum()
            h = s / (s + 1 - r) if s + 1 - r > 0 else 1.0
        if uniforms[i] < h:
            accepted, r_accepted = i + 1, r
    if accepted == gamma:
        return accepted, sample(p[gamma], uniforms[-1])
    row = residual(r_accepted * p[accepted], q[accepted])
    return accepted, sample(row, uniforms[-1])


check_block = Exercise(
    "block",
    cases=CASES,
    right=my_block,
    mistakes={
        "That is the token-wise rule, which ends at the first rejection. Here one account r is "
        "carried through the whole draft.": as_answer(token_wise),
        "Your search ends at the first prefix that does not pass. The longest one that passes "
        "counts, even "
        "if a shorter one did not.": ("= i + 1, r", "= i + 1, r\n        else:\n            break"),
        "You take the first prefix that passes. The longest one that passes counts: let the loop "
        "go on.": ("= i + 1, r", "= i + 1, r\n            break"),
        "You accept every prefix with probability r. That is right for the whole draft alone; a "
        "shorter prefix has to leave room for "
        "the longer ones, h = S/(S + 1 − r).": ("s / (s + 1 - r) if s + 1 - r > 0 else 1.0", "r"),
        "You accept a prefix with probability S. But only the share S + 1 − r of the rounds can "
        "still stop there, the others "
        "were accepted further: divide by it.": ("s / (s + 1 - r) if s + 1 - r > 0 else 1.0", "s"),
        "In S you left out the account: it is the sum of max(r·p − q, 0).": ("(r * p", "(p"),
        "S speaks of the word AFTER the prefix. After i + 1 drafted tokens that is row i + 1 of p "
        "and of q, counted from 0.": ("p[i + 1] - q[i + 1]", "p[i] - q[i]"),
        "The account is never above 1: after every token r = min(1, r·p/q).": ("min(1.0, ", "("),
        "Are p and q swapped? The account takes p(x)/q(x).": ("p[i, x] / q", "q[i, x] / p"),
        "You test every prefix with the same uniform. Prefix i + 1 has uniforms[i].": (
            ("uniforms[i]", "uniforms[0]")
        ),
        "Where p = q you divide 0 by 0. No round can stop there, and any h will do.": (
            (" if s + 1 - r > 0 else 1.0", "")
        ),
        "Your correction leaves out the account: it comes from rules.residual(r·p, q), with the r "
        "of the prefix that was accepted.": ("r_accepted * p[accepted]", "p[accepted]"),
        "Your correction takes the account at the end of the draft. Remember the r of the prefix "
        "that was accepted.": ("r_accepted * p", "r * p"),
        "Your correction comes from p. Draw it from what is left over, rules.residual(r·p, q).": (
            ("residual(r_accepted * p[accepted], q[accepted])", "p[accepted]")
        ),
        "You use uniforms[i + 1] for drafted token i, so the last one is used twice. It is for "
        "the correction or the bonus alone.": ("uniforms[i]", "uniforms[i + 1]"),
        "You take the likeliest token as correction or bonus. It has to be drawn: "
        "sample(row, uniforms[-1]).": (
            ("sample(p[gamma], uniforms[-1])", "int(p[gamma].argmax())"),
            ("sample(row, uniforms[-1])", "int(row.argmax())"),
        ),
        "Your bonus comes from the row of the last drafted token. It follows that token: the last "
        "row of p.": ("p[gamma]", "p[gamma - 1]"),
    },
    insight="A round stops exactly where the draft offers too little of what the target wants, "
    "so less has to be corrected. At temperature 0 it is the token-wise rule again.",
    ask=verdicts,
    form=_in_one_sentence,
    parts=("how many are accepted", "the token after them"),
    shown=lambda p, q, drafted: f"{len(drafted)} drafted tokens and {p.shape[1]} words",
)
