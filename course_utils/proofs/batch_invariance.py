"""Compare row i of any batch with prompt i alone: same text, same acceptances.

Comparing text is not enough.  A draft model that reads wrong tokens makes worse guesses, the target
rejects them, and greedy text is unchanged: only the accepted tokens per round differ.  Equal
prompts are not enough either: a mix-up of identical rows is invisible.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from course_utils.decoding.batch import BatchDrafter, BatchModel, generate_batch
from course_utils.decoding.contracts import Drafter, NoiseSource, Round, Rule
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import Separately, TableModel

TEXT, ACCEPTED = "text", "accepted"


class RowDifference(NamedTuple):
    """A row that differs from its prompt alone."""

    row: int
    what: str  # TEXT or ACCEPTED


@dataclass(frozen=True)
class BatchDecoder:
    """The parts of a batched decoder, the course's own by default."""

    target: Callable[[Any], BatchModel] = lambda model: model
    drafter: Callable[[Any], BatchDrafter] = BatchSampled  # called with the draft model
    alone: Callable[[Any], Drafter] = Sampled  # the reference, for a single text
    rule: Callable[[Rule], Rule] = lambda rule: rule
    noise: Callable[[int, int], NoiseSource] = Noise


def compare_rows(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]],
    decoder: BatchDecoder = BatchDecoder(), *, slots: int = 4, sampling: Sampling = GREEDY,
    rule: Rule = TOKEN_WISE, seed: int = 0, **settings: Any,
) -> list[RowDifference]:  # fmt: skip
    """Return the rows that differ from their prompts' solo runs.

    Args:
        settings: gamma, max_new_tokens and stop_tokens, as `generate` takes them.
    """
    rounds: dict[int, list[Round]] = {row: [] for row in range(len(prompts))}
    run = generate_batch(
        decoder.target(target), prompts, decoder.drafter(draft), slots=slots,
        sampling=sampling, rule=decoder.rule(rule), seed=seed, noise=decoder.noise, **settings,
    )  # fmt: skip
    for row, r in run:
        rounds[row].append(r)
    result = []
    for row, prompt in enumerate(prompts):
        alone = list(generate(
            target, prompt, decoder.alone(draft), sampling=sampling, rule=rule, seed=seed,
            noise=partial(Noise, row=row), **settings,
        ))  # fmt: skip
        if emitted_tokens(rounds[row]) != emitted_tokens(alone):
            result.append(RowDifference(row, TEXT))
        if [r.accepted for r in rounds[row]] != [r.accepted for r in alone]:
            result.append(RowDifference(row, ACCEPTED))
    return result


# --- texts that differ from one another -----------------------------------------------------

VOCABULARY_SIZE, STOP = 6, 5


def table_pair(seed: int = 0) -> tuple[TableModel, TableModel]:
    """Return a target and a draft that agrees with it by half; rows depend on the last two
    tokens, so that a wrong one is visible."""
    rng = np.random.default_rng(seed)
    tables = rng.dirichlet(np.full(VOCABULARY_SIZE, 0.4), (2, VOCABULARY_SIZE, VOCABULARY_SIZE))
    tables[..., STOP] *= 0.1  # so that texts are long enough to differ
    target, other = tables / tables.sum(-1, keepdims=True)
    return TableModel(target), TableModel((target + other) / 2)


def unlike_prompts(seed: int = 0, count: int = 9, longest: int = 40) -> list[list[int]]:
    """Return prompts of lengths 1 to `longest` with any tokens, `STOP` included."""
    rng = np.random.default_rng(seed)
    lengths = rng.permutation(np.linspace(1, longest, count).astype(int))
    return [rng.integers(VOCABULARY_SIZE, size=length).tolist() for length in lengths]


def examine(
    decoder: BatchDecoder, sampling: Sampling, seeds: Sequence[int] = range(4), slots: int = 3
) -> list[RowDifference]:
    """Return all differences on texts from the pairs of tables of these seeds."""
    result = []
    for seed in seeds:
        target, draft = map(Separately, table_pair(seed))
        result += compare_rows(
            target, draft, unlike_prompts(seed), decoder, slots=slots, sampling=sampling,
            seed=seed, gamma=4, max_new_tokens=24, stop_tokens=(STOP,),
        )  # fmt: skip
    return result
