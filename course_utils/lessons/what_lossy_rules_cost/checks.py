"""Checks of this elective: typical acceptance as a rule, and its price at one position."""

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding import rules  # noqa: F401 (used by a mistake)
from course_utils.decoding.sampling import sample
from course_utils.theory.speedup import total_variation


def typical(p, q, drafted, uniforms):
    """-> (accepted, token): how many are accepted, and the token after"""
    for i, x in enumerate(drafted):
        some = p[i][p[i] > 0]
        entropy = -(some * np.log(some)).sum()
        if not p[i, x] > min(0.09, 0.3 * np.exp(-entropy)):
            return i, sample(p[i], uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


# Words between 0.3 exp(-H) and 0.09, above and below both; a row with a zero; a confident row.
WIDE = np.array([0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.04, 0.01])
ZERO = np.array([0.0, 0.4, 0.25, 0.13, 0.12, 0.08, 0.02, 0.0])
SURE = np.array([0.02, 0.01, 0.02, 0.02, 0.01, 0.8, 0.1, 0.02])
FLAT = np.full(8, 1 / 8)
ROWS = [
    np.stack(rows)
    for rows in ((WIDE, ZERO, SURE, FLAT), (ZERO, WIDE, FLAT, SURE), (SURE, WIDE, ZERO, FLAT))
]
OTHER = np.stack([SURE, FLAT, WIDE])
DRAFTS = (5, 5, 5), (5, 1, 6), (6, 1, 5), (0, 6, 5), (0, 3, 6), (7, 5, 5), (4, 3, 5), (1, 5, 2)

check_typical = Exercise(
    "typical",
    cases=[
        (p, OTHER, draft, (0.97, 0.4, 0.95, last))
        for p in ROWS
        for draft in DRAFTS
        for last in (0.15, 0.6)
    ],
    solution=typical,
    must_not_mutate=True,
    parts=("how many are accepted", "the token after them"),
    mistakes={
        "You test q(x). Typical acceptance tests what is plausible under the *target*: "
        "p(x).": "if not p[i, x] → if not q[i, x]",
        "Your threshold is always ε. Use the smaller of ε and δ·exp(−H), and check the sign of the "
        "entropy: H = −Σ p ln p.": "min(0.09, 0.3 * np.exp(-entropy)) → 0.09",
        "You use the first row's entropy for every token. "
        "Token i needs the entropy of row i.": "p[i][p[i] > 0] → p[0][p[0] > 0]",
        "0 ln 0 is NaN in NumPy: sum only over words with p > 0.": "p[i][p[i] > 0] → p[i]",
        "After a rejection you draw from the residual. This rule draws from the whole of "
        "p.": "sample(p[i], uniforms[-1]) → sample(rules.residual(p[i], q[i]), uniforms[-1])",
        "After a rejection you draw from the last row. You replace token i, "
        "so draw from p[i].": "sample(p[i], uniforms → sample(p[-1], uniforms",
    },
    insight="The rule never uses q, and no uniform except the last.",
    describe_case=lambda p, q, drafted, uniforms: (
        f"p(x) = {', '.join(f'{row[x]:.3g}' for row, x in zip(p, drafted, strict=False))} of the "
        f"drafted tokens and the last uniform {uniforms[-1]}"
    ),
)


def typical_price(p, q, epsilon, delta):
    """-> (acceptance, TV from p) of typical acceptance at one position"""
    some = p[p > 0]
    entropy = -(some * np.log(some)).sum()
    passes = p > min(epsilon, delta * np.exp(-entropy))
    acceptance = q[passes].sum()
    output = np.where(passes, q, 0) + (1 - acceptance) * p
    return acceptance, total_variation(output, p)


# the five words of lessons 03 and 05
P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])

check_typical_price = Exercise(
    "typical_price",
    cases=[
        (P, Q, 0.09, 0.3),
        (WIDE, SURE, 0.09, 0.3),
        (SURE, WIDE, 0.09, 0.3),
        (ZERO, np.roll(ZERO, 2), 0.09, 0.3),
        (WIDE, SURE, 0.2, 0.5),
    ],
    solution=typical_price,
    must_not_mutate=True,
    parts=("the acceptance", "the TV"),
    mistakes={
        "Your threshold ignores the arguments. Use `epsilon` and `delta` instead of Medusa's "
        "numbers.": "min(epsilon, delta * → min(0.09, 0.3 *",
        "0 ln 0 is NaN in NumPy: sum only over words with p > 0.": "p[p > 0] → p",
        "You sum p over the words that pass. They are accepted as often as they are drafted: "
        "sum q.": "q[passes] → p[passes]",
        "You forgot the rejected guesses: "
        "each is replaced by a word drawn from p.": " + (1 - acceptance) * p → ",
        "You take q for the words that pass and p for the others. A rejection draws from the whole "
        "of p, so it adds to *every* "
        "word.": "np.where(passes, q, 0) + (1 - acceptance) * p → np.where(passes, q, p)",
        "After a rejection you draw from the residual. This rule draws from the whole of "
        "p.": "(1 - acceptance) * p → (1 - acceptance) * rules.residual(p, q)",
    },
    insight="The rule ignores q, so it accepts too often what the draft guesses too often.",
)
