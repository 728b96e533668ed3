"""Checks of this lesson: masks, places and walks on trees, and what a head learns and promises."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows, Rule, Verdict
from course_utils.decoding.rules import residual, without
from course_utils.decoding.sampling import sample
from course_utils.decoding.theory import overlap
from course_utils.decoding.trees import ancestors, chain, children, depths, paths, star, widths
from course_utils.lessons.trees_and_heads.one_round import DRAWS, judged
from course_utils.proofs.enumeration import Unrepeatable

# --- who sees whom in a tree, where it stands, what is kept ---------------------------

BINARY = widths((2, 2))
UNEVEN = (-1, -1, 0, 0, 2)  # the deepest node follows the third
MIXED = (-1, -1, -1, 0, 0, 2, 3, 5)
Parents = Sequence[int]


def _rows(parents: Parents, sees: Callable[[int, int], bool]) -> np.ndarray:
    """A mask of a rule sees(i, j) that knows places only."""
    n = range(len(parents))
    return np.array([[sees(i, j) for j in n] for i in n], dtype=bool)


def _below_the_level(parents: Parents) -> np.ndarray:
    """A student who lets a node see all of the levels before its own."""
    deep = depths(parents)
    return _rows(parents, lambda i, j: i == j or deep[j] < deep[i])


def _children_of_0_forget(parents: Parents) -> np.ndarray:
    """A student whose `if parent:` is false for node 0 and true for -1, the last node."""
    mask = np.eye(len(parents), dtype=bool)
    for i, parent in enumerate(parents):
        if parent:
            mask[i] |= mask[parent]
    return mask


def _as_mask(answer: object, parents: Parents) -> str | None:
    n = len(parents)
    if np.shape(answer) != (n, n):
        return f"A tree of {n} nodes needs {n} rows of {n}; yours has the shape {np.shape(answer)}."
    return None


check_ancestor_mask = Exercise(
    "ancestor_mask",
    cases=[(chain(3),), (star(3),), (BINARY,), (UNEVEN,), (MIXED,)],
    right=ancestors,
    mistakes={
        "That is the causal mask of a chain: a node sees each one before it, so siblings see each "
        "other. A guess is judged as if its rival had been said.": (
            lambda parents: _rows(parents, lambda i, j: j <= i)
        ),
        "A node must see itself, too: its own key and value are in the cache.": (
            lambda parents: ancestors(parents) & ~np.eye(len(parents), dtype=bool)
        ),
        "The parent is not enough: go on to the parent's parent, up to the text. Deep nodes of "
        "yours have forgotten how their path began.": (
            lambda parents: _rows(parents, lambda i, j: j in (i, parents[i]))
        ),
        "Rows and columns are exchanged: row i says what node i sees. Yours lets a node see what "
        "comes after it.": lambda parents: ancestors(parents).T,
        "Not all nodes of an earlier level are ancestors: cousins stand on another path.": (
            _below_the_level
        ),
        "A parent of -1 is the text, no node: in Python place -1 is the last one.": (
            lambda parents: _rows(
                parents, lambda i, j: ancestors(parents)[i, j] or (j == len(parents) - 1)
            )
        ),
        "`if parent` is false for 0, which is a node, and true for -1, which is the text: write "
        "`if parent >= 0`.": _children_of_0_forget,
    },
    form=_as_mask,
    insight="A chain's mask came out causal, a star's is the diagonal: both are trees.",
)


def placed(length: int, parents: Parents, last: int) -> tuple[list[int], list[int]]:
    """Positions of the nodes behind a text of `length` tokens, and the slots of the path to
    node `last`, in the order of the text."""
    positions = [length + depth for depth in depths(parents)]
    return positions, [length + place for place in paths(parents)[last]]


def _other(
    position: Callable = lambda length, depth, place: length + depth,
    slots: Callable = lambda length, path: [length + place for place in path],
) -> Callable:
    """`placed` with another position of a node, or other slots of a path."""

    def attempt(length: int, parents: Parents, last: int) -> tuple[list[int], list[int]]:
        deep = depths(parents)
        positions = [position(length, deep[place], place) for place in range(len(parents))]
        return positions, slots(length, list(paths(parents)[last]))

    return attempt


def _positions_by_wrapping(length: int, parents: Parents, last: int) -> tuple[list, list]:
    """A student who fills a list of zeros and reads the parent of a root in it."""
    positions = [0] * len(parents)
    for place, parent in enumerate(parents):
        positions[place] = positions[parent] + 1
    return positions, placed(length, parents, last)[1]


check_placed = Exercise(
    "placed",
    cases=[(10, chain(3), 1), (7, star(3), 2), (5, BINARY, 4), (20, UNEVEN, 4), (1, MIXED, 7)],
    right=placed,
    parts=("positions", "slots"),
    mistakes={
        "That is where a node lies in the cache. Where it stands in the text is something else: "
        "siblings are rivals for one position.": _other(
            position=lambda length, depth, place: length + place
        ),
        "One too many: the text's own children stand right behind it, at position `length`, since "
        "positions are counted from 0.": _other(
            position=lambda length, depth, place: length + depth + 1
        ),
        "The parent of a root is -1, and in Python place -1 is the last node: its position is not "
        "known yet. A root stands at `length`.": _positions_by_wrapping,
        "The text before the tree counts: a node's position is length + its depth.": _other(
            position=lambda length, depth, place: depth
        ),
        "From the leaf back is the wrong way round: the text is read from the root.": _other(
            slots=lambda length, path: [length + place for place in reversed(path)]
        ),
        "These are places in the tree. In the cache the tree begins behind the text: add "
        "`length`.": _other(slots=lambda length, path: path),
        "The accepted node alone is not enough: its ancestors were accepted as well.": _other(
            slots=lambda length, path: [length + path[-1]]
        ),
        "A path of so many nodes does not lie in the first so many slots: other guesses lie "
        "between.": _other(slots=lambda length, path: [length + i for i in range(len(path))]),
        "The walk up ends at -1, which is the text and no node: slot length - 1 holds the text's "
        "last token.": _other(slots=lambda length, path: [length + place for place in (-1, *path)]),
        "The path's last node is one of it.": _other(
            slots=lambda length, path: [length + place for place in path[:-1]]
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
        path, token = attempt(p, q, list(drafted), list(parents), uniforms)
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
    if uniforms is None:
        first = attempt(_TREE_P.copy(), _TREE_Q.copy(), [0] * 8, [*_PARENTS], [0.5] * 9)
        if _open(first):
            return first if first is None else ...
        try:
            return [], 0, [round(x, DIGITS) for x in distances(attempt).values()]
        except Unrepeatable:
            return "It draws random numbers of its own, or remembers: use `uniforms` only."
        except TypeError as error:
            if "Uniform" in str(error):
                return "Compare uniforms, or hand them to `sample`; do not calculate with them."
            raise
    answer = attempt(_TREE_P.copy(), _TREE_Q.copy(), list(guesses), [*_PARENTS], list(uniforms))
    if _open(answer):
        return answer if answer is None else ...
    if not isinstance(answer, tuple) or len(answer) != 2:
        return "Return two things: `return path, token`."
    path, token = answer
    return [int(node) for node in path], int(token), []


def _open(answer: object) -> bool:
    """Is the stub, or a part of it, still what it was?"""
    parts = answer if isinstance(answer, tuple) else (answer,)
    return answer is None or any(part is ... for part in parts)


def _refused(answer: object, *case: object) -> str | None:
    return answer if isinstance(answer, str) else None


def _told(answer: object, uniforms: object, guesses: object) -> str:
    path, token, found = answer
    if uniforms is None:
        worst = max(zip(found, DRAWS, strict=True))
        return (
            f"of a round: NAMED LOSSY. With guesses drawn {worst[1]} they are "
            f"{worst[0]:.3f} (total variation) from the target's."
        )
    wanted = walk(_TREE_P, _TREE_Q, guesses, _PARENTS, uniforms)
    return f"the answer is {wanted}, not {(path, token)}."


def _shown(uniforms: Sequence[float] | None, guesses: Sequence[int]) -> str:
    if uniforms is None:
        return "all paths"
    return f"guesses = {list(guesses)}, uniforms = {list(uniforms)}"


# --- known mistakes, as what a student could hand in -----------------------------------


def _variant(
    row: Callable = lambda at: at + 1,
    below: Callable = lambda at: at + 1,
    rest: Callable = lambda left, p, q, x: residual(left, q),
    ratio: Callable = lambda left, p, q, x: left[x] / q[x],
    going_on: Callable = lambda node, guesses, parents: node,
    corrected: Callable = lambda left, p: left,
    leaf: bool = True,
) -> Callable:
    """`walk` with one of its decisions made otherwise."""

    def attempt(p, q, guesses, parents, uniforms):
        path, at = [], -1
        while True:
            own = p[row(at)]
            left, following = own, children(parents)[below(at)]
            if path and not following and not leaf:
                return path[:-1], guesses[path[-1]]
            for node in following:
                x = guesses[node]
                if uniforms[node] < ratio(left, own, q[node], x):
                    path.append(node)
                    at = going_on(node, guesses, parents)
                    break
                left = rest(left, own, q[node], x)
            else:
                return path, sample(corrected(left, own), uniforms[-1])

    return attempt


def _first_with_the_token(node: int, guesses: Sequence[int], parents: Sequence[int]) -> int:
    level = depths(parents)
    return next(i for i, x in enumerate(guesses) if x == guesses[node] and level[i] == level[node])


def _once(p, q, guesses, parents, uniforms):
    """Judges the text's children only."""
    left = p[0]
    for node in children(parents)[0]:
        if uniforms[node] < left[guesses[node]] / q[node][guesses[node]]:
            return [node], sample(p[node + 1], uniforms[-1])
        left = residual(left, q[node])
    return [], sample(left, uniforms[-1])


