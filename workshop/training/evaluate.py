"""Evaluation of the trained pair on files that neither model has seen.

It measures the loss of each model and the acceptance probability at temperature 1 with
the held-out text as context (teacher-forced), both on modules of the standard library and on a
package, and the agreement with the target's greedy continuation.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from tqdm.auto import tqdm

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.models.names import held_out_prompts
from course_utils.theory.speedup import overlap
from course_utils.training import corpus
from course_utils.writing.writing import Pair, load_pair
from workshop.training import dependencies

WINDOW = 1024  # the most tokens of context, or fewer for a shorter target


def evaluate(folder: Path) -> dict[str, float]:
    """Measure `folder`/target with `folder`/draft in float32.

    Raises:
        FileNotFoundError: one of the two does not exist yet.
    """
    for name in ("target", "draft"):
        if not (folder / name).is_dir():
            raise FileNotFoundError(f"there is no {folder / name}: run the stage {name} first")
    pair = load_pair(
        str(folder / "target"), str(folder / "draft"), dtype="float32", form="readable"
    )
    prompts = held_out_prompts("code") + held_out_prompts("prose")
    package = teacher_forced(pair, dependencies.held_out_sources())
    return {
        **teacher_forced(pair, corpus.held_out_sources()),
        **{f"package_{name}": value for name, value in package.items()},
        "alpha_greedy": greedy_agreement(pair, prompts),
        "greedy_prompts": len(prompts),
    }


def teacher_forced(
    pair: Pair, sources: Iterable[tuple[str, str]], windows: int | None = None
) -> dict[str, float]:
    """Return losses (nats per token) and alpha = mean of sum(min(p, q)) at temperature 1.

    Windows overlap by half and only the second half of each is scored, so that a
    token has at least half a window of text before it.  `target_loss_cold` is
    the mean over whole windows, first tokens without any context included.

    Args:
        sources: (name, text) of the files to measure on.
        windows: the number of windows, spread evenly; None means all.
    """
    tokens = np.concatenate([pair.encode(text) for _, text in sources])
    window = min(WINDOW, pair.target.context)
    starts = np.arange(0, len(tokens) - window - 1, window // 2)
    if windows:
        starts = starts[:: max(1, len(starts) // windows)]
    sums = np.zeros(4)
    for start in tqdm(starts, desc="held-out windows"):
        text = tokens[start : start + window + 1].tolist()
        p, q = (
            probabilities(model.start([]).extend(text[:-1]), Sampling())
            for model in (pair.target, pair.draft)
        )
        following = torch.tensor(text[1:])[:, None]
        by_position = [-p.gather(1, following).log(), -q.gather(1, following).log(), overlap(p, q)]
        sums += [x[window // 2 :].mean().item() for x in by_position] + [
            by_position[0].mean().item()
        ]
    names = ("target_loss", "draft_loss", "alpha_temperature_1", "target_loss_cold")
    return dict(zip(names, (sums / len(starts)).tolist(), strict=True))


def greedy_agreement(pair: Pair, prompts: list[str], new_tokens: int = 128) -> float:
    """Return the share of the target's greedy tokens that the draft would have guessed."""
    agreed = total = 0
    for prompt in tqdm(prompts, desc="greedy continuations"):
        tokens = pair.encode(prompt)
        rounds = generate(
            pair.target,
            tokens,
            sampling=GREEDY,
            max_new_tokens=new_tokens,
            stop_tokens=pair.stop_tokens,
        )
        new = emitted_tokens(rounds)
        rows = pair.draft.start(tokens[:-1]).extend([tokens[-1], *new[:-1]])
        agreed += int((rows.argmax(-1) == torch.tensor(new)).sum())
        total += len(new)
    return agreed / total
