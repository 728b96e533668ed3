"""Row i of any batch against prompt i alone: the same text, and the same acceptances.

Text is not enough.  A draft model that reads the wrong tokens proposes worse guesses, the target
rejects them, and greedy text stays what it was: only the counts of accepted tokens, round by round,
differ.  And like neighbours are not enough: rows that are mixed up with rows like themselves look
right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from course_utils.decoding.batch import BatchDrafter, BatchModel, generate_batch
from course_utils.decoding.contracts import Drafter, NoiseSource, Round, Rule
from course_utils.decoding.loop import common_prefix, generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel

TEXT, ACCEPTED = "text", "accepted"


@dataclass(frozen=True)
class RowDifference:
    """The first difference of a kind between a row and its prompt alone."""

    row: int
    round: int
    what: str  # TEXT or ACCEPTED
    batch: object  # the row's text, or the accepted tokens of each round
    alone: object


@dataclass(frozen=True)
class BatchDecoder:
    """The parts of a batched decoder, the course's own by default."""

    target: Callable[[Any], BatchModel] = lambda model: model
    drafter: Callable[[Any], BatchDrafter] = BatchSampled  # of the draft model
    alone: Callable[[Any], Drafter] = Sampled  # the reference: of a single text
    rule: Callable[[Rule], Rule] = lambda rule: rule
    noise: Callable[[int, int], NoiseSource] = Noise


def compare_rows(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]],
    decoder: BatchDecoder = BatchDecoder(), *, slots: int = 4, sampling: Sampling = GREEDY,
    rule: Rule = TOKEN_WISE, seed: int = 0, **settings: Any,
) -> list[RowDifference]:  # fmt: skip
    """Return the differences: none, if every row is its prompt's solo run.

    Args:
        settings: gamma, max_new_tokens and stop_tokens, as `generate` takes them.
    """
    alone = {
        row: list(
            generate(
                target, prompt, decoder.alone(draft), sampling=sampling, rule=rule,
                seed=seed, noise=partial(Noise, row=row), **settings,
            )
        )
        for row, prompt in enumerate(prompts)
    }  # fmt: skip
    rounds: dict[int, list[Round]] = {row: [] for row in alone}
    run = generate_batch(
        decoder.target(target), prompts, decoder.drafter(draft), slots=slots,
        sampling=sampling, rule=decoder.rule(rule), seed=seed, noise=decoder.noise, **settings,
    )  # fmt: skip
    for row, r in run:
        rounds[row].append(r)
    return differences(rounds, alone)


def differences(
    rounds: Mapping[int, Sequence[Round]], alone: Mapping[int, Sequence[Round]]
) -> list[RowDifference]:
    """Return for each row at most one difference of its text and one of its acceptances."""
    result = []
    for row, solo in alone.items():
        texts = [tuple(emitted_tokens(run)) for run in (rounds[row], solo)]
        if texts[0] != texts[1]:
            ends = np.cumsum([len(r.emitted) for r in rounds[row]])
            at = int(np.searchsorted(ends, common_prefix(*texts), "right"))
            result.append(RowDifference(row, at, TEXT, *texts))
        accepted = [tuple(r.accepted for r in run) for run in (rounds[row], solo)]
        if accepted[0] != accepted[1]:
            result.append(RowDifference(row, common_prefix(*accepted), ACCEPTED, *accepted))
    return result


# --- texts that are unlike one another ------------------------------------------------------

WORLD = 4  # tokens of a world
ALWAYS, NEVER, SOMETIMES = range(3)  # the worlds, by whether draft and target agree
PAD, STOP = 0, 3 * WORLD - 1


def three_worlds(seed: int = 0) -> tuple[TableModel, TableModel]:
    """Return a target and a draft over 12 tokens; a text never leaves the world of its last token.

    In the first every guess is accepted; in the second none; in the third some, and there `STOP`
    is possible.  Rows depend on the last two tokens, so that a wrong neighbour of a token shows.
    """
    rng = np.random.default_rng(seed)
    size = 3 * WORLD
    tables = np.zeros((2, size, size, size))
    for last in range(size):
        world = slice(last // WORLD * WORLD, (last // WORLD + 1) * WORLD)
        tables[:, :, last, world] = rng.dirichlet(np.full(WORLD, 0.4), (2, size))
    tables[:, :, SOMETIMES * WORLD :, STOP] *= 0.1  # texts should become long enough to differ
    tables /= tables.sum(-1, keepdims=True)
    own = slice(ALWAYS * WORLD, (ALWAYS + 1) * WORLD)
    tables[1][:, own] = tables[0][:, own]
    for table, tokens in zip(tables, ((0, 1), (2, 3)), strict=True):
        rows = np.zeros((size, WORLD, size))
        rows[..., [NEVER * WORLD + token for token in tokens]] = rng.dirichlet(
            np.ones(2), (size, WORLD)
        )
        table[:, NEVER * WORLD : (NEVER + 1) * WORLD] = rows
    return TableModel(tables[0]), TableModel(tables[1])


def unlike_prompts(seed: int = 0, count: int = 9, longest: int = 40) -> list[list[int]]:
    """Return prompts for `three_worlds`, of lengths 1 to `longest`, each world in turn.

    Every one but the shortest has `PAD` and `STOP` inside: a prompt may hold any token.
    """
    rng = np.random.default_rng(seed)
    lengths = np.linspace(1, longest, count).astype(int)
    prompts = []
    for i, length in enumerate(rng.permutation(lengths)):
        prompt = rng.integers(3 * WORLD, size=length).tolist()
        prompt[length // 2], prompt[length // 3] = PAD, STOP
        prompt[-2:] = rng.integers(WORLD, size=min(2, length)) + i % 3 * WORLD
        prompts.append([int(token) for token in prompt])
    return prompts


def examine(
    decoder: BatchDecoder, sampling: Sampling, worlds: Sequence[int] = range(4), slots: int = 3
) -> list[RowDifference]:
    """Return all differences on texts of these `three_worlds`."""
    result = []
    for seed in worlds:
        target, draft = map(Separately, three_worlds(seed))
        result += compare_rows(
            target, draft, unlike_prompts(seed), decoder, slots=slots, sampling=sampling,
            seed=seed, gamma=4, max_new_tokens=24, stop_tokens=(STOP,),
        )  # fmt: skip
    return result
