"""Checks of lesson 10: masks, walks and speeds of trees; the loss of a head."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from course_utils.classroom.exercise import Exercise, untouched
from course_utils.decoding.contracts import Rows, Rule, Verdict
from course_utils.decoding.rules import recursive_rejection, residual
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import chain, children, depths, levels, paths, ranks, star, widths
from course_utils.drafters.candidates import Draw, likeliest, with_replacement, without_replacement
from course_utils.drafters.tree import Tree
from course_utils.models.qwen3.readable import Layout, Qwen3
from course_utils.proofs.decoders import Decoder, exam, tokens_per_round
from course_utils.refused import returned

BINARY = widths((2, 2))
UNEVEN = (-1, -1, 0, 0, 2)  # the deepest node follows the third
MIXED = (-1, -1, -1, 0, 0, 2, 3, 5)
Parents = Sequence[int]


def ancestor_mask(parents: Parents) -> np.ndarray:
    """Return (n, n) bool: may node i see node j?  It sees itself and what its parent sees."""
    mask = np.eye(len(parents), dtype=bool)
    for i, parent in enumerate(parents):
        if parent >= 0:
            mask[i] |= mask[parent]
    return mask


check_ancestor_mask = Exercise(
    "ancestor_mask",
    cases=[(chain(4),), (star(3),), (BINARY,), (UNEVEN,), (MIXED,)],
    solution=ancestor_mask,
    mistakes={
        "That is the causal mask of a chain: a node sees every node before it, so siblings see "
        "each other. The target would condition a guess on its rival.": (
            lambda parents: np.tri(len(parents), dtype=bool)
        ),
        "A node must see itself, too: its own key and value are in the "
        "cache.": "return mask → return mask & ~np.eye(len(parents), dtype=bool)",
        "The parent is not enough: add the parent's parent, and so on up to the text. Your deep "
        "nodes do not see the start of their "
        "path.": "mask[i] |= mask[parent] → mask[i, parent] = True",
        "You swapped rows and columns: row i says what node i sees. Your nodes see their "
        "descendants.": "return mask → return mask.T",
        "A parent of -1 is the text, not a node: in Python, "
        "index -1 is the last one.": "if parent >= 0 → if True",
    },
    insight="A chain's mask is causal, a star's is the diagonal: both are trees.",
)


def tree_pass(
    model: Qwen3, text: Sequence[int], guesses: Sequence[int], mask, positions: Sequence[int]
) -> Tensor:
    """Return the logits (nodes, vocabulary) after each node, from one pass over all of them.

    Args:
        mask: (nodes, nodes), may node i see node j; all nodes see the text.
        positions: of the nodes.
    """
    session = model.start(text)
    whole = torch.ones(len(guesses), len(text), dtype=torch.bool)
    visible = torch.cat([whole, torch.as_tensor(mask, dtype=torch.bool)], dim=1)
    layout = Layout(len(text), len(text) + len(guesses), torch.as_tensor([*positions]), visible)
    return model.logits(model.forward(guesses, session.cache, layout))


def path_by_path(
    model: Qwen3, text: Sequence[int], guesses: Sequence[int], parents: Sequence[int]
) -> Tensor:
    """Return the same logits from one pass per node, over the text and the node's own path."""
    words = ([guesses[node] for node in path] for path in paths(parents))
    return torch.stack([model.start(text).extend(path)[-1] for path in words])


DRAWS: dict[str, Draw] = {
    "with replacement": with_replacement,
    "without replacement": without_replacement,
    "the likeliest": likeliest,
}
SHAPES = (widths((2, 1, 1)), 2), (star(3), 3)  # and the size of the vocabulary


def walk(p: Rows, q: Rows, guesses: Sequence[int], parents: Sequence[int], uniforms) -> tuple:
    """Return (path, token): judge children from the text down, by what is left of each row."""
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


