"""Rules for trees of guesses: at each node the candidates are judged one after the other.

One rule covers three ways of choosing candidates, because q is always the distribution a
candidate was *actually* drawn from.  Drawn with replacement, all rows are the same (SpecInfer:
Miao et al. 2023, arXiv 2305.09781, algorithm 2).  Without, each row lacks the tokens drawn
before (Sequoia: Chen et al. 2024, arXiv 2402.12374).  A fixed set is one-hot (None).
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Judgement, Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rules.chain import judgement, one_hot_residual, residual
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import children


def recursive_rejection(
    p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms, parents: Sequence[int]
) -> Verdict:
    """Judge each candidate against the residual that the rejected ones before it leave; continue
    from the accepted one.

    p[0] is the distribution after the text, p[i + 1] the one after node i.  q is (nodes,
    vocabulary); row i is the distribution of node i.  It is None for deterministic candidates.
    """
    following, at = children(parents), -1
    path: list[int] = []
    judged: tuple[Judgement, ...] = ()
    while True:
        left = p[at + 1]
        for i in following[at + 1]:
            x = drafted[i]
            ratio = left[x] if q is None else left[x] / q[i, x]
            accepted = uniforms[i] < float(ratio)
            judged += (judgement(i, left[x], q, x, ratio, accepted),)
            if accepted:
                path.append(i)
                break
            left = one_hot_residual(left, x) if q is None else residual(left, q[i])
        else:
            return Verdict(len(path), sample(left, uniforms[-1]), tuple(path), judged)
        at = path[-1]


def multi_path_match(
    p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms, parents: Sequence[int]
) -> Verdict:
    """Draw y ~ p; continue from the candidate that equals it, else emit y.

    At temperature 0 it accepts the longest path of the target's argmaxes.  It never reads q.  It
    accepts a fixed set as often as recursive rejection does, and sampled candidates less often
    (Miao et al. 2023, naive sampling).
    """
    following, at = children(parents), -1
    path: list[int] = []
    while True:
        candidates = following[at + 1]
        # the first candidate's uniform decides for all of them; at a leaf the last one
        y = sample(p[at + 1], uniforms[candidates[0] if candidates else -1])
        same = [i for i in candidates if drafted[i] == y]
        if not same:
            return Verdict(len(path), y, tuple(path))
        at = same[0]
        path.append(at)


RECURSIVE_REJECTION = Rule(
    "recursive rejection", recursive_rejection, lossless=True, trees=True,
    source="Miao et al. 2023, algorithm 2; Chen et al. 2024 (Sequoia)",
    what="judges several candidates for one position, each against the residual so far",
)  # fmt: skip
MULTI_PATH_MATCH = Rule(
    "multi-path match", multi_path_match, lossless=True, trees=True,
    source="Miao et al. 2023, naive sampling; at temperature 0 greedy verification of a tree",
    what="draws from p and continues from the drafted token that is the same",
)  # fmt: skip
TREE_RULES = (RECURSIVE_REJECTION, MULTI_PATH_MATCH)
