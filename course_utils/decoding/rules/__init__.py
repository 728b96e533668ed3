"""The verification rules: pure functions of (p, q, drafted tokens, uniforms).

A rule is a value, so that a chart is `for rule in RULES` and a wrong rule is a
`Rule` too.  `RULES` verify chains; `CANDIDATE_RULES` verify several candidates
for one position.
"""

from course_utils.decoding.rules.block import BLOCK, block
from course_utils.decoding.rules.candidates import RECURSIVE_REJECTION, recursive_rejection
from course_utils.decoding.rules.chain import (
    GREEDY_MATCH,
    TOKEN_WISE,
    certain,
    greedy_match,
    residual,
    token_wise,
    without,
)
from course_utils.decoding.rules.lossy import (
    REDRAFT,
    TYPICAL,
    ensemble,
    ratio_threshold,
    typical,
)

RULES = (
    TOKEN_WISE,
    BLOCK,
    GREEDY_MATCH,
    ensemble(0.5),
    TYPICAL,
    ratio_threshold(0.5),  # "conservative" in source article 003
    ratio_threshold(1.0),  # "deterministic" in source articles 001 and 003
    REDRAFT,  # "stochastic" in source article 003
)
CANDIDATE_RULES = (RECURSIVE_REJECTION,)

__all__ = [
    "BLOCK",
    "CANDIDATE_RULES",
    "GREEDY_MATCH",
    "RECURSIVE_REJECTION",
    "REDRAFT",
    "RULES",
    "TOKEN_WISE",
    "TYPICAL",
    "block",
    "certain",
    "ensemble",
    "greedy_match",
    "ratio_threshold",
    "recursive_rejection",
    "residual",
    "token_wise",
    "typical",
    "without",
]
