"""Checks of this elective: one position, and many rows at a temperature."""

import numpy as np

from course_utils.classroom.exercise import Exercise


def one_position(p, q, greedy):
    """Rows (V,) -> (P(accepted), distribution (V,) of the correction)."""
    drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
    both = np.minimum(p, drawn)
    left = p - both
    if left.sum() > 0:
        left = left / left.sum()
    return both.sum(), left


ROWS = (
    ([0.9, 0.1], [0.6, 0.4]),  # the draft is less sure than its target
    ([0.4, 0.35, 0.25], [0.25, 0.25, 0.5]),  # the likeliest guess is wrong
    ([0.0, 1.0, 0.0], [0.5, 0.25, 0.25]),  # a guess that is never right
    ([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]),  # the same row: nothing is left over
)

check_one_position = Exercise(
    "one_position",
    cases=[(np.array(p), np.array(q), greedy) for p, q in ROWS for greedy in (True, False)],
    solution=one_position,
    mistakes={
        "You answer for the sampled draft in both cases. A greedy draft guesses one token for "
        "certain, the likeliest of q.": ("np.eye(len(q))[np.argmax(q)] if greedy else q", "q"),
        "The greedy guess is the likeliest token of q, the draft's row. You take the likeliest of "
        "p, which the draft does not know.": ("np.argmax(q)", "np.argmax(p)"),
        "A certain guess was drawn from a one-hot row, so it is accepted with p(x), not with "
        "p(x)/q(x): q is not what it was drawn from.": (
            ("both.sum()", "min(1.0, (p / q)[q.argmax()]) if greedy else both.sum()")
        ),
        "After a rejection you draw from p. The tokens that were accepted have had a part of p "
        "already: take the residual, (p − row)₊ over its sum.": (".sum(), left", ".sum(), p"),
        "The residual of q, though the greedy guess was drawn from a one-hot row: take the row "
        "that the guess was really drawn from.": ("p - both", "np.maximum(p - q, 0)"),
        "What is left of p does not sum to 1, and a distribution does: divide by the sum.": (
            ("left / left.sum()", "left")
        ),
    },
    insight="min(p, row) from acceptances and your correction after rejections make p together, "
    "whatever is guessed; only how often the guess was right differs, and neither kind is always "
    "the better one.",
    parts=("accepted", "correction"),
)


def means_at(target_logits, draft_logits, temperature):
    """Logits (n, V) -> mean acceptance of a greedy and of a sampled draft."""

    def softmax(x):
        x = np.exp(x - x.max(-1, keepdims=True))
        return x / x.sum(-1, keepdims=True)

    p = softmax(target_logits / temperature)
    q = softmax(draft_logits / temperature)
    greedy = p[np.arange(len(p)), q.argmax(-1)].mean()
    sampled = np.minimum(p, q).sum(-1).mean()
    return greedy, sampled


_RNG = np.random.default_rng(3)
_LOGITS = [2 * _RNG.normal(size=(2, n, 5)) for n in (3, 4)]
_FAR = np.array([[0.0], [2000.0], [-2000.0]])  # added to a row's logits, it changes nothing

check_means_at = Exercise(
    "means_at",
    cases=[
        (np.log([[0.9, 0.1]]), np.log([[0.6, 0.4]]), 1.0),
        (*_LOGITS[0] + _FAR, 0.5),
        (*_LOGITS[1], 2.0),
    ],
    solution=means_at,
    mistakes={
        "Your rows are those of temperature 1. Divide the logits of both models, before the "
        "softmax.": (
            ("target_logits / temperature", "target_logits"),
            ("draft_logits / temperature", "draft_logits"),
        ),
        "You divide the target's logits alone. The draft is sampled at the same temperature.": (
            ("draft_logits / temperature", "draft_logits")
        ),
        "A certain guess is accepted with p at the DRAFT's likeliest token. You take the target's "
        "own largest probability.": ("p[np.arange(len(p)), q.argmax(-1)]", "p.max(-1)"),
        "That is how often the two likeliest tokens are the same. The target is sampled: it emits "
        "the guess with probability p.": (
            ("p[np.arange(len(p)), q.argmax(-1)]", "(p.argmax(-1) == q.argmax(-1))")
        ),
        "`p[:, indices]` takes all those columns of *every* row. Row i has its own guess: "
        "p[np.arange(len(p)), indices].": ("p[np.arange(len(p)), q", "p[:, q"),
        "exp of large logits overflows, and of very small ones it is 0. First subtract from each "
        "row its own largest logit.": ("np.exp(x - x.max(-1, keepdims=True))", "np.exp(x)"),
    },
    insight="Heat flattens both rows: a certain guess is then seldom right, while two flat rows "
    "still overlap.",
    parts=("greedy", "sampled"),
    describe_case=lambda p, q, temperature: (
        f"{len(p)} rows of {p.shape[1]} tokens at T = {temperature}"
    ),
)