def _never_anew(p, q, guesses, parents, uniforms):
    """Begins with the text's row and keeps what is left of it at the nodes further down."""
    path, at, left = [], -1, p[0]
    while True:
        for node in children(parents)[at + 1]:
            if uniforms[node] < left[guesses[node]] / q[node][guesses[node]]:
                path.append(node)
                at = node
                break
            left = residual(left, q[node])
        else:
            return path, sample(left, uniforms[-1])


def _first_path_only(p, q, guesses, parents, uniforms):
    """Gives up where the first child is rejected."""
    path, at = [], -1
    while following := children(parents)[at + 1]:
        node = following[0]
        if not uniforms[node] < p[at + 1][guesses[node]] / q[node][guesses[node]]:
            return path, sample(residual(p[at + 1], q[node]), uniforms[-1])
        path.append(node)
        at = node
    return path, sample(p[at + 1], uniforms[-1])


check_walk = Exercise(
    "walk",
    cases=[
        ([0.01] * 9, [0, 1, 2, 0, 1, 2, 3, 3]),  # first children only, then a bonus
        ([0.99, 0.99, 0.99, 0.5, 0.5, 0.5, 0.5, 0.5, 0.6], [2, 2, 0, 1, 0, 1, 3, 3]),
        ([0.99, 0.24, 0.66, 0.76, 0.69, 0.09, 0.29, 0.68, 0.26], [1, 3, 3, 1, 1, 2, 1, 2]),
        ([0.76, 0.34, 0.94, 0.45, 0.09, 0.44, 0.84, 0.19, 0.32], [2, 3, 2, 0, 0, 1, 3, 1]),
        ([0.95, 0.64, 0.89, 0.62, 0.95, 0.64, 0.98, 0.47, 0.15], [2, 3, 1, 2, 2, 1, 3, 2]),
        (None, ()),
    ],
    right=walk,
    mistakes={
        "NAMED LOSSY. The second child is judged by the whole row of p, though the first had its "
        "turn: tokens that were offered twice come too often. Go on with what the rejection has "
        "left.": _variant(rest=lambda left, p, q, x: left, corrected=lambda left, p: left),
        "NAMED LOSSY. Each child is judged by the parent's p, and only the correction is drawn "
        "from what is left. The second child's turn begins from what is left as well.": _variant(
            ratio=lambda left, p, q, x: p[x] / q[x]
        ),
        "NAMED LOSSY. Where all were rejected you draw from the whole row: what was offered had "
        "its chance already. Draw from what is left.": _variant(corrected=lambda left, p: p),
        "NAMED LOSSY. The residual is taken of p each time, not of what the earlier siblings have "
        "left.": _variant(rest=lambda left, p, q, x: residual(p, q)),
        "NAMED LOSSY. You strike out the rejected token. That is right for a guess made without "
        "chance; one that was drawn from q leaves the residual of q.": _variant(
            rest=lambda left, p, q, x: without(left, x)
        ),
        "NAMED LOSSY. Row `at` is the one BEFORE node `at` was said; p[0] is the one after the "
        "text, so the row after a node is p[node + 1].": _variant(row=lambda at: max(at, 0)),
        "NAMED LOSSY. What is left belongs to one node: where a child is accepted, `left` begins "
        "anew with the row after it, p[child + 1]. You go on with what was left at its parent.": (
            _never_anew
        ),
        "NAMED LOSSY. p[-1] is Python's last row. The row after the text is p[0], so where you "
        "stand at `at`, -1 for the text, it is p[at + 1].": _variant(row=lambda at: at),
        "Lossless, but no guess is ever accepted: you draw behind the text at once. (Where you "
        "stand at -1, children(parents)[-1] are those of the last node, which has none; the text's "
        "come first.)": _variant(below=lambda at: at),
        "NAMED LOSSY. You go on from a node with the accepted token, and there may be several: "
        "the same token on two paths. Go on from the very node that was accepted.": _variant(
            going_on=_first_with_the_token
        ),
        "The bonus is missing: after a leaf nothing was guessed, but the target's row is there. "
        "Its token costs nothing.": _variant(leaf=False),
        "Lossless, but you look at the text's children only. An accepted node has children of its "
        "own.": _once,
        "Lossless, but the siblings never get their turn: you stop at the first rejection, as in a "
        "chain.": _first_path_only,
    },
    ask=_ask,
    form=_refused,
    told=_told,
    shown=_shown,
    insight="Walked along every path, for guesses drawn in three ways: always the target's text.",
)


