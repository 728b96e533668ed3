"""Checks of this lesson: masks, places, walks and speeds of trees; what a head learns."""

from collections.abc import Callable, Sequence
from itertools import takewhile

import numpy as np
import torch
from torch import Tensor

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows, Rule, Verdict
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import (
    chain,
    children,
    depths,
    ranks,
    star,
    widths,
)
from course_utils.lessons.trees_and_heads.one_round import DRAWS, judged
from course_utils.proofs.enumeration import in_sentences
from course_utils.refused import Refused

# --- who sees whom in a tree, where it stands, what is kept ---------------------------

BINARY = widths((2, 2))
UNEVEN = (-1, -1, 0, 0, 2)  # the deepest node follows the third
MIXED = (-1, -1, -1, 0, 0, 2, 3, 5)
Parents = Sequence[int]


def ancestor_mask(parents: Parents) -> np.ndarray:
    """(n, n) of bool, may node i see node j: itself, and what its parent sees."""
    mask = np.eye(len(parents), dtype=bool)
    for i, parent in enumerate(parents):
        if parent >= 0:
            mask[i] |= mask[parent]
    return mask


def _as_mask(answer: object, parents: Parents) -> str | None:
    n = len(parents)
    if np.shape(answer) != (n, n):
        return f"A tree of {n} nodes needs {n} rows of {n}; yours has the shape {np.shape(answer)}."
    return None


check_ancestor_mask = Exercise(
    "ancestor_mask",
    cases=[(chain(4),), (star(3),), (BINARY,), (UNEVEN,), (MIXED,)],
    solution=ancestor_mask,
    mistakes={
        "That is the causal mask of a chain: a node sees each one before it, so siblings see each "
        "other. A guess is judged as if its rival had been said.": (
            lambda parents: np.tri(len(parents), dtype=bool)
        ),
        "A node must see itself, too: its own key and value are in the cache.": (
            ("return mask", "return mask & ~np.eye(len(parents), dtype=bool)")
        ),
        "The parent is not enough: go on to the parent's parent, up to the text. Deep nodes of "
        "yours have forgotten how their path began.": (
            ("mask[i] |= mask[parent]", "mask[i, parent] = True")
        ),
        "Rows and columns are exchanged: row i says what node i sees. Yours lets a node see what "
        "comes after it.": ("return mask", "return mask.T"),
        "Not all nodes of an earlier level are ancestors: cousins stand on another path.": (
            ("mask[parent]", "np.less(depths(parents), depths(parents)[i])")
        ),
        "A parent of -1 is the text, no node: in Python place -1 is the last one.": (
            ("if parent >= 0", "if True")
        ),
        "`if parent` is false for 0, which is a node, and true for -1, which is the text: write "
        "`if parent >= 0`.": ("if parent >= 0", "if parent"),
        "Node 0 is a node, too: with `parent > 0` nobody sees it but itself.": (
            ("parent >= 0", "parent > 0")
        ),
    },
    validate=_as_mask,
    insight="A chain's mask came out causal, a star's is the diagonal: both are trees.",
)


def placed(length: int, parents: Parents, last: int) -> tuple[list[int], list[int]]:
    """Positions of the nodes behind a text of `length` tokens, and the slots of the path to
    node `last`, in the order of the text."""
    positions = []
    for parent in parents:
        before = length - 1 if parent < 0 else positions[parent]
        positions.append(before + 1)
    slots = []
    while last >= 0:
        slots.insert(0, length + last)
        last = parents[last]
    return positions, slots


