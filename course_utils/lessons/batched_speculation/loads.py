"""What a loaded machine's turn takes: bare passes, the host's own work, and the whole by the clock.

A turn is one draft of each row in work, one pass of the target over all of them, and a verdict
for each.  Times are seconds of a turn of the whole batch.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from tqdm.auto import tqdm

from course_utils.decoding.batch import BatchModel, generate_batch
from course_utils.decoding.batch_theory import Cost
from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.measuring.batches import pass_times
from course_utils.models.qwen3.batched import BatchedSlot

Turn = list[tuple[int, Round]]  # a round of each row that was in work
Load = tuple[int, int]  # rows in work, guesses of each


def turns(run: Iterable[tuple[int, Round]], slots: int, texts: int) -> Iterator[Turn]:
    """The rounds of `generate_batch`, turn by turn: as many as there are rows in work."""
    turn, left, wide = [], texts, min(slots, texts)
    for row, done in run:
        turn.append((row, done))
        left -= done.stop_reason is not None
        if len(turn) == wide:
            yield turn
            turn, wide = [], min(slots, left)


def seconds_of(turn: Turn) -> float:
    """The rounds hold their rows' shares of what was done for all."""
    return sum(r.seconds.draft + r.seconds.verify + r.seconds.host for _, r in turn)


class Instant:
    """A BatchModel whose pass takes no time: what is left of a turn is the host's own work.

    It says the same whatever it reads, so as its own draft it accepts every guess.
    """

    context = 1 << 20

    def __init__(self, vocabulary_size: int, longest: int = 64):
        self.vocabulary_size = vocabulary_size
        row = np.random.default_rng(0).normal(0, 3, vocabulary_size).astype(np.float32)
        self.logits = np.tile(row, (longest, 1))

    def start_batch(self, slots: int) -> "InstantSession":
        return InstantSession(self, slots)


class InstantSession:
    """A BatchSession that counts tokens and computes nothing."""

    def __init__(self, model: Instant, slots: int):
        self.slots, self.lengths, self._logits = slots, [0] * slots, model.logits

    def start(self, slot: int, prompt: Sequence[int]) -> BatchedSlot:
        self.lengths[slot] = len(prompt)
        return BatchedSlot(self, slot)

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        for slot, new in tokens.items():
            self.lengths[slot] += len(new)
        return {slot: self._logits[: len(new)] for slot, new in tokens.items()}

    def rollback(self, slot: int, length: int) -> None:
        self.lengths[slot] = min(length, self.lengths[slot])


def full_turns(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]], load: Load,
    sampling: Sampling, new_tokens: int,
) -> list[float]:  # fmt: skip
    """Seconds of the turns in which every row was in work and drafted gamma tokens.

    The first is left out: in it the draft reads the prompts.
    """
    rows, gamma = load
    run = generate_batch(
        target, prompts[:rows], BatchSampled(draft) if gamma else None, slots=rows,
        gamma=max(gamma, 1), sampling=sampling, max_new_tokens=new_tokens,
    )  # fmt: skip
    return [
        seconds_of(turn)
        for turn in islice(turns(run, rows, rows), 1, None)
        if len(turn) == rows and all(len(r.drafted) == gamma for _, r in turn)
    ]


def by_the_clock(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]],
    loads: Sequence[Load], sampling: Sampling, new_tokens: int = 32, repeats: int = 3,
) -> dict[Load, list[float]]:  # fmt: skip
    """Seconds of a full turn, one for each repeat, in which all loads take their turn.

    Of the turns of a repeat the 10th percentile, for others only add.  With a progress bar, if
    there are several loads.
    """
    found: dict[Load, list[float]] = {load: [] for load in loads}
    each = [load for _ in range(repeats) for load in loads]
    for load in tqdm(each, desc="clock", unit="load", disable=len(loads) == 1):
        seconds = full_turns(target, draft, prompts, load, sampling, new_tokens)
        found[load].append(float(np.quantile(seconds, 0.1)))
    return found


