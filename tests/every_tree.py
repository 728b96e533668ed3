"""All small trees, and shared parts of the tests of trees."""

from functools import cache

from hypothesis import strategies as st

#        text
#       0    1
#     2 3 4  5
#     6      7 8
FAMILY = (-1, -1, 0, 0, 0, 1, 2, 5, 5)
FALLING = (0.6, 0.2, 0.1)
RATES = [FALLING, (0.4, 0.4), (0.9,), (0.1, 0.8), (0.3, 0.0, 0.6), (0.05, 0.1, 0.2, 0.6)]


@cache
def every_tree(nodes):
    """Return all ordered trees with `nodes` nodes besides the text, a Catalan number of them."""
    if not nodes:
        return [()]
    return [
        (*tree, parent)
        for tree in every_tree(nodes - 1)
        for parent in range(tree[-1] if tree else -1, nodes - 1)
    ]


shapes = st.integers(1, 8).flatmap(lambda nodes: st.sampled_from(every_tree(nodes)))
