"""Trees of guesses: at each node the candidates have their turn, one after the other.

One rule serves three ways of choosing candidates, because q is always the distribution a
candidate was *actually* drawn from: with replacement every row is the same;
without, each row lacks the tokens drawn before; a fixed set is certain (None).
SpecInfer (Miao et al. 2023, arXiv 2305.09781, algorithm 2) has the first,
Sequoia (Chen et al. 2024, arXiv 2402.12374) the second.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.rules.chain import residual, without
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import children


def recursive_rejection(
    p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms, parents: Sequence[int]
) -> Verdict:
    """Judge each candidate by what the rejected ones before it have left of p; go on from
    the accepted one.

    p[0] is the distribution after the text, p[i + 1] the one after node i.  q is (nodes,
    vocabulary), row i what node i was drawn from, or None for sets chosen without chance.
    """
    following, at = children(parents), -1
    path: list[int] = []
    while True:
        left = p[at + 1]
        for i in following[at + 1]:
            x = drafted[i]
            ratio = left[x] if q is None else left[x] / q[i, x]
            if uniforms[i] < float(ratio):
                path.append(i)
                break
            left = without(left, x) if q is None else residual(left, q[i])
        else:
            return Verdict(len(path), sample(left, uniforms[-1]), tuple(path))
        at = path[-1]


def multi_path_match(
    p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms, parents: Sequence[int]
) -> Verdict:
    """Draw y ~ p; go on from the candidate that equals it, else emit y.

    At temperature 0 the longest path of the target's own argmaxes.  Of a fixed set it
    accepts as often as recursive rejection does, and q is never looked at; of a sampled
    one it accepts less (Miao et al. 2023, naive sampling).
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
    what="offers several tokens for one position, judges each by what is left of p",
)  # fmt: skip
MULTI_PATH_MATCH = Rule(
    "multi-path match", multi_path_match, lossless=True, trees=True,
    source="Miao et al. 2023, naive sampling; at temperature 0 greedy verification of a tree",
    what="draws from p and goes on from the drafted token that is the same",
)  # fmt: skip