def rule_of(attempt: Callable) -> Rule:
    """Wrap a student's walk as a rule for the decoding loop."""

    def verify(p, q, drafted, uniforms, parents) -> Verdict:
        q = np.eye(np.shape(p)[-1])[list(drafted)] if q is None else q  # not sampled: one-hot
        rows = np.array(p), np.array(q)
        answer = attempt(*rows, list(drafted), list(parents), uniforms)
        path, token = map(returned, returned(answer))
        verdict = Verdict(len(path), int(token), tuple(int(node) for node in path))
        explained = recursive_rejection(*rows, drafted, uniforms, parents)
        return explained if explained == verdict else verdict  # with judgements, for the scene

    return Rule("yours", verify, lossless=True, source="a student's", trees=True)


def distance_and_tokens(
    rule: Rule, draw: Draw, shape: Sequence[int], vocabulary_size: int = 3
) -> tuple[float, float]:
    """Return the total variation of texts from the target's, and the expected tokens of a round.

    A text is as long as the longest path, and at least two tokens, so that a round can follow.
    """
    small = exam(vocabulary_size, agreement=0.2, gamma=len(shape), length=max(2, levels(shape)))
    decoder = Decoder(rule, lambda model: Tree(model, shape, draw=draw))
    return small.distance(decoder), tokens_per_round(small.first_rounds(decoder))


def distances(attempt: Callable) -> list[float]:
    """Return a walk's total variation for each of `DRAWS`: the worse shape's."""
    rule = rule_of(attempt)
    return [
        round(max(distance_and_tokens(rule, draw, *shape)[0] for shape in SHAPES), 12)
        for draw in DRAWS.values()
    ]


_DICE = np.random.default_rng(3)
_TREE_P = _DICE.dirichlet(np.ones(4), 9)
_TREE_Q = _DICE.dirichlet(np.ones(4), 5)[[0, 0, 0, 1, 2, 2, 3, 4]]  # siblings share a row
_PARENTS = (-1, -1, -1, 0, 1, 1, 3, 4)


def _path_and_token(attempt: Callable, uniforms: Sequence | None, guesses: Sequence) -> object:
    """Return (path, token) of one tree; without uniforms ([], distances of texts)."""
    case = [*guesses] or [0] * 8, [*_PARENTS], uniforms or [0.5] * 9
    answer = attempt(_TREE_P.copy(), _TREE_Q.copy(), *case)
    return answer if uniforms or untouched(answer) else ([], distances(attempt))


def _first_wrong_judgement(answer: object, uniforms: Sequence | None, guesses: Sequence) -> str:
    """Explain a wrong path or token by the judgements of the right rule."""
    if uniforms is None:
        distance, draw = max(zip(answer, DRAWS, strict=True))
        return f"the text's distribution is {distance:.3f} from the target's (guesses: {draw})."
    right = recursive_rejection(_TREE_P, _TREE_Q, guesses, uniforms, _PARENTS)
    path = answer if np.ndim(answer) else right.path
    why = f"The last uniform is {uniforms[-1]}."
    for node, left, q, ratio, accepted in reversed(right.judged):
        if accepted != (node in path):
            why = (
                f"Node {node} guesses {guesses[node]}: {left:.3f} of p is left there and q is "
                f"{q:.3f}, so u = {uniforms[node]} must be below {ratio:.3f}."
            )
    return f"it is {list(right.path)} and then {right.token}, yours is {answer}. {why}"


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
        "Lossy. You judge the second child by the whole row of p, although the first was already "
        "judged by it: proposed tokens come too often. "
        "Judge it by what the rejection left.": "left = residual(left, q[node]) → continue",
        "Lossy. After the last rejection you draw from the whole row, so rejected tokens get a "
        "second chance. Draw from what is left.": "sample(left, → sample(p[at + 1],",
        "Lossy. You set the rejected token's probability to 0. That is right for a guess that was "
        "not sampled; one drawn from q leaves the residual of "
        "q.": "residual(left, q[node]) → residual(left, np.eye(len(left))[x])",
        "Lossy. What is left belongs to one node: when a child is accepted, reset `left` to the "
        "row after it, p[child + 1]. You keep what was left at its "
        "parent.": "path, at = [], -1 → path, at, left = [], -1, p[0]; left = p[at + 1] → pass",
        "Lossy. p[-1] is Python's last row. The row after the text is p[0], so the row after node "
        "`at` is p[at + 1], with -1 for the text.": "left = p[at + 1] → left = p[at]",
        "Lossless, but you never judge the siblings: you stop at the first rejection, as in a "
        "chain.": "children(parents)[at + 1] → children(parents)[at + 1][:1]",
    },
    call=_path_and_token,
    parts=("path", "token"),
    explain=_first_wrong_judgement,
    describe_case=lambda uniforms, guesses: (
        "all paths" if uniforms is None else f"parents = {_PARENTS}, guesses = {[*guesses]}"
    ),
    insight="Enumerated along every path, for guesses drawn in three ways: it is lossless.",
)


