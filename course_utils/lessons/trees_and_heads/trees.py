"""Trees in the trained target, and along all paths of a round."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from course_utils.decoding.contracts import Rule
from course_utils.drafters.candidates import Draw, likeliest, with_replacement, without_replacement
from course_utils.drafters.tree import Tree
from course_utils.models.qwen3.readable import Layout, Qwen3
from course_utils.proofs.decoders import Decoder, Exam, exam, tokens_per_round
from course_utils.proofs.enumeration import distribution_distance, merge_paths

DRAWS: dict[str, Draw] = {
    "with replacement": with_replacement,
    "without replacement": without_replacement,
    "the likeliest": likeliest,
}

# --- a mask and positions of a student's in the trained target --------------------------


def tree_pass(
    model: Qwen3, text: Sequence[int], guesses: Sequence[int], mask, positions: Sequence[int]
) -> Tensor:
    """Logits (nodes, vocabulary) after each node: one pass over all of them behind `text`.

    Args:
        mask: (nodes, nodes), may node i see node j; all of them see the text.
        positions: of the nodes.
    """
    session = model.start(text)
    whole = torch.ones(len(guesses), len(text), dtype=torch.bool)
    seen = torch.cat([whole, torch.as_tensor(mask, dtype=torch.bool)], dim=1)
    layout = Layout(len(text), len(text) + len(guesses), torch.as_tensor([*positions]), seen)
    return model.logits(model.forward(guesses, session.cache, layout))


def path_by_path(
    model: Qwen3, text: Sequence[int], guesses: Sequence[int], parents: Sequence[int]
) -> Tensor:
    """The same logits, from a pass for each node: over the text and the node's own path."""
    rows, paths = [], []
    for guess, parent in zip(guesses, parents, strict=True):
        paths.append([*(paths[parent] if parent >= 0 else ()), guess])
        rows.append(model.start(text).extend(paths[-1])[-1])
    return torch.stack(rows)


# --- is a rule lossless? one whole round, every path of it ------------------------------


def one_round(
    rule: Rule, draw: Draw, shape: Sequence[int], vocabulary_size: int = 3
) -> tuple[float, float]:
    """Total variation from the target after one round, and the round's tokens in expectation.

    The target continues what the round leaves open, so that all texts have one length: only the
    round's own decisions can be wrong.  A longer text is a sequence of such rounds.
    """
    paper = exam(vocabulary_size, agreement=0.2, gamma=len(shape))
    decoder = Decoder(rule, lambda model: Tree(model, shape, draw=draw))
    rounds = paper.first_rounds(decoder)
    length = max(len(r.emitted) for _, r in rounds)
    texts = (
        (weight * share, text)
        for weight, r in rounds
        for share, text in _continued(paper, r.emitted, length)
    )
    truth = merge_paths(_continued(paper, (), length))
    return distribution_distance(merge_paths(texts), truth), tokens_per_round(rounds)


def _continued(
    paper: Exam, text: Sequence[int], length: int
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """(probability, text) of each way in which the target goes on to `length` tokens."""
    if len(text) == length:
        yield 1.0, tuple(text)
        return
    row = paper.target.distribution([*paper.prompt, *text])
    for token in np.flatnonzero(row).tolist():
        for share, whole in _continued(paper, (*text, token), length):
            yield float(row[token]) * share, whole