check_placed = Exercise(
    "placed",
    cases=[(10, chain(3), 1), (7, star(3), 2), (5, BINARY, 4), (20, UNEVEN, 4), (1, MIXED, 7)],
    solution=placed,
    parts=("positions", "slots"),
    mistakes={
        "That is where a node lies in the cache. Where it stands in the text is something else: "
        "siblings are rivals for one position.": ("before + 1", "length + len(positions)"),
        "One too many: the text's own children stand right behind it, at position `length`, since "
        "positions are counted from 0.": ("length - 1 if", "length if"),
        "The parent of a root is -1, and in Python place -1 is the last node: its position is not "
        "known yet. A root stands at `length`.": (
            ("positions = []", "positions = [0] * len(parents)"),
            ("for parent in parents", "for place, parent in enumerate(parents)"),
            ("positions.append(before + 1)", "positions[place] = positions[parent] + 1"),
        ),
        "The text before the tree counts: a node's position is length + its depth.": (
            ("length - 1 if", "-1 if")
        ),
        "From the leaf back is the wrong way round: the text is read from the root.": (
            ("slots.insert(0, length + last)", "slots.append(length + last)")
        ),
        "These are places in the tree. In the cache the tree begins behind the text: add "
        "`length`.": ("length + last", "last"),
        "The accepted node alone is not enough: its ancestors were accepted as well.": (
            ("last = parents[last]", "break")
        ),
        "A path of so many nodes does not lie in the first so many slots: other guesses lie "
        "between.": ("positions, slots", "positions, [length + i for i in range(len(slots))]"),
        "The walk up ends at -1, which is the text and no node: slot length - 1 holds the text's "
        "last token.": ("positions, slots", "positions, [length - 1, *slots]"),
        "The path's last node is one of it.": ("positions, slots", "positions, slots[:-1]"),
        "The walk up ends at -1, not at 0: node 0 is missing from the paths that begin with it.": (
            ("while last >= 0", "while last > 0")
        ),
    },
    insight="Position by depth, slot by order: the mask is what keeps the two apart.",
)


# --- a rule that walks down a tree ----------------------------------------------------

SHAPES = (widths((2, 1, 1)), 2), (star(3), 3)  # and the size of the vocabulary
DIGITS = 12  # digits of a distance


def walk(p: Rows, q: Rows, guesses: Sequence[int], parents: Sequence[int], uniforms) -> tuple:
    """-> (path, token): judge from the text down, at each node what is left of its row."""
    path, at = [], -1
    while True:
        left = p[at + 1]
        for node in children(parents)[at + 1]:
            x = guesses[node]
            if uniforms[node] < left[x] / q[node][x]:
                path.append(node)
                at = node
                break
            left = residual(left, q[node])
        else:
            return path, sample(left, uniforms[-1])


def certain_rows(p: Rows, guesses: Sequence[int]) -> np.ndarray:
    """One-hot rows of guesses that were chosen without chance."""
    return np.eye(np.shape(p)[-1])[list(guesses)]


def rule_of(attempt: Callable) -> Rule:
    """A student's walk as a rule for the loop."""

    def verify(p, q, drafted, uniforms, parents) -> Verdict:
        q = certain_rows(p, drafted) if q is None else q
        path, token = attempt(np.array(p), np.array(q), list(drafted), list(parents), uniforms)
        return Verdict(len(path), int(token), tuple(int(node) for node in path))

    return Rule("yours", verify, lossless=True, source="a student's", trees=True)


def distances(attempt: Callable) -> dict[str, float]:
    """Total variation between a round of a walk and the target's text, by the way of drawing; of
    two shapes the worse."""
    rule = rule_of(attempt)
    return {
        name: max(judged(rule, draw, *shape)[0] for shape in SHAPES) for name, draw in DRAWS.items()
    }


_DICE = np.random.default_rng(3)
_TREE_P = _DICE.dirichlet(np.ones(4), 9)
_TREE_Q = _DICE.dirichlet(np.ones(4), 5)[[0, 0, 0, 1, 2, 2, 3, 4]]  # siblings share a row
_PARENTS = (-1, -1, -1, 0, 1, 1, 3, 4)