# (token, state) -> (the next state, log q (V,))
Step = Callable[[int, Tensor], tuple[Tensor, Tensor]]

SIZE = 3  # tokens of the vocabulary
_RNG = np.random.default_rng(7)
_WEIGHTS = tuple(_RNG.normal(size=shape) for shape in ((SIZE, 2), (2, 2), (2, SIZE)))
_TOKENS = [2, 0, 1, 1, 2, 0, 0, 2]
_STATES = torch.tensor(_RNG.normal(size=(len(_TOKENS), 2)))  # the target's, after each token
_P = torch.tensor(_RNG.dirichlet(np.ones(SIZE), len(_TOKENS)))  # row i: what follows token i


def small_head() -> tuple[Step, list[Tensor]]:
    """Return the step and the weights of a trainable head whose state has two numbers."""
    embed, recur, output = weights = [torch.tensor(w, requires_grad=True) for w in _WEIGHTS]

    def step(token: int, state: Tensor) -> tuple[Tensor, Tensor]:
        new = torch.tanh(embed[token] + state @ recur)
        return new, (new @ output).log_softmax(-1)

    return step, weights


def unrolled_loss(
    step: Step, states: Tensor, tokens: Sequence[int], p: Tensor, anchor: int, steps: int,
    decay: float,
) -> Tensor:  # fmt: skip
    """Return the mean cross-entropy of p and the head on its own states, weighted by decay^s."""
    state, total = states[anchor], 0.0
    for s in range(steps):
        state, log_q = step(tokens[anchor + 1 + s], state)
        total = total - decay**s * (p[anchor + 1 + s] * log_q).sum()
    return total / sum(decay**s for s in range(steps))


def _inputs_loss_gradient(attempt: Callable, anchor: int, steps: int, decay: float) -> object:
    """Return the (token, state) inputs of each step, the loss, its gradient in the weights."""
    step, weights = small_head()
    inputs, names = [], {tuple(x.tolist()): f"states[{i}]" for i, x in enumerate(_STATES)}

    def recorded_step(token: int, state: Tensor) -> tuple[Tensor, Tensor]:
        name = names.get(tuple(state.flatten().tolist()), "another state")
        inputs.append((int(np.asarray(token).item()), name))
        new, log_q = step(token, state)
        names[tuple(new.flatten().tolist())] = f"the state of step {len(inputs) - 1}"
        return new, log_q

    value = attempt(recorded_step, _STATES.clone(), [*_TOKENS], _P.clone(), anchor, steps, decay)
    if value is None or value is ...:
        return value
    gradient = []
    if isinstance(value, Tensor) and value.requires_grad:
        value.backward()
        gradient = [w.grad.flatten() for w in weights if w.grad is not None]
    value = value.item() if isinstance(value, Tensor) else value
    return inputs[:steps], value, torch.cat(gradient).numpy() if gradient else None


