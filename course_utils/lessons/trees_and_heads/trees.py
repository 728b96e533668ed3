"""Trees in the trained target, and enumerated along all paths of a round."""

from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor

from course_utils.decoding.contracts import Rule
from course_utils.decoding.trees import paths
from course_utils.drafters.candidates import Draw, likeliest, with_replacement, without_replacement
from course_utils.drafters.tree import Tree
from course_utils.models.qwen3.readable import Layout, Qwen3
from course_utils.proofs.decoders import Decoder, exam, tokens_per_round
from course_utils.proofs.enumeration import distribution_distance, merge_paths, target_distribution

DRAWS: dict[str, Draw] = {
    "with replacement": with_replacement,
    "without replacement": without_replacement,
    "the likeliest": likeliest,
}

# --- a student's mask and positions in the trained target -------------------------------


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


# --- is a rule lossless? every path of one whole round -----------------------------------


def one_round(
    rule: Rule, draw: Draw, shape: Sequence[int], vocabulary_size: int = 3
) -> tuple[float, float]:
    """Return the total variation from the target after one round, and its expected tokens.

    The target continues each text to the longest round's length, so only the round's own decisions
    can be wrong.  A longer text is a sequence of such rounds.
    """
    small = exam(vocabulary_size, agreement=0.2, gamma=len(shape))
    rounds = small.first_rounds(Decoder(rule, lambda model: Tree(model, shape, draw=draw)))
    length = max(len(r.emitted) for _, r in rounds)

    @cache
    def continued(text: tuple[int, ...]) -> dict[tuple[int, ...], float]:
        before = [*small.prompt, *text]
        return target_distribution(small.target, before, length - len(text))

    texts = (
        (weight * share, (*r.emitted, *rest))
        for weight, r in rounds
        for rest, share in continued(r.emitted).items()
    )
    return distribution_distance(merge_paths(texts), continued(())), tokens_per_round(rounds)
