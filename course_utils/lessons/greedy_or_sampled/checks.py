"""Checks of this elective: one position, and many rows at a temperature."""

import numpy as np

from course_utils.classroom.exercise import Exercise

# ------------------------------------------------------------------ one position

Row = np.ndarray


def one_position(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
    """(probability that the guess is accepted, distribution of the correction after a rejection).

    The guess is the likeliest token of q if `greedy`, else a draw from q; the rule is told
    which.  The correction is all zeros where no guess is ever rejected.
    """
    drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
    both = np.minimum(p, drawn)
    left = p - both
    if left.sum() > 0:
        left = left / left.sum()
    return both.sum(), left


ROWS = (
    ([0.9, 0.1], [0.6, 0.4]),  # the draft is less sure than its target
    ([0.4, 0.35, 0.25], [0.25, 0.25, 0.5]),  # the likeliest guess is wrong
    ([0.2, 0.5, 0.3], [0.5, 0.3, 0.2]),
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
        "You answer for the greedy draft in both cases. If greedy is False, the guess is drawn "
        "from q.": (" if greedy else q", ""),
        "The two kinds are swapped.": ("if greedy", "if not greedy"),
        "A certain guess was drawn from a one-hot row, so it is accepted with p(x), not with "
        "p(x)/q(x): q is not what it was drawn from.": (
            ("both.sum()", "min(1.0, (p / q)[q.argmax()]) if greedy else both.sum()")
        ),
        "The greedy guess is the likeliest token of q, the draft's row. You take the likeliest of "
        "p, which the draft does not know.": ("np.argmax(q)", "np.argmax(p)"),
        "The greedy guess is accepted with the probability that the TARGET gives it, p(x); you "
        "take q(x).": ("both.sum()", "q.max() if greedy else both.sum()"),
        "You take the guess to be accepted with min(p(x), q(x)). That is the chance that x is "
        "drawn and accepted; a greedy draft always guesses x.": (
            ("both.sum()", "np.minimum(p, q)[q.argmax()] if greedy else both.sum()")
        ),
        "You take the mean of min(1, p/q) over the tokens. A guess is a draw from q: weigh each "
        "token by q, and q · min(1, p/q) is min(p, q).": (
            ("both.sum()", "both.sum() if greedy else np.minimum(1, p / q).mean()")
        ),
        "You take the sum of p·q: the chance that two draws agree. The rule accepts more.": (
            ("np.minimum(p, drawn)", "p * drawn")
        ),
        "After a rejection you draw from p. That is what comes out in the end, not what a "
        "correction is drawn from: the tokens that were accepted have had a part of p already. "
        "Take the residual, (p − row)₊ over its sum.": (".sum(), left", ".sum(), p"),
        "The residual of q, though the greedy guess was drawn from a one-hot row: take the row "
        "that the guess was really drawn from.": ("p - both", "np.maximum(p - q, 0)"),
        "What is left of p does not sum to 1, and a distribution does: divide by the sum.": (
            ("left / left.sum()", "left")
        ),
        "The wrong way round: (row − p)₊ is what the draft offers too often. The correction makes "
        "up for what it offers too seldom, (p − row)₊.": ("p - both", "drawn - both"),
        "That is what was guessed, not what a correction is drawn from.": (
            (".sum(), left", ".sum(), drawn")
        ),
        "That is what comes of acceptances, min(p, row). A correction comes after a rejection, "
        "from what is left of p.": (".sum(), left", ".sum(), both"),
        "Where p equals q nothing is left over, and you divide by 0: an empty residual stays "
        "empty.": ("left.sum() > 0", "True"),
    },
    insight="min(p, row) from acceptances and your correction after rejections make p together, "
    "whatever is guessed; only how often the guess was right differs, and neither kind is always "
    "the better one.",
    parts=("accepted", "correction"),
    explain=lambda given, p, q, greedy: (
        "you draw from p after a rejection. The tokens that were accepted have had a part of p: "
        "take the residual, (p − row)₊ over its sum."
        if np.ndim(given) and np.allclose(given, p)
        else None
    ),
    describe_case=lambda p, q, greedy: (
        f"p = {p.tolist()}, q = {q.tolist()} and a {'greedy' if greedy else 'sampled'} draft"
    ),
)

# ------------------------------------------------------------------ many rows at a temperature


def means_at(target_logits: Row, draft_logits: Row, temperature: float) -> tuple[float, float]:
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
        "The logits are divided by the temperature, not multiplied: heat makes rows flat.": (
            ("target_logits / temperature", "target_logits * temperature"),
            ("draft_logits / temperature", "draft_logits * temperature"),
        ),
        "You divide the probabilities. The temperature divides the logits, before the softmax.": (
            ("softmax(target_logits / temperature)", "softmax(target_logits) / temperature"),
            ("softmax(draft_logits / temperature)", "softmax(draft_logits) / temperature"),
        ),
        "A certain guess is accepted with p at the DRAFT's likeliest token. You take the target's "
        "own largest probability.": ("p[np.arange(len(p)), q.argmax(-1)]", "p.max(-1)"),
        "That is q of the guess: how sure the draft is. The target decides: take p of it.": (
            ("p[np.arange(len(p)), q.argmax(-1)]", "q.max(-1)")
        ),
        "That is how often the two likeliest tokens are the same. The target is sampled: it says "
        "the guess with probability p.": (
            ("p[np.arange(len(p)), q.argmax(-1)]", "(p.argmax(-1) == q.argmax(-1))")
        ),
        "Your softmax runs down the columns. It runs over each row: the last axis.": (
            ("x.max(-1, keepdims=True)", "x.max(0, keepdims=True)"),
            ("x.sum(-1, keepdims=True)", "x.sum(0, keepdims=True)"),
        ),
        "`p[:, indices]` takes all those columns of *every* row. Row i has its own guess: "
        "p[np.arange(len(p)), indices].": ("p[np.arange(len(p)), q", "p[:, q"),
        "You take the sum of p·q: the chance that two draws agree. The rule accepts more.": (
            ("np.minimum(p, q)", "(p * q)")
        ),
        "You take the mean over all numbers. Add up each row first; the mean is over rows.": (
            (".sum(-1).mean()", ".mean()")
        ),
        "exp of large logits overflows, and of very small ones it is 0. First subtract from each "
        "row its own largest logit.": ("np.exp(x - x.max(-1, keepdims=True))", "np.exp(x)"),
        "The softmax runs over each row: the last axis.": (
            ("x.max(-1, keepdims=True)", "x.max()"),
            ("x.sum(-1, keepdims=True)", "x.sum()"),
        ),
        "You add up all rows. Return means over the rows.": (
            ("q.argmax(-1)].mean()", "q.argmax(-1)].sum()"),
            (".sum(-1).mean()", ".sum()"),
        ),
        "The two are swapped: the greedy one comes first.": (
            ("return greedy, sampled", "return sampled, greedy")
        ),
    },
    insight="Heat flattens both rows: a certain guess is then seldom right, while two flat rows "
    "still overlap.",
    parts=("greedy", "sampled"),
    describe_case=lambda p, q, temperature: (
        f"{len(p)} rows of {p.shape[1]} tokens at T = {temperature}"
    ),
)