# --- heads: what one is trained on, and what its rows promise -------------------------

# (token, state) -> (the next state, log q (V,))
Step = Callable[[int, Tensor], tuple[Tensor, Tensor]]

SIZE = 5  # tokens of the vocabulary
_RNG = np.random.default_rng(7)
_WEIGHTS = tuple(_RNG.normal(size=shape) for shape in ((SIZE, 3), (3, 3), (3, SIZE)))
_TOKENS = [2, 0, 4, 1, 3, 3, 0, 2]
_STATES = torch.tensor(_RNG.normal(size=(len(_TOKENS), 3)))  # the target's, after each token
_P = torch.tensor(_RNG.dirichlet(np.ones(SIZE), len(_TOKENS)))  # row i: what follows token i


def small_head() -> tuple[Step, list[Tensor]]:
    """A head of three numbers that can learn: its step, and its weights."""
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
    return _unrolled()(step, states, tokens, p, anchor, steps, decay)


def _unrolled(
    read: int = 1, judged: int = 1, own: bool = True, first: int = 0, weighed: str = "mean",
    hard: bool = False, said: bool = False, cut: bool = False,
) -> Callable:  # fmt: skip
    """`unrolled_loss` with another token read, row judged by, state, weight, label or text; `cut`:
    no gradient flows from a step to the one before."""

    def attempt(step, states, tokens, p, anchor, steps, decay):
        state, total, guess = states[anchor + first], 0.0, None
        weights = [decay**s if weighed != "flat" else 1.0 for s in range(steps)]
        for s, weight in enumerate(weights):
            token = tokens[anchor + read + s]
            state, log_q = step(guess if said and guess is not None else token, state)
            guess = int(log_q.argmax())
            row = p[anchor + judged + s]
            loss = -log_q[tokens[anchor + 2 + s]] if hard else -(row * log_q).sum()
            total = total + weight * loss
            if not own:
                state = states[anchor + s + 1]
            if cut:
                state = state.detach()
        return total / (1 if weighed == "sum" else sum(weights))

    return attempt


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