def _ask(attempt: Callable, uniforms: Sequence[float] | None, guesses: Sequence[int]) -> object:
    """(path, token, distances) of a single tree; no uniforms: of every path of a round."""
    whole = uniforms is None
    case = ([0] * 8, [0.5] * 9) if whole else (list(guesses), list(uniforms))
    answer = attempt(_TREE_P.copy(), _TREE_Q.copy(), case[0], [*_PARENTS], case[1])
    if answer is None or answer is ...:
        return answer
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Refused("Return two things: `return path, token`.")
    if any(part is ... for part in answer):
        return ...
    if whole:
        own = "It draws random numbers of its own, or remembers: use `uniforms` only."
        found = in_sentences(lambda: distances(attempt), own)
        return [], 0, [round(x, DIGITS) for x in found.values()]
    path, token = answer
    if np.ndim(path) != 1 or np.ndim(token) != 0:
        raise Refused("Return the path first, a list of places, and behind it one token.")
    return [int(node) for node in path], int(token), []


def _told(answer: object, uniforms: object, guesses: object) -> str:
    path, token, found = answer
    if uniforms is None:
        distance, drawn = max(zip(found, DRAWS, strict=True))
        return (
            f"of a round: lossy. The text's distribution is {distance:.3f} (total variation) "
            f"from the target's (guesses: {drawn})."
        )
    wanted = walk(_TREE_P, _TREE_Q, guesses, _PARENTS, uniforms)
    agreed = takewhile(lambda pair: pair[0] == pair[1], zip(path, wanted[0], strict=False))
    at = [-1, *(node for node, _ in agreed)][-1]
    asked = "".join(
        f"; node {node} says {guesses[node]}, drawn from {_TREE_Q[node].round(2).tolist()}, its "
        f"uniform is {uniforms[node]}"
        for node in children(_PARENTS)[at + 1]
    )
    return (
        f"the answer is {wanted}, not {(path, token)}. Look at the children of "
        f"{'the text' if at < 0 else f'node {at}'}: the row of p is "
        f"{_TREE_P[at + 1].round(2).tolist()}{asked}. The last uniform is {uniforms[-1]}."
    )


def _shown(uniforms: Sequence[float] | None, guesses: Sequence[int]) -> str:
    return "all paths" if uniforms is None else f"parents = {_PARENTS}, guesses = {[*guesses]}"


