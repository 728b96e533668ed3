"""Checks of this elective: one position, and many rows at a temperature."""

import numpy as np

from course_utils.classroom.exercise import Exercise


def one_position(p, q, greedy):
    """Rows (V,) -> (P(accepted), distribution (V,) of the correction)."""
    row = np.eye(len(q))[np.argmax(q)] if greedy else q
    overlap = np.minimum(p, row)
    residual = p - overlap
    if residual.sum() > 0:
        residual = residual / residual.sum()
    return overlap.sum(), residual


ROWS = (
    ([0.9, 0.1], [0.6, 0.4]),  # the draft is less certain than its target
    ([0.4, 0.35, 0.25], [0.25, 0.25, 0.5]),  # the likeliest guess is wrong
    ([0.0, 1.0, 0.0], [0.5, 0.25, 0.25]),  # the likeliest guess is never right
    ([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]),  # equal rows: the residual is all zeros
)

check_one_position = Exercise(
    "one_position",
    cases=[(np.array(p), np.array(q), greedy) for p, q in ROWS for greedy in (True, False)],
    solution=one_position,
    mistakes={
        "You treat both drafts as sampled. A greedy draft always guesses one token, the likeliest "
        "of q.": "np.eye(len(q))[np.argmax(q)] if greedy else q → q",
        "You take the likeliest token of p, which the draft does not know. A greedy draft guesses "
        "the likeliest token of q, its own row.": "np.argmax(q) → np.argmax(p)",
        "You accept the greedy guess with p(x)/q(x), but it was not drawn from q. Its row is "
        "one-hot, so the probability is "
        "p(x)/1.": "overlap.sum() → min(1.0, (p / q)[q.argmax()]) if greedy else overlap.sum()",
        "After a rejection you draw from p, but accepted guesses already cover part of p. Take the "
        "residual: (p − row)₊ over its sum.": ".sum(), residual → .sum(), p",
        "You take the residual of p and q, but the greedy guess was drawn from a one-hot row. Use "
        "that row for the residual.": "p - overlap → np.maximum(p - q, 0)",
        "Your correction does not sum to 1 as a distribution must. "
        "Divide it by its sum.": "residual / residual.sum() → residual",
    },
    insight="Acceptances contribute min(p, row), corrections the rest, and together they give p "
    "for any draft. Only the acceptance probability differs, and neither draft always wins.",
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
        "You ignore the temperature. Divide the logits of both models by it before the "
        "softmax.": "target_logits / temperature → "
        "target_logits; draft_logits / temperature → draft_logits",
        "You take the target's largest probability. A greedy guess is accepted with p at the "
        "*draft's* likeliest token.": "p[np.arange(len(p)), q.argmax(-1)] → p.max(-1)",
        "You count how often the two models agree on the likeliest token. The target is sampled, "
        "so it emits the guess with probability "
        "p.": "p[np.arange(len(p)), q.argmax(-1)] → (p.argmax(-1) == q.argmax(-1))",
        "`p[:, indices]` takes all these columns of *every* row. To take one per row, write "
        "p[np.arange(len(p)), indices].": "p[np.arange(len(p)), q → p[:, q",
        "exp overflows for large logits and is 0 for very small ones. First subtract each row's "
        "largest logit.": "np.exp(x - x.max(-1, keepdims=True)) → np.exp(x)",
    },
    insight="A high temperature flattens both rows: a greedy guess is then rarely right, but two "
    "flat rows still overlap.",
    parts=("greedy", "sampled"),
    describe_case=lambda p, q, temperature: (
        f"{len(p)} rows of {p.shape[1]} tokens at T = {temperature}"
    ),
)
