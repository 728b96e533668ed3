"""Trees in the trained target, and enumerated along all paths of a round."""

from collections.abc import Sequence

import torch
from torch import Tensor

from course_utils.decoding.contracts import Rule
from course_utils.decoding.trees import levels, paths
from course_utils.drafters.candidates import Draw, likeliest, with_replacement, without_replacement
from course_utils.drafters.tree import Tree
from course_utils.models.qwen3.readable import Layout, Qwen3
from course_utils.proofs.decoders import Decoder, exam, tokens_per_round

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


# --- is a rule lossless? every path of a short text ---------------------------------------


def distance_and_tokens(
    rule: Rule, draw: Draw, shape: Sequence[int], vocabulary_size: int = 3
) -> tuple[float, float]:
    """Return the total variation of texts from the target's, and the expected tokens of a round.

    A text is as long as the longest path, and at least two tokens, so that a round can follow.
    """
    small = exam(vocabulary_size, agreement=0.2, gamma=len(shape), length=max(2, levels(shape)))
    decoder = Decoder(rule, lambda model: Tree(model, shape, draw=draw))
    return small.distance(decoder), tokens_per_round(small.first_rounds(decoder))
