"""Checks of this elective: typical acceptance as a rule, and its price at one position."""

from collections.abc import Iterable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding import rules  # noqa: F401 (two mistakes name it)
from course_utils.decoding.contracts import Rows, Uniforms
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import total_variation

Pair = tuple[float, float]

# the five words of lessons 03 and 05
P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])

# ------------------------------------------------------------------ the rule


def typical(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> tuple[int, int]:
    """(accepted, token) of typical acceptance, with the settings of Medusa."""
    for i, x in enumerate(drafted):
        some = p[i][p[i] > 0]
        entropy = -(some * np.log(some)).sum()
        if not p[i, x] > min(0.09, 0.3 * np.exp(-entropy)):
            return i, sample(p[i], uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


# Words between 0.3 exp(-H) and 0.09, above and below both; a row with a zero; a sure row.
WIDE = np.array([0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.04, 0.01])
ZERO = np.array([0.0, 0.4, 0.25, 0.13, 0.12, 0.08, 0.02, 0.0])
SURE8 = np.array([0.02, 0.01, 0.02, 0.02, 0.01, 0.8, 0.1, 0.02])
FLAT = np.full(8, 1 / 8)
ROWS = np.stack([WIDE, ZERO, SURE8, FLAT])
OTHER = np.stack([SURE8, FLAT, WIDE])
TURNED = np.stack([ZERO, WIDE, FLAT, SURE8])
SURE_FIRST = np.stack([SURE8, WIDE, ZERO, FLAT])
EDGE = np.array([0.03, 0.01, 0.02, 0.02, 0.01, 0.8, 0.09, 0.02])  # one word has just the threshold


def _cases() -> list[tuple]:
    drafts = (
        (5, 5, 5),
        (5, 1, 6),
        (6, 1, 5),
        (0, 6, 5),
        (0, 3, 6),
        (7, 5, 5),
        (4, 3, 5),
        (1, 5, 2),
    )
    edge = np.stack([EDGE, ZERO, SURE8, FLAT]), OTHER, (6, 1, 5), (0.97, 0.4, 0.95, 0.6)
    return [
        (p, OTHER, draft, (0.97, 0.4, 0.95, last))
        for p in (ROWS, TURNED, SURE_FIRST)
        for draft in drafts
        for last in (0.15, 0.6)
    ] + [edge]


def _threshold(row: np.ndarray) -> float:
    some = row[row > 0]
    return min(0.09, 0.3 * np.exp((some * np.log(some)).sum()))


def _few(numbers: Iterable[float]) -> str:
    return ", ".join(f"{number:.3g}" for number in numbers)


check_typical = Exercise(
    "typical",
    cases=_cases(),
    solution=typical,
    must_not_mutate=True,
    parts=("how many are accepted", "the token after them"),
    mistakes={
        "You accept what is NOT plausible. A token is accepted if p(x) is above the threshold.": (
            ("if not p[i, x]", "if p[i, x]")
        ),
        "You test q(x). Typical acceptance asks what the TARGET finds plausible: p(x).": (
            ("if not p[i, x]", "if not q[i, x]")
        ),
        "A word with exactly the threshold does not pass: p(x) > the threshold.": (
            ("p[i, x] >", "p[i, x] >=")
        ),
        "Your threshold is the larger of the two. It is min(ε, δ·exp(−H)).": ("min(", "max("),
        "Your threshold is always ε. Look at the signs: the entropy is −Σ p ln p, and the smaller "
        "of ε and δ·exp(−H) counts.": ("min(0.09, 0.3 * np.exp(-entropy))", "0.09"),
        "ε and δ are exchanged: the threshold is min(0.09, 0.3·exp(−H)).": (
            ("min(0.09, 0.3 *", "min(0.3, 0.09 *")
        ),
        "You take the first row's entropy for every token. Token i has row i, and its threshold.": (
            ("p[i][p[i] > 0]", "p[0][p[0] > 0]")
        ),
        "You test token i in the row after it. Token i is judged by p[i].": (
            ("p[i][p[i] > 0]", "p[i + 1][p[i + 1] > 0]"),
            ("p[i, x]", "p[i + 1, x]"),
        ),
        "You compare p(x) with a uniform. Here it is compared with the threshold alone.": (
            ("p[i, x] > min(0.09, 0.3 * np.exp(-entropy))", "uniforms[i] < p[i, x]")
        ),
        "You left out the ceiling: the threshold is min(ε, δ·exp(−H)).": (
            ("min(0.09, 0.3 * np.exp(-entropy))", "0.3 * np.exp(-entropy)")
        ),
        "Your entropy is in bits. The threshold takes the natural logarithm, np.log.": (
            ("np.log(", "np.log2(")
        ),
        "That is the entropy of q. Typical acceptance asks how sure the TARGET is: take p's.": (
            ("p[i][p[i] > 0]", "q[i][q[i] > 0]")
        ),
        "0 ln 0 is NaN in NumPy, and the whole entropy with it. Add up over the words with p > 0 "
        "alone.": ("p[i][p[i] > 0]", "p[i]"),
        "A rejected token ends the round. You go on and count plausible ones behind it.": (
            lambda p, q, drafted, uniforms: _counting(p, q, drafted, uniforms)
        ),
        "After a rejection you draw from the residual. This rule lets the target draw from the "
        "whole of p.": (
            ("sample(p[i], uniforms[-1])", "sample(rules.residual(p[i], q[i]), uniforms[-1])")
        ),
        "After a rejection you take the likeliest token. The target draws: "
        "sample(p[i], uniforms[-1]).": ("sample(p[i], uniforms[-1])", "int(p[i].argmax())"),
        "After a rejection you draw from the row behind it. The token to replace is token i: "
        "p[i].": ("sample(p[i], uniforms[-1])", "sample(p[i + 1], uniforms[-1])"),
        "After a rejection you draw from the last row. The token to replace is token i: p[i].": (
            ("sample(p[i], uniforms", "sample(p[-1], uniforms")
        ),
        "You return the rejected token itself. The target draws another in its place: "
        "sample(p[i], uniforms[-1]).": ("sample(p[i], uniforms[-1])", "x"),
        "You take the likeliest token of the row. It has to be drawn: sample(row, uniforms[-1]).": (
            ("sample(p[i], uniforms[-1])", "int(p[i].argmax())"),
            ("sample(p[-1], uniforms[-1])", "int(p[-1].argmax())"),
        ),
        "You draw with uniforms[i]. The last uniform draws the token that ends the round.": (
            ("sample(p[i], uniforms[-1])", "sample(p[i], uniforms[i])")
        ),
        "Your bonus comes from the row of the last drafted token. It follows that token: the last "
        "row of p.": ("sample(p[-1]", "sample(p[-2]"),
        "You take the likeliest token as bonus. It has to be drawn: sample(p[-1], uniforms[-1]).": (
            ("sample(p[-1], uniforms[-1])", "int(p[-1].argmax())")
        ),
    },
    insight="The rule never looks at q, and at no uniform before it draws.",
    describe_case=lambda p, q, drafted, uniforms: (
        f"p(x) = {_few(row[x] for row, x in zip(p, drafted, strict=False))} of the drafted tokens, "
        f"thresholds {_few(map(_threshold, p[:-1]))} and the last uniform {uniforms[-1]}"
    ),
)


def _counting(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> tuple[int, int]:
    """All plausible guesses are counted, also those behind a rejection."""
    count = sum(typical(p[[i, i]], q[[i]], [x], uniforms)[0] for i, x in enumerate(drafted))
    return count, sample(p[count], uniforms[-1])


# ------------------------------------------------------------------ its price


def typical_price(p: Rows, q: Rows, epsilon: float, delta: float) -> Pair:
    """(acceptance, TV from p) of typical acceptance at one position; rows (V,)."""
    some = p[p > 0]
    entropy = -(some * np.log(some)).sum()
    passes = p > min(epsilon, delta * np.exp(-entropy))
    acceptance = q[passes].sum()
    output = np.where(passes, q, 0) + (1 - acceptance) * p
    return acceptance, total_variation(output, p)


# Between delta exp(-H) and epsilon lie words of P8 and of WITH_ZERO; the other way round in SURE.
P8 = np.array([0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.04, 0.01])
SURE, UNSURE = np.array([0.8, 0.12, 0.05, 0.03]), np.array([0.4, 0.3, 0.1, 0.2])
WITH_ZERO = np.array([0.0, 0.4, 0.25, 0.15, 0.12, 0.08])
# surer than P8, so its entropy would make another threshold; and at home between the thresholds
SURER = np.array([0.02, 0.02, 0.03, 0.03, 0.05, 0.7, 0.05, 0.1])

check_typical_price = Exercise(
    "typical_price",
    cases=[
        (p, q, 0.09, 0.3)
        for p, q in ((P, Q), (P8, SURER), (SURE, UNSURE), (WITH_ZERO, np.roll(WITH_ZERO, 2)))
    ]
    + [(P8, SURER, 0.2, 0.5), (SURE, UNSURE, 0.05, 0.3)],  # 0.05: what has just ε does not pass
    solution=typical_price,
    must_not_mutate=True,
    parts=("the acceptance", "the TV"),
    mistakes={
        "Your threshold is the same whatever it is given: take `epsilon` and `delta`, not Medusa's "
        "numbers.": ("min(epsilon, delta *", "min(0.09, 0.3 *"),
        "A word with exactly the threshold does not pass: p(x) > the threshold.": (
            ("passes = p >", "passes = p >=")
        ),
        "That is the TV; the acceptance comes first.": lambda *case: typical_price(*case)[::-1],
        "Your entropy is in bits. The threshold takes the natural logarithm, np.log.": (
            ("np.log(", "np.log2(")
        ),
        "That is the entropy of q. Typical acceptance asks how sure the TARGET is: take p's.": (
            ("p[p > 0]", "q[q > 0]")
        ),
        "0 ln 0 is NaN in NumPy, and the whole entropy with it. Add up over the words with p > 0 "
        "alone.": ("p[p > 0]", "p"),
        "Your threshold is always ε. The smaller of the two counts; the entropy is −Σ p ln p, and "
        "the threshold takes exp(−H).": ("min(epsilon, delta * np.exp(-entropy))", "epsilon"),
        "Your threshold is the larger of the two. It is min(ε, δ·exp(−H)).": ("min(", "max("),
        "You left out the ceiling: the threshold is min(ε, δ·exp(−H)).": (
            ("min(epsilon, delta * np.exp(-entropy))", "delta * np.exp(-entropy)")
        ),
        "You test q(x). Typical acceptance asks what the TARGET finds plausible: p(x).": (
            ("passes = p >", "passes = q >")
        ),
        "You add up p. A token is accepted as often as it is drafted: add up q over the words "
        "that pass.": ("q[passes]", "p[passes]"),
        "You did not halve it: it is half the sum of |output − p|.": ("total", "2 * total"),
        "After a rejection you draw from the residual. This rule lets the target draw from the "
        "whole of p.": ("(1 - acceptance) * p", "(1 - acceptance) * rules.residual(p, q)"),
        "You forgot the rejected drafts: each is replaced by a word drawn from p.": (
            (" + (1 - acceptance) * p", "")
        ),
        "You drop the rejected drafts and renormalise. Each is replaced by a word drawn from p.": (
            ("+ (1 - acceptance) * p", "/ acceptance")
        ),
        "You add all of p for the rejected drafts. They are a share 1 − acceptance of all drafts: "
        "that much of p comes out.": ("(1 - acceptance) * p", "p"),
        "A rejected word can come out again: the target draws from the whole of p, not from the "
        "words that do not pass.": (
            "(1 - acceptance) * p",
            "(1 - acceptance) * np.where(passes, 0, p)",
        ),
        "You put q where a word passes and p where none does. A rejection adds to *every* word: "
        "the target then draws from the whole of p, the words that pass included.": (
            ("np.where(passes, q, 0) + (1 - acceptance) * p", "np.where(passes, q, p)")
        ),
        "That is the distance from q. How far is the output from p?": (
            "(output, p)",
            "(output, q)",
        ),
        "You count the words that pass. They are not drafted equally often: add up q over them.": (
            ("q[passes].sum()", "passes.mean()")
        ),
        "min(p, q) is what the lossless rule accepts. This one accepts a plausible word as often "
        "as it is drafted: add up q.": ("q[passes]", "np.minimum(p, q)[passes]"),
        "That is TV(p, q), the price of accepting everything.": ("(output, p)", "(q, p)"),
    },
    insight="The rule never looks at q, so what the draft offers too often is accepted too often.",
)