check_walk = Exercise(
    "walk",
    cases=[
        ([0.01] * 9, [0, 1, 2, 0, 1, 2, 3, 3]),  # first children only, then a bonus
        ([0.99, 0.0, 0.99, 0.5, 0.5, 0.5, 0.5, 0.5, 0.6], [2, 2, 0, 1, 0, 1, 3, 3]),  # left(2) = 0
        ([0.84, 0.13, 0.14, 0.66, 0.21, 0.78, 0.07, 0.03, 0.38], [1, 3, 3, 0, 2, 0, 0, 1]),
        ([0.76, 0.34, 0.94, 0.45, 0.09, 0.44, 0.84, 0.19, 0.32], [2, 3, 2, 0, 0, 1, 3, 1]),
        ([0.95, 0.64, 0.89, 0.62, 0.95, 0.64, 0.98, 0.47, 0.15], [2, 3, 1, 2, 2, 1, 3, 2]),
        (None, ()),
    ],
    solution=walk,
    mistakes={
        "Lossy. The second child is judged by the whole row of p, though the first had its "
        "turn: tokens that were offered twice come too often. Go on with what the rejection has "
        "left.": ("left = residual(left, q[node])", "continue"),
        "Lossy. Each child is judged by the parent's p, and only the correction is drawn "
        "from what is left. The second child's turn begins from what is left as well.": (
            ("left[x] / q[node][x]", "p[at + 1][x] / q[node][x]")
        ),
        "Lossy. Where all were rejected you draw from the whole row: what was offered had "
        "its chance already. Draw from what is left.": ("sample(left,", "sample(p[at + 1],"),
        "Lossy. The residual is taken of p each time, not of what the earlier siblings have "
        "left.": ("residual(left,", "residual(p[at + 1],"),
        "Lossy. You strike out the rejected token. That is right for a guess made without "
        "chance; one that was drawn from q leaves the residual of q.": (
            ("residual(left, q[node])", "residual(left, np.eye(len(left))[x])")
        ),
        "Lossy. Row `at` is the one BEFORE node `at` was said; p[0] is the one after the "
        "text, so the row after a node is p[node + 1].": (
            "left = p[at + 1]",
            "left = p[max(at, 0)]",
        ),
        "Lossy. What is left belongs to one node: where a child is accepted, `left` begins "
        "anew with the row after it, p[child + 1]. You go on with what was left at its parent.": (
            ("path, at = [], -1", "path, at, left = [], -1, p[0]"),
            ("left = p[at + 1]", "pass"),
        ),
        "Lossy. p[-1] is Python's last row. The row after the text is p[0], so where you "
        "stand at `at`, -1 for the text, it is p[at + 1].": ("left = p[at + 1]", "left = p[at]"),
        "Lossless, but no guess is ever accepted: you draw behind the text at once. (Where you "
        "stand at -1, children(parents)[-1] are those of the last node, which has none; the text's "
        "come first.)": ("children(parents)[at + 1]", "children(parents)[at]"),
        "Lossy. You go on from a node with the accepted token, and there may be several: "
        "the same token on two paths. Go on from the very node that was accepted.": (
            ("left = p[at + 1]", "left, level = p[at + 1], depths(parents)"),
            ("at = node", "at = [*zip(guesses, level)].index((x, level[node]))"),
        ),
        "The bonus is missing: after a leaf nothing was guessed, but the target's row is there. "
        "Its token costs nothing.": (
            "left = p[at + 1]",
            "left = p[at + 1]\n"
            "        if path and not children(parents)[at + 1]:\n"
            "            return path[:-1], guesses[at]",
        ),
        "What is left(x) = 0 was accepted with u = 0: the comparison must be strict, u < left/q.": (
            ("uniforms[node] <", "uniforms[node] <=")
        ),
        "Lossy. The path is a list of places, and yours holds the tokens that stand there.": (
            ("path.append(node)", "path.append(x)")
        ),
        "Lossy. Siblings share a uniform in yours, so what the first had decides on the second. "
        "Node i has its own: uniforms[i].": ("uniforms[node] <", "uniforms[len(path)] <"),
        "Lossy. The final token is drawn by a uniform that a node was judged by. The last one, "
        "uniforms[-1], is for it.": ("uniforms[-1]", "uniforms[len(path)]"),
        "Lossless, but you look at the text's children only. An accepted node has children of its "
        "own.": ("at = node", "return path, sample(p[node + 1], uniforms[-1])"),
        "Lossless, but the siblings never get their turn: you stop at the first rejection, as in a "
        "chain.": ("children(parents)[at + 1]", "children(parents)[at + 1][:1]"),
    },
    call=_ask,
    explain=_told,
    describe_case=_shown,
    insight="Walked along every path, for guesses drawn in three ways: always the target's text.",
)


# --- what a head is trained on, and what its rows promise --------------------------------

# (token, state) -> (the next state, log q (V,))
Step = Callable[[int, Tensor], tuple[Tensor, Tensor]]

SIZE = 3  # tokens of the vocabulary
_RNG = np.random.default_rng(7)
_WEIGHTS = tuple(_RNG.normal(size=shape) for shape in ((SIZE, 2), (2, 2), (2, SIZE)))
_TOKENS = [2, 0, 1, 1, 2, 0, 0, 2]
_STATES = torch.tensor(_RNG.normal(size=(len(_TOKENS), 2)))  # the target's, after each token
_P = torch.tensor(_RNG.dirichlet(np.ones(SIZE), len(_TOKENS)))  # row i: what follows token i


