"""Answers of students to lesson 10 that its checks do not list as mistakes."""

from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import children
from course_utils.lessons.trees_and_heads.checks import check_walk


def recursive_walk(p, q, guesses, parents, uniforms, at=-1):
    """The walk as a recursion over nodes."""
    left = p[at + 1]
    for node in children(parents)[at + 1]:
        if uniforms[node] < left[guesses[node]] / q[node][guesses[node]]:
            path, token = recursive_walk(p, q, guesses, parents, uniforms, node)
            return [node, *path], token
        left = residual(left, q[node])
    return [], sample(left, uniforms[-1])


RIGHT_ANSWERS = [(check_walk, recursive_walk)]


def draws_from_p(p, q, guesses, parents, uniforms):
    """A lossless rule that never accepts a node."""
    return [], sample(p[0], uniforms[-1])


WRONG_ANSWERS = [
    (check_walk, draws_from_p, "Node 0 guesses 0"),
]