def gains(
    clock: Mapping[Load, Sequence[float]], gamma: int, tokens: float
) -> dict[int, tuple[float, float, float]]:
    """{rows: (least, median, most)}: speed over no draft in the same repeat.

    Args:
        tokens: per round of a draft of `gamma`.
    """
    found = {}
    for rows in sorted({rows for rows, _ in clock}):
        pairs = zip(clock[rows, 0], clock[rows, gamma], strict=True)
        ratios = sorted(tokens * plain / drafted for plain, drafted in pairs)
        found[rows] = ratios[0], float(np.median(ratios)), ratios[-1]
    return found


def bare_passes(
    asked: Mapping[str, tuple[BatchModel, Sequence[tuple[int, int]]]], prompt: Sequence[int],
    repeats: int = 4, times: int = 2,
) -> dict[str, dict[tuple[int, int], float]]:  # fmt: skip
    """{name: {(so many rows, so many new tokens of each): seconds of a pass, the least}}.

    All models and shapes in turn, `repeats` times: what disturbs a moment disturbs none alone.

    Args:
        asked: {name: (model, its shapes)}.
    """
    found: dict[str, dict[tuple[int, int], float]] = {name: {} for name in asked}
    for _ in range(repeats):
        for name, (model, shapes) in asked.items():
            for shape, seconds in pass_times(model, prompt, shapes, times).items():
                found[name][shape] = min(seconds, found[name].get(shape, seconds))
    return found


def pass_cost(taken: Mapping[tuple[int, int], float], rows: int, one: float) -> Cost:
    """v of a batch of so many rows, in passes of `one` seconds, by the tokens of all rows.

    Straight between the shapes in `taken`, and beyond the last; as a longer pass takes no less,
    nothing falls.
    """
    shapes = sorted(shape for shape in taken if shape[0] == rows)
    times = np.maximum.accumulate([taken[shape] / one for shape in shapes])
    tokens = [n * new for n, new in shapes]

    def cost(k: int) -> float:
        if len(tokens) > 1 and k > tokens[-1]:
            slope = (times[-1] - times[-2]) / (tokens[-1] - tokens[-2])
            return float(times[-1] + slope * (k - tokens[-1]))
        return float(np.interp(k, tokens, times))

    return cost


def host_cost(taken: Mapping[Load, float], one: float) -> Callable[[int, int], float]:
    """o(rows, gamma) in passes of `one` seconds: so much for each row, and for each guess of it.

    By the largest load in `taken`, without a draft and with its longest.
    """
    rows, most = max(taken)
    row = taken[rows, 0] / rows / one
    guess = (taken[rows, most] - taken[rows, 0]) / (rows * most) / one
    return lambda n, gamma: n * (row + gamma * guess)


def host_times(
    vocabulary_size: int, loads: Sequence[Load], sampling: Sampling, repeats: int = 2
) -> dict[Load, float]:
    """o: seconds of a turn of `Instant` models."""
    found = {}
    for rows, gamma in loads:
        model, new = Instant(vocabulary_size), 7 * (gamma + 1)
        load = rows, gamma
        clock = by_the_clock(model, model, [[0]] * rows, [load], sampling, new, repeats)
        found[load] = min(clock[load])
    return found


def tokens_per_round(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]],
    gammas: Iterable[int], sampling: Sampling, new_tokens: int, slots: int,
) -> dict[int, float]:  # fmt: skip
    """Emitted tokens over rounds that drafted gamma tokens; that of no draft is 1.

    A row accepts in any batch what it accepts alone, so `slots` changes the time only.
    """
    found = {}
    for gamma in gammas:
        if gamma == 0:
            found[gamma] = 1.0
            continue
        run = generate_batch(
            target, prompts, BatchSampled(draft), slots=slots, gamma=gamma,
            sampling=sampling, max_new_tokens=new_tokens,
        )  # fmt: skip
        found[gamma] = float(np.mean([len(r.emitted) for _, r in run if len(r.drafted) == gamma]))
    return found
