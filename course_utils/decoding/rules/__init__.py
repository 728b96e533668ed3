"""The verification rules: pure functions of (p, q, drafted tokens, uniforms).

A rule is a value, so that a chart is `for rule in RULES` and a wrong rule is a `Rule` too.
`RULES` verify chains; `TREE_RULES` verify trees.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Rule
from course_utils.decoding.rules.block import BLOCK, block
from course_utils.decoding.rules.chain import (
    GREEDY_MATCH,
    TOKEN_WISE,
    greedy_match,
    one_hot_residual,
    one_hot_rows,
    residual,
    token_wise,
)
from course_utils.decoding.rules.lossy import REDRAFT, TYPICAL, ensemble, ratio_threshold, typical
from course_utils.decoding.rules.recursive import (
    MULTI_PATH_MATCH,
    RECURSIVE_REJECTION,
    multi_path_match,
    recursive_rejection,
)

RULES = (
    TOKEN_WISE,
    BLOCK,
    GREEDY_MATCH,
    ensemble(0.5),
    TYPICAL,
    # A tutorial (REFERENCES.md: article-003) calls these conservative, deterministic, stochastic:
    ratio_threshold(0.5),
    ratio_threshold(1.0),
    REDRAFT,
)
TREE_RULES = (RECURSIVE_REJECTION, MULTI_PATH_MATCH)


def slug(rule: Rule) -> str:
    """Return the rule's name as one word for a command line.

    >>> slug(ratio_threshold(0.5)), slug(GREEDY_MATCH)
    ('p-at-least-0.5-q', 'greedy-match')
    """
    return rule.name.replace(">=", "at least").replace(" ", "-")


def rule_named(name: str, rules: Sequence[Rule] = RULES + TREE_RULES) -> Rule:
    """Return the rule with this name or slug.

    Raises:
        ValueError: there is none.
    """
    for rule in rules:
        if name in (rule.name, slug(rule)):
            return rule
    raise ValueError(f"no rule is called {name!r}; choose {', '.join(map(slug, rules))}")


__all__ = [
    "BLOCK", "GREEDY_MATCH", "MULTI_PATH_MATCH", "RECURSIVE_REJECTION", "REDRAFT", "RULES",
    "TOKEN_WISE", "TREE_RULES", "TYPICAL", "block", "ensemble", "greedy_match", "multi_path_match",
    "one_hot_residual", "one_hot_rows", "ratio_threshold", "recursive_rejection", "residual",
    "rule_named", "slug", "token_wise", "typical",
]  # fmt: skip