def small_head() -> tuple[Step, list[Tensor]]:
    """A head of two numbers that can learn: its step, and its weights."""
    read, turn, say = weights = [torch.tensor(w, requires_grad=True) for w in _WEIGHTS]

    def step(token: int, state: Tensor) -> tuple[Tensor, Tensor]:
        new = torch.tanh(read[token] + state @ turn)
        return new, (new @ say).log_softmax(-1)

    return step, weights


def unrolled_loss(
    step: Step, states: Tensor, tokens: Sequence[int], p: Tensor, anchor: int, steps: int,
    decay: float,
) -> Tensor:  # fmt: skip
    """Cross-entropy of the target's rows and the head's on its own states; weights decay^s."""
    state, total = states[anchor], 0.0
    for s in range(steps):
        state, log_q = step(tokens[anchor + 1 + s], state)
        total = total - decay**s * (p[anchor + 1 + s] * log_q).sum()
    return total / sum(decay**s for s in range(steps))


def _loss_and_gradient(attempt: Callable, anchor: int, steps: int, decay: float) -> object:
    """(the loss, its gradient to each of the head's weights; None if it has none)"""
    step, weights = small_head()
    value = attempt(step, _STATES.clone(), [*_TOKENS], _P.clone(), anchor, steps, decay)
    if value is None or value is ...:
        return value
    if isinstance(value, Tensor) and value.requires_grad:
        value.backward()
        gradient = torch.cat([w.grad.flatten() for w in weights if w.grad is not None])
        return value.item(), gradient.numpy()
    return value.item() if isinstance(value, Tensor) else value, None


def _steps_told(answer: object, anchor: int, steps: int, decay: float) -> str | None:
    """What the head is fed in each step, what it says, and what that costs; of the loss only."""
    if not isinstance(answer, float) or steps > 2:
        return None
    said, step = [], small_head()[0]

    def heard(token: int, state: Tensor) -> tuple[Tensor, Tensor]:
        new, log_q = step(token, state)
        row = _P[anchor + 1 + len(said)]
        said.append(
            f"{token = } and {'its own state' if said else f'states[{anchor}]'} give log q = "
            f"{_rounded(log_q)}; by p = {_rounded(row)} that costs {-(row @ log_q):.3f}"
        )
        return new, log_q

    right = unrolled_loss(heard, _STATES, _TOKENS, _P, anchor, steps, decay)
    return f"the answer is {right:.4g}, not {answer:.4g}. Step by step: {'. Then '.join(said)}."


def _rounded(row: Tensor) -> list[float]:
    return [round(x, 2) for x in row.tolist()]


