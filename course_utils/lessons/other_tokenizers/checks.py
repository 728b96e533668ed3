"""Checks of this elective: a text in the draft's tokens, a row in the target's."""

import numpy as np

from course_utils.classroom.exercise import Exercise

Row = np.ndarray

# ------------------------------------------------------------------ a text in the draft's tokens


def spelt(text: list[int], spellings: list[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Target tokens -> (draft tokens, how many of them stand at the end of each target token)."""
    tokens, ends = [], []
    for x in text:
        tokens += spellings[x]
        ends.append(len(tokens))
    return tokens, ends


SPELLINGS = [(1,), (2,), (0,), (2, 0), (3, 4, 0)]

check_spelt = Exercise(
    "spelt",
    cases=[
        ([1, 3, 2], SPELLINGS),
        ([4, 4, 0], SPELLINGS),
        ([2], SPELLINGS),
        ([3, 1, 3], SPELLINGS),
    ],
    right=spelt,
    mistakes={
        "You look the tokens up the wrong way: target token x is read as spellings[x].": (
            ("spellings[x]", "(x,)")
        ),
        "You read only the first draft token of each spelling.": (
            "spellings[x]",
            "spellings[x][:1]",
        ),
        "A list of spellings came out. The draft reads one list of tokens: join them.": (
            ("tokens += spellings[x]", "tokens.append(spellings[x])")
        ),
        "The ends are where each spelling begins. Count after its tokens were added.": (
            ("ends.append(len(tokens))", "ends.append(len(tokens) - len(spellings[x]))")
        ),
        "These are the lengths of the spellings. An end counts all draft tokens so far, so add "
        "them up.": ("ends.append(len(tokens))", "ends.append(len(spellings[x]))"),
        "You counted from 0: the end of the first spelling is its length.": (
            ("ends.append(len(tokens))", "ends.append(len(tokens) - 1)")
        ),
    },
    insight="If the loop takes the text back to n tokens, the draft goes back to ends[n - 1].",
    parts=("the draft's tokens", "ends"),
    shown=lambda text, spellings: f"text = {text}, spellings = {spellings}",
)

# ------------------------------------------------------------------ a row in the target's tokens


def _translated_row(p: Row, row: Row, shared: list[int]) -> tuple[Row, float]:
    q = np.array([row[same] if same >= 0 else 0.0 for same in shared])
    q = q / q.sum()
    alpha = np.minimum(p, q).sum()
    return q, alpha


check_translated_row = Exercise(
    "translated_row",
    # (p over the target's tokens, of which 0 ends a text, the draft's row over its own, shared)
    cases=[
        (np.array([0.1, 0.5, 0.3, 0.1]), np.array([0.2, 0.05, 0.25, 0.3, 0.2]), [1, 2, 0, -1]),
        (np.array([0.25, 0.25, 0.25, 0.25]), np.array([0.1, 0.2, 0.4, 0.3, 0.0]), [2, -1, 0, -1]),
        (np.array([0.0, 0.6, 0.2, 0.2]), np.array([0.3, 0.3, 0.2, 0.1, 0.1]), [4, 0, -1, 2]),
    ],
    right=_translated_row,
    keeps=True,
    mistakes={
        "You did not renormalise: your row sums to less than 1, and no guess was drawn from it. "
        "Divide by its sum.": ("    q = q / q.sum()\n", ""),
        "You gave what the target cannot say to the end token. That can be lossless, but it "
        "proposes ends that nobody meant. Divide by the sum instead.": (
            ("q = q / q.sum()", "q[0] += 1 - q.sum()")
        ),
        "You used -1 as an index, and NumPy counts that from the end: skip the tokens without a "
        "partner.": (" if same >= 0 else 0.0", ""),
        "You used the target's numbers for the draft's row. Target token x is draft token "
        "shared[x].": (
            ("row[same]", "row[x]"),
            ("for same in shared", "for x, same in enumerate(shared)"),
        ),
        "You spread the lost mass evenly. Tokens outside the intersection must have "
        "probability 0, and the others keep their proportions: divide by the sum.": (
            ("q / q.sum()", "q + (1 - q.sum()) / len(q)")
        ),
        "You took alpha before you divided by the sum. The guess is drawn from the renormalised "
        "row, so alpha is the sum of min(p, q) with that one.": (
            ("    q = q / q.sum()\n", ""),
            ("return q", "return q / q.sum()"),
        ),
        "That is Σ p·q, the probability that two independent draws agree. alpha is the sum of the "
        "smaller of p and q.": ("np.minimum(p, q)", "(p * q)"),
        "Draft token 0 is a partner, too. Only -1 says that there is none.": (">= 0", "> 0"),
    },
    insight="The row sums to 1 again, the guess is drawn from it and judged by it: nothing more "
    "is asked of q.",
    parts=("q", "alpha"),
)
