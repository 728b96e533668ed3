"""What commands let one choose of trees: a shape, and the rule that a draft needs."""

from argparse import ArgumentParser, ArgumentTypeError

from course_utils.decoding.contracts import LanguageModel, Rule
from course_utils.decoding.optimal_trees import sequoia
from course_utils.decoding.rules import RULES, TOKEN_WISE, TREE_RULES, rule_named, slug
from course_utils.decoding.trees import Parents, widths
from course_utils.drafters.named import BY_RANK, DRAFTERS, SHAPE

MOST_NODES = 100  # a pass of the packed model holds a few more tokens


def tree_shape(text: str) -> Parents:
    """4x2x1: the children of each node, level by level; 16: Sequoia's tree of so many nodes.

    Raises:
        ArgumentTypeError: neither of the two, or a tree of no or too many nodes.
    """
    numbers = [int(part) if part.isascii() and part.isdigit() else 0 for part in text.split("x")]
    if min(numbers) < 1:
        raise ArgumentTypeError(
            f"{text!r} is no tree: give the guesses after each, level by level (4x2x1), or a "
            "number of nodes (16)"
        )
    if _nodes(numbers) > MOST_NODES:
        raise ArgumentTypeError(f"{text} has more than {MOST_NODES} nodes: give a smaller tree")
    return sequoia(BY_RANK, numbers[0]) if len(numbers) == 1 else widths(numbers)


def _nodes(numbers: list[int]) -> int:
    """Of a tree as it is written; no more levels are counted than matter."""
    total, level = 0, 1
    for number in numbers[: MOST_NODES + 1]:
        level *= number
        total += level
    return total


def add_tree(parser: ArgumentParser) -> None:
    """The option `--tree`: a shape, or None."""
    parser.add_argument(
        "--tree",
        type=tree_shape,
        metavar="SHAPE",
        help="with --drafter tree: how many guesses follow each, level by level, as 4x2x1; or a "
        "number of nodes, as 16: Sequoia's tree for what the trained pair's draft gets accepted "
        f"at temperature 1, for few nodes a chain (default: a tree of {len(SHAPE)} nodes)",
    )


def check_tree(drafter: str, shape: Parents | None, adaptive: bool) -> None:
    """Do nothing if these options go together.

    Raises:
        ValueError: a shape for a drafter without one, or a length of chains for trees.
    """
    if shape and not DRAFTERS[drafter].shaped:
        raise ValueError(
            "--tree is the shape of what --drafter tree guesses: add --drafter tree, or leave "
            "--tree out"
        )
    if adaptive and DRAFTERS[drafter].nodes:
        raise ValueError(
            f"gamma is adaptive, which chooses the length of a chain, and --drafter {drafter} "
            "drafts trees: leave --gamma out, or give a number of nodes"
        )


def add_rule(parser: ArgumentParser) -> None:
    """The option `--rule`; not given, the drafter decides: see `asked_rule`."""
    parser.add_argument(
        "--rule",
        help=f"{', '.join(map(slug, RULES))}; on chains and trees: "
        f"{', '.join(map(slug, TREE_RULES))} (default: {slug(TOKEN_WISE)}, for trees "
        f"{slug(TREE_RULES[0])})",
    )


def asked_rule(name: str | None, drafter: str) -> Rule:
    """The rule of that name, by default the one for what the drafter drafts.

    Raises:
        ValueError: there is none of that name; it judges chains, and the drafter drafts trees.
    """
    named = DRAFTERS.get(drafter)
    if name is None:
        return named.rule if named else TOKEN_WISE
    rule = rule_named(name)
    if named and named.nodes and not rule.trees:
        raise ValueError(
            f"the rule {slug(rule)} judges chains, and --drafter {drafter} drafts trees: leave "
            f"--rule out, or choose {' or '.join(map(slug, TREE_RULES))}"
        )
    return rule


def check_verifies(drafter: str, target: LanguageModel) -> None:
    """Do nothing if the target can verify what the drafter drafts.

    Raises:
        ValueError: trees, and the target's sessions hold none.
    """
    named = DRAFTERS.get(drafter)
    if named and named.nodes and not hasattr(target.start([]), "keep"):
        raise ValueError(
            f"--drafter {drafter} drafts trees, which the target cannot verify in one pass: only "
            "the course's own Qwen3 can; take --drafter model"
        )