check_unrolled_loss = Exercise(
    "unrolled_loss",
    cases=[
        (0, 1, 0.8),
        (1, 3, 0.8),
        (2, 4, 0.5),
        (0, 5, 1.0),
    ],
    right=unrolled_loss,
    ask=_loss_and_gradient,
    parts=("the loss", "its gradient"),
    mistakes={
        "That is one step early: you feed the token of the anchor, whose state holds it already. "
        "Beside state `anchor` goes the token AFTER it.": _unrolled(read=0),
        "The label is shifted: the row to be learned is the one after the token that was just fed, "
        "p[anchor + 1 + s]. Yours trains the head to repeat what it reads.": _unrolled(judged=0),
        "The label is shifted by one: your head learns to skip a token.": _unrolled(judged=2),
        "You give the head the target's state at each step. Then step 2 learns what step 1 does, "
        "and what it must do when it drafts, read its own state, is never practised.": (
            _unrolled(own=False)
        ),
        "The first state is that of token anchor + 1: the target has not processed it when the "
        "head is asked. Begin with states[anchor].": _unrolled(first=1),
        "Divide by the sum of the weights: else more steps are a larger loss.": (
            _unrolled(weighed="sum")
        ),
        "The weights decay^s are missing: late steps are reached less often.": (
            _unrolled(weighed="flat")
        ),
        "You learn the token that stands in the text. The head is judged by the target's whole "
        "row: take the cross-entropy with p.": _unrolled(hard=True),
        "You feed the head its own guess. It is the text that goes on in training: a guess that is "
        "not accepted has no next position.": _unrolled(said=True),
        "you cut the state off between two steps (detach?). Each step then learns to read a state, "
        "and none learns to write one that the next step can read: hand it on as it is.": (
            _unrolled(cut=True)
        ),
        "there is none: inside torch.no_grad(), or after .detach(), .item() or float(), nothing "
        "can be learned from the loss. Calculate with the tensors as they are.": (
            lambda *case: _unrolled()(*case).item()
        ),
    },
    shown=lambda anchor, steps, decay: f"anchor = {anchor}, steps = {steps}, decay = {decay}",
    insight="True state first, its own ever after: that is training-time test.",
)