check_unrolled_loss = Exercise(
    "unrolled_loss",
    cases=[
        (1, 1, 0.8),
        (0, 2, 0.5),
        (2, 4, 0.5),
        (0, 5, 1.0),
    ],
    solution=unrolled_loss,
    call=_loss_and_gradient,
    parts=("the loss", "its gradient"),
    mistakes={
        "That is one step early: you feed the token of the anchor, whose state holds it already. "
        "Beside state `anchor` goes the token AFTER it.": ("tokens[anchor + 1", "tokens[anchor"),
        "The label is shifted: the row to be learned is the one after the token that was just fed, "
        "p[anchor + 1 + s]. Yours trains the head to repeat what it reads.": (
            ("p[anchor + 1", "p[anchor")
        ),
        "The label is shifted by one: your head learns to skip a token.": (
            ("p[anchor + 1", "p[anchor + 2")
        ),
        "You give the head the target's state at each step. Then step 2 learns what step 1 does, "
        "and what it must do when it drafts, read its own state, is never practised.": (
            ("+ s], state)", "+ s], states[anchor + s])")
        ),
        "The first state is that of token anchor + 1: the target has not processed it when the "
        "head is asked. Begin with states[anchor].": ("states[anchor]", "states[anchor + 1]"),
        "Divide by the sum of the weights: else more steps are a larger loss.": (
            (" / sum(decay**s for s in range(steps))", "")
        ),
        "You divide by the number of steps. In a mean with weights it is the sum of the weights.": (
            ("sum(decay**s for s in range(steps))", "steps")
        ),
        "`step` returns log q already: a logarithm of it is one too many.": (
            ("* log_q)", "* log_q.log())")
        ),
        "The weights decay^s are missing: late steps are reached less often.": (
            ("- decay**s *", "-"),
            ("decay**s for s in range(steps)", "1 for s in range(steps)"),
        ),
        "You learn the token that stands in the text. The head is judged by the target's whole "
        "row: take the cross-entropy with p.": (
            ("(p[anchor + 1 + s] * log_q).sum()", "log_q[tokens[anchor + 2 + s]]")
        ),
        "You feed the head its own guess. It is the text that goes on in training: a guess that is "
        "not accepted has no next position.": (
            ("tokens[anchor + 1 + s]", "tokens[anchor + 1] if s == 0 else int(log_q.argmax())")
        ),
        "you cut the state off between two steps (detach?). Each step then learns to read a state, "
        "and none learns to write one that the next step can read: hand it on as it is.": (
            ("+ s], state)", "+ s], state.detach())")
        ),
        "there is none: inside torch.no_grad(), or after .detach(), .item() or float(), nothing "
        "can be learned from the loss. Calculate with the tensors as they are.": (
            ("return total", "return total.item()")
        ),
    },
    describe_case=lambda anchor, steps, decay: (
        f"anchor = {anchor}, steps = {steps}, decay = {decay}"
    ),
    explain=_steps_told,
    insight="True state first, its own ever after: that is training-time test.",
)


def predicted_tau(p: np.ndarray, q: np.ndarray) -> float:
    """1 + the sum over k of the product of the first k alphas; p and q (steps, V)."""
    alphas = np.minimum(p, q).sum(-1)
    return 1 + np.cumprod(alphas).sum()


_ROWS_P = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.6, 0.2, 0.2], [0.3, 0.7, 0.0]])
_ROWS_Q = np.array([[0.2, 0.3, 0.5], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2], [0.8, 0.2, 0.0]])

check_predicted_tau = Exercise(
    "predicted_tau",
    cases=[
        *((_ROWS_P[:n], _ROWS_Q[:n]) for n in (1, 2, 4)),
        (np.eye(3), np.eye(3)),
        (np.eye(3), np.eye(3)[[0, 2, 2]]),
    ],
    solution=predicted_tau,
    mistakes={
        "That is 1 and all min(p, q) added up, also of guesses that nobody reaches. Is the product "
        "of the alphas so far missing, or the axis of the sum that gives them?": (
            ("np.cumprod(alphas)", "alphas")
        ),
        "You sum over the guesses. The alpha of a guess is the sum over its own row: axis -1.": (
            (".sum(-1)", ".sum(0)")
        ),
        "The target's own token is missing: each round brings one more than it accepts.": (
            ("1 + np", "np")
        ),
        "That is the probability that all are accepted, plus one. The sum goes over all lengths.": (
            ("np.cumprod(alphas).sum()", "np.prod(alphas)")
        ),
        "With the mean of the alphas the formula for one rate is not the mean of the rounds: the "
        "first alpha counts in every term, the last in one.": (
            ("cumprod(alphas)", "cumprod(np.full(len(p), alphas.mean()))")
        ),
        "That a head's likeliest token is the target's is no probability of being accepted: "
        "alpha is the sum of min(p, q).": (
            ("np.minimum(p, q).sum(-1)", "p.argmax(-1) == q.argmax(-1)")
        ),
        "Total variation is what is rejected: alpha is 1 less that.": (
            ("cumprod(alphas)", "cumprod(1 - alphas)")
        ),
    },
    describe_case=lambda p, q: f"p = {p.tolist()}, q = {q.tolist()}",
    insight="This one number, on held-out text, is what a head should be judged by.",
)


# --- what a shape is worth ------------------------------------------------------------------


