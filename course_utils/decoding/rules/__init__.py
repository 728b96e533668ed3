"""The verification rules: pure functions of (p, q, drafted tokens, uniforms).

A rule is a value, so that a chart is `for rule in RULES` and a wrong rule is a `Rule` too.
`RULES` verify chains; `TREE_RULES` verify trees.  The lossy rules and those for trees are imported
on first use: most runs need neither.
"""

from importlib import import_module
from typing import Any

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

_ON_FIRST_USE = {
    "lossy": ("REDRAFT", "RULES", "TYPICAL", "ensemble", "ratio_threshold", "typical"),
    "recursive": (
        "MULTI_PATH_MATCH", "RECURSIVE_REJECTION", "TREE_RULES", "multi_path_match",
        "recursive_rejection",
    ),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for module, names in _ON_FIRST_USE.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def slug(rule: Rule) -> str:
    """Return the rule's name as one word for a command line.

    >>> slug(rule_named("p >= 0.5 q")), slug(GREEDY_MATCH)
    ('p-at-least-0.5-q', 'greedy-match')
    """
    return rule.name.replace(">=", "at least").replace(" ", "-")


def rule_named(name: str) -> Rule:
    """Return the rule with this name or slug.

    Raises:
        ValueError: there is none.
    """
    rules: tuple[Rule, ...] = __getattr__("RULES") + __getattr__("TREE_RULES")
    for rule in rules:
        if name in (rule.name, slug(rule)):
            return rule
    raise ValueError(f"no rule is called {name!r}; choose {', '.join(map(slug, rules))}")


__all__ = [
    "BLOCK", "GREEDY_MATCH", "TOKEN_WISE", "block", "greedy_match", "one_hot_residual",
    "one_hot_rows", "residual", "rule_named", "slug", "token_wise",
]  # fmt: skip
