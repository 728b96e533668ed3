"""Answers that the exercises of this room do not hold themselves."""

import numpy as np
import torch

from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import children
from course_utils.lessons.trees_and_heads.checks import (
    check_ancestor_mask,
    check_placed,
    check_shape_speed,
    check_unrolled_loss,
    check_walk,
    placed,
)


def mask_of_lists(parents):
    """Lists of truth values, each built from its parent's."""
    rows = []
    for i, parent in enumerate(parents):
        row = [False] * len(parents) if parent < 0 else list(rows[parent])
        row[i] = True
        rows.append(row)
    return rows


def recursive_walk(p, q, guesses, parents, uniforms, at=-1):
    """A node at a time, by calling itself."""
    left = p[at + 1]
    for node in children(parents)[at + 1]:
        if uniforms[node] < left[guesses[node]] / q[node][guesses[node]]:
            path, token = recursive_walk(p, q, guesses, parents, uniforms, node)
            return [node, *path], token
        left = residual(left, q[node])
    return [], sample(left, uniforms[-1])


def loss_from_the_back(step, states, tokens, p, anchor, steps, decay):
    total = weights = 0.0
    state = states[anchor]
    for s, token in enumerate(tokens[anchor + 1 : anchor + 1 + steps]):
        state, log_q = step(token, state)
        weights += decay**s
        total -= decay**s * (p[anchor + 1 + s] @ log_q)
    return total / weights


def with_the_state_detached(step, *case):
    def cut(token, state):
        return step(token, state.detach())

    return loss_from_the_back(cut, *case)


def speed_by_paths(parents, by_rank, c, v):
    """Each node's path walked up, its rank counted among the siblings before it."""
    tokens, deepest = 1.0, 0
    for node in range(len(parents)):
        worth, depth = 1.0, 0
        while node >= 0:
            worth *= by_rank[parents[:node].count(parents[node])]
            node, depth = parents[node], depth + 1
        tokens, deepest = tokens + worth, max(deepest, depth)
    return tokens / (deepest * c + v(len(parents) + 1))


RIGHT_ANSWERS = [
    (check_ancestor_mask, mask_of_lists),
    (check_walk, recursive_walk),
    (check_unrolled_loss, loss_from_the_back),
    (check_shape_speed, speed_by_paths),
]


def draws_from_p(p, q, guesses, parents, uniforms):
    """Lossless, and no rule on trees: it never accepts."""
    return [], sample(p[0], uniforms[-1])


def turned(p, q, guesses, parents, uniforms):
    """Lossy in a way that no known mistake explains."""
    path, token = recursive_walk(p, q, guesses, parents, uniforms)
    return path, (token + 1) % len(p[0])


def with_one_residual(p, q, guesses, parents, uniforms):
    """`left` is set once, before the loop, and is not set again at the next node."""
    path, at, left = [], -1, p[0]
    while following := children(parents)[at + 1]:
        for node in following:
            if uniforms[node] < left[guesses[node]] / q[node][guesses[node]]:
                path, at = [*path, node], node
                break
            left = residual(left, q[node])
        else:
            break
    return path, sample(left, uniforms[-1])


def placed_that_wraps(length, parents, last):
    positions = np.zeros(len(parents), int)
    for i, parent in enumerate(parents):
        positions[i] = positions[parent] + 1
    return positions, placed(length, parents, last)[1]


def to_the_grandparent(parents):
    mask = np.eye(len(parents), dtype=bool)
    for i, parent in enumerate(parents):
        for seen in (parent, parents[parent])[: 1 + (parent >= 0)]:
            mask[i, seen] |= seen >= 0
    return mask


WRONG_ANSWERS = [
    (check_ancestor_mask, to_the_grandparent, "entry 3 of the answer"),
    (check_walk, lambda *case: recursive_walk(*case)[::-1], "Return the path first"),
    (check_placed, placed_that_wraps, "in Python place -1 is the last node"),
    (check_walk, with_one_residual, "`left` begins anew"),
    (check_unrolled_loss, with_the_state_detached, "its gradient: you cut the state off"),
    (check_unrolled_loss, torch.no_grad()(loss_from_the_back), "its gradient: there is none"),
    (check_ancestor_mask, lambda parents: np.ones(len(parents)), "rows of"),
    (check_walk, lambda *_: [0], "Return two things"),
    (check_walk, draws_from_p, "no guess is ever accepted"),
    (check_walk, turned, "Look at the children of node 6: the row of p is"),
    (check_shape_speed, lambda parents, *_: len(parents), "parents = "),
]