def shape_speed(
    parents: Parents, by_rank: Sequence[float], c: float, v: Callable[[int], float]
) -> float:
    """Tokens per round over the round's passes of the target: one of the draft for each level."""
    reached = []
    for parent, rank in zip(parents, ranks(parents), strict=True):
        above = reached[parent] if parent >= 0 else 1.0
        reached.append(above * by_rank[rank])
    levels = 1 + max(depths(parents))
    return (1 + sum(reached)) / (levels * c + v(len(parents) + 1))


def _row(tokens: int) -> float:
    return 1 + 0.05 * (tokens - 1)


check_shape_speed = Exercise(
    "shape_speed",
    cases=[
        (chain(1), [0.6, 0.2, 0.1], 0.1, lambda k: 1.0),
        (chain(3), [0.6, 0.2, 0.1], 0.1, lambda k: 1.0),
        (star(3), [0.6, 0.2, 0.1], 0.1, lambda k: 1.0),
        (BINARY, [0.6, 0.2, 0.1], 0.1, lambda k: 1.0),
        (UNEVEN, [0.7, 0.15, 0.05], 0.25, _row),
        (MIXED, [0.5, 0.3, 0.1], 0.05, _row),
    ],
    solution=shape_speed,
    mistakes={
        "That is the number of tokens per round. Divide it by what the round costs.": (
            " / (levels * c + v(len(parents) + 1))",
            "",
        ),
        "The target's own token is missing: a round brings one more than it accepts.": (
            "(1 + sum(reached))",
            "sum(reached)",
        ),
        "A node is reached only if its parent was accepted: multiply the rates along the path. "
        "Yours takes each node's own rate alone.": ("above * by_rank[rank]", "by_rank[rank]"),
        "A parent of -1 is the text, no node: in Python place -1 is the last one.": (
            "reached[parent] if parent >= 0 else 1.0",
            "reached[parent]",
        ),
        "Behind a parent of -1 you take the last node so far. -1 is the text, which is always "
        "reached: 1.": ("if parent >= 0", "if reached"),
        "No node is worth anything in yours. The text is always reached: above its children stands "
        "1. (In Python place -1 is the last one.)": (
            "reached[parent] if parent >= 0 else 1.0",
            "0.0",
        ),
        "Node 0 is a node, too: `parent > 0` takes it for the text.": (
            ("parent >= 0", "parent > 0")
        ),
        "The rate goes by the rank among the siblings, not by the depth: a first child has rank 0 "
        "at each level.": ("zip(parents, ranks(parents)", "zip(parents, depths(parents)"),
        "All siblings have the first one's rate in yours. The second is judged by what the first "
        "has left: take by_rank[rank].": ("by_rank[rank]", "by_rank[0]"),
        "The draft makes one pass for each LEVEL, over all nodes of it that get children, not one "
        "for each node.": ("levels * c", "len(parents) * c"),
        "Depths begin at 0: a chain of three has the depths 0, 1, 2 and takes three passes of the "
        "draft.": ("1 + max(depths(parents))", "max(depths(parents))"),
        "The target reads the text's last token as well: its pass is over one token more than "
        "there are nodes.": ("v(len(parents) + 1)", "v(len(parents))"),
        "The target's pass costs v(k), the time of its pass over k tokens. You count it as 1.": (
            "v(len(parents) + 1)",
            "1",
        ),
        "The draft's passes cost c each; yours are free.": ("levels * c + ", ""),
        "That is the time of a token. The speed is its reciprocal: tokens over time.": (
            "return (1 + sum(reached)) / (levels * c + v(len(parents) + 1))",
            "return (levels * c + v(len(parents) + 1)) / (1 + sum(reached))",
        ),
    },
    describe_case=lambda parents, by_rank, c, v: (
        f"parents = {parents}, by_rank = {by_rank}, c = {c}, "
        f"v({len(parents) + 1}) = {v(len(parents) + 1):g}"
    ),
    insight="With one child for each node it is lesson 06's formula: a chain is a tree.",
)