check_unrolled_loss = Exercise(
    "unrolled_loss",
    cases=[(1, 1, 0.8), (0, 2, 0.5), (2, 4, 0.5), (0, 5, 1.0)],
    solution=unrolled_loss,
    call=_inputs_loss_gradient,
    parts=("the inputs of each step", "the loss", "its gradient"),
    mistakes={
        "One step early: you pass in the anchor's token, which its state already holds. Pass state "
        "`anchor` together with the token AFTER it.": "tokens[anchor + 1 → tokens[anchor",
        "The label is shifted: the label is the row after the token just passed in, p[anchor + 1 + "
        "s]. Yours trains the head to repeat its input.": "p[anchor + 1 → p[anchor",
        "You give the head the target's state at each step. Then step 2 learns the same as step 1, "
        "and the head never learns to read its own state, "
        "as it must when it drafts.": "+ s], state) → + s], states[anchor + s])",
        "Divide by the sum of the weights: "
        "otherwise more steps give a larger loss.": " / sum(decay**s for s in range(steps)) → ",
        "you detach the state between two steps. Each step then learns to read a state, but none "
        "learns to write one that the next step can read: "
        "pass it on unchanged.": "+ s], state) → + s], state.detach())",
        "there is none: torch.no_grad(), .detach(), .item() and float() cut the graph. Compute "
        "with the tensors as they are.": "return total → return total.item()",
    },
    describe_case=lambda anchor, steps, decay: (
        f"tokens = {_TOKENS}, {anchor = }, {steps = }, {decay = }"
    ),
    insight="The true state first, then the head's own states: that is training-time test.",
)


def shape_speed(
    parents: Parents, by_rank: Sequence[float], c: float, v: Callable[[int], float]
) -> float:
    """Return tokens per round over the round's time, with one draft pass for each level."""
    worth = []
    for parent, rank in zip(parents, ranks(parents), strict=True):
        above = worth[parent] if parent >= 0 else 1.0
        worth.append(above * by_rank[rank])
    levels = 1 + max(depths(parents))
    return (1 + sum(worth)) / (levels * c + v(len(parents) + 1))


check_shape_speed = Exercise(
    "shape_speed",
    cases=[
        (chain(3), [0.6, 0.2, 0.1], 0.1, lambda k: 1.0),
        (star(3), [0.6, 0.2, 0.1], 0.1, lambda k: 1.0),
        (BINARY, [0.6, 0.2, 0.1], 0.1, lambda k: 1.0),
        (UNEVEN, [0.7, 0.15, 0.05], 0.25, lambda k: 1 + 0.05 * (k - 1)),
        (MIXED, [0.5, 0.3, 0.1], 0.05, lambda k: 1 + 0.05 * (k - 1)),
    ],
    solution=shape_speed,
    mistakes={
        "That is the number of tokens per round. "
        "Divide it by the round's time.": " / (levels * c + v(len(parents) + 1)) → ",
        "The target's own token is missing: "
        "a round emits one more token than it accepts.": "(1 + sum(worth)) → sum(worth)",
        "A node is reached only if its parent was accepted: multiply the rates along the path. You "
        "use each node's own rate alone.": "above * by_rank[rank] → by_rank[rank]",
        "The draft makes one pass for each LEVEL, over all its nodes that get children, not one "
        "for each node.": "levels * c → len(parents) * c",
        "The target also reads the text's last token: its pass has one more token than there are "
        "nodes.": "v(len(parents) + 1) → v(len(parents))",
    },
    describe_case=lambda parents, by_rank, c, v: (
        f"parents = {parents}, by_rank = {by_rank}, c = {c}, "
        f"v({len(parents) + 1}) = {v(len(parents) + 1):g}"
    ),
    insight="With one child per node this is lesson 06's formula: a chain is a tree.",
)