def predicted_tau(p: np.ndarray, q: np.ndarray) -> float:
    """1 + the sum over k of the product of the first k alphas; p and q (steps, V)."""
    return float(1 + np.cumprod(overlap(p, q)).sum())


def _alphas(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.minimum(p, q).sum(-1)


_ROWS = [tuple(_RNG.dirichlet(np.ones(4), (2, n))) for n in (1, 2, 4, 5)]

check_predicted_tau = Exercise(
    "predicted_tau",
    cases=[*_ROWS, (np.eye(3), np.eye(3)), (np.eye(3), np.eye(3)[[0, 2, 2]])],
    right=predicted_tau,
    mistakes={
        "A guess counts only if all before it were accepted: take the product of the alphas so "
        "far. Yours adds up guesses that nobody reaches.": lambda p, q: 1 + _alphas(p, q).sum(),
        "The target's own token is missing: each round brings one more than it accepts.": (
            lambda p, q: np.cumprod(_alphas(p, q)).sum()
        ),
        "That is the probability that all are accepted, plus one. The sum goes over all lengths.": (
            lambda p, q: 1 + np.prod(_alphas(p, q))
        ),
        "With the mean of the alphas the formula for one rate is not the mean of the rounds: the "
        "first alpha counts in every term, the last in one.": (
            lambda p, q: 1 + np.cumprod(np.full(len(p), _alphas(p, q).mean())).sum()
        ),
        "That a head's likeliest token is the target's is no probability of being accepted: "
        "alpha is the sum of min(p, q).": (
            lambda p, q: 1 + np.cumprod(p.argmax(-1) == q.argmax(-1)).sum()
        ),
        "Total variation is what is rejected: alpha is 1 less that.": (
            lambda p, q: 1 + np.cumprod(1 - _alphas(p, q)).sum()
        ),
    },
    insight="This one number, on held-out text, is what a head should be judged by.",
)

Run = dict[str, object]
ROUNDING = 1e-3  # of a row in the format that a head is served in


def broken_runs(runs: dict[str, Run]) -> list[str]:
    """Names of the runs of which a row that was served is not the one that the head defines."""
    return [name for name, run in runs.items() if _apart(run).max() > ROUNDING]


def _apart(run: Run) -> np.ndarray:
    """Total variation of each row that was served from the one that the head defines."""
    return np.abs(run["served"] - run["defined"]).sum(-1) / 2


def _overlaps(run: Run) -> tuple[float, float]:
    """Mean sum of min(p, q), served and defined."""
    return tuple(float(overlap(run["p"], run[q]).mean()) for q in ("served", "defined"))


def _below(run: Run, wanted: float) -> bool:
    """Is the overlap as served clearly below another number?"""
    return _overlaps(run)[0] < wanted - 0.02


def _run(seed: int, good: float, wrong: Callable, same_text: bool = True, off: float = 0.01) -> Run:
    """Three rows of p; a head that is right by a share `good`; wrong(rows) is what was served.

    Its baseline was recorded as it is served here, but for `off`.
    """
    rng = np.random.default_rng(seed)
    p, other = rng.dirichlet(np.full(4, 0.5), (2, 3))
    defined = good * p + (1 - good) * other
    served = wrong(defined) + 1e-6 * np.array([1, -1, 0, 0])  # rounding
    baseline = overlap(p, served).mean() + off
    return {
        "same text": same_text, "p": p, "served": served, "defined": defined,
        "baseline": round(float(baseline), 2),
    }  # fmt: skip


def _turned(rows: np.ndarray) -> np.ndarray:
    """Each row's probabilities at the next token."""
    return np.roll(rows, 1, axis=-1)


def _one_flatter(rows: np.ndarray) -> np.ndarray:
    """The last row is served a little too flat: its likeliest token stays the likeliest."""
    flat = np.sqrt(rows[-1])
    return np.concatenate([rows[:-1], flat[None] / flat.sum()])


def _sharper(rows: np.ndarray) -> np.ndarray:
    """All rows are served too sure, as if a norm were applied twice."""
    return rows**2 / (rows**2).sum(-1, keepdims=True)


_RUNS = {
    "A": _run(1, 1.0, lambda rows: rows, off=-0.01),  # a head that knows p
    "B": _run(10, 0.2, lambda rows: rows, off=0.3),  # the text is hard
    "C": _run(3, 0.8, _turned),  # its baseline was recorded when it was broken already
    "D": _run(4, 0.8, lambda rows: rows, same_text=False),  # a tie in the target
    "E": _run(5, 0.6, _one_flatter),
    "F": _run(18, 0.0, lambda rows: rows),  # a bad head, served right
    "G": _run(7, 0.5, _sharper),
}

check_broken_runs = Exercise(
    "broken_runs",
    cases=[(_RUNS,), ({k: _RUNS[k] for k in "ABFG"},), ({k: _RUNS[k] for k in "ECD"},)],
    right=broken_runs,
    mistakes={
        "A baseline is what was measured once. If the head was served wrongly then, the defect is "
        "the baseline: C passes for ever, and B fails for a harder text. Compare with what the "
        "head defines.": lambda runs: [n for n, r in runs.items() if _below(r, r["baseline"])],
        "The text is right in all the broken runs: the rule corrects whatever is guessed. Another "
        "text is another class of fault.": lambda runs: [
            n for n, r in runs.items() if not r["same text"]
        ],
        "A low acceptance may be a bad head, or a hard text, served as it should be. A fault is "
        "the difference from what the head defines.": lambda runs: [
            n for n, r in runs.items() if _overlaps(r)[0] < 0.5
        ],
        "Other rows may overlap with p as much as the right ones, or more: G is served too sure, "
        "and its Σmin is as large as it should be. Compare the rows themselves.": lambda runs: [
            n for n, r in runs.items() if _below(r, _overlaps(r)[1])
        ],
        "The likeliest token may be the right one in a row that is wrong. Compare the whole "
        "rows.": lambda runs: [
            n for n, r in runs.items()
            if (r["served"].argmax(-1) != r["defined"].argmax(-1)).any()
        ],
        "You find none. (Do your differences cancel? Two rows both sum to 1: take absolute values "
        "before you sum.)": (
            lambda runs: [
                n for n, r in runs.items()
                if abs((r["served"] - r["defined"]).sum(-1)).max() / 2 > ROUNDING
            ]
        ),
        "That is how far q is from p: a bad head is far, and no fault. Compare the rows that were "
        "served with those that the head defines.": lambda runs: [
            n for n, r in runs.items() if np.abs(r["served"] - r["p"]).sum(-1).max() / 2 > ROUNDING
        ],
        "Rounding makes tiny differences in every run. Allow 0.001.": (
            lambda runs: [n for n, r in runs.items() if _apart(r).any()]
        ),
        "The wrong way round: these are the runs that are served as they should be.": lambda runs: [
            n for n, r in runs.items() if _apart(r).max() <= ROUNDING
        ],
        "Either of the two alarms is not better than the right one: the baseline brings its false "
        "alarms with it.": lambda runs: [
            n for n, r in runs.items() if _apart(r).max() > ROUNDING or _below(r, r["baseline"])
        ],
    },
    form=lambda answer, runs: (
        None if isinstance(answer, list | tuple | set) else "Return a list of names."
    ),
    same=lambda given, right: sorted(given) == sorted(right),
    shown=lambda runs: f"the runs {', '.join(runs)}",
    insight="The oracle needs no record: what a head should serve is computed.",
)  # fmt: skip
